import Glibc

extension String {
  /// Whether one of its bytes in UTF-8 is `byte`.
  ///
  /// - Complexity: O(n) in bytes, of which many are looked at together.
  package func hasByte(_ byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false
    } ?? utf8.contains(byte)
  }
}
