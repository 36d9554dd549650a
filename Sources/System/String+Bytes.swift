import Glibc

extension String {
  /// Whether its UTF-8 contains `byte`.
  ///
  /// - Complexity: O(n) in bytes, of which many are compared at once.
  package func containsByte(_ byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false
    } ?? utf8.contains(byte)
  }
}
