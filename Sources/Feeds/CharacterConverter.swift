import System

/// The C library's iconv, for the encodings that are rare today: Shift_JIS, KOI8-R, Big5 and so on.
struct CharacterConverter: ~Copyable {
  private let descriptor: iconv_t

  /// Nil where the C library does not know the encoding.
  init?(from encoding: String) {
    guard let opened = iconv_open("UTF-8", encoding), Int(bitPattern: opened) != -1 else {
      return nil
    }
    descriptor = opened
  }

  deinit { iconv_close(descriptor) }

  /// `source` as UTF-8. A byte that has no meaning becomes U+FFFD, and `firstRepair` is where in the
  /// result the first of them stands.
  ///
  /// - Complexity: O(n) in the bytes.
  func utf8(_ source: ArraySlice<UInt8>, firstRepair: inout Int?) -> [UInt8] {
    var input = Array(source)
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var consumed = 0
    while consumed < input.count {
      var stopped = false
      let (read, written) = input.withUnsafeMutableBytes { inputBytes in
        chunk.withUnsafeMutableBytes { output -> (Int, Int) in
          var from = inputBytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            .advanced(by: consumed)
          var left = inputBytes.count - consumed
          var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
          var room = output.count
          let code = iconv(descriptor, &from, &left, &to, &room)
          stopped = code == -1 && errno != E2BIG
          return (inputBytes.count - consumed - left, output.count - room)
        }
      }
      consumed += read
      result += chunk[..<written]
      if stopped, consumed < input.count {
        if firstRepair == nil { firstRepair = result.count }
        result += [0xEF, 0xBF, 0xBD]
        consumed += 1
      }
    }
    return result
  }
}
