import System

/// Converts text to UTF-8 with the C library's iconv, for encodings that are rare today: UTF-16,
/// Shift_JIS, KOI8-R, …
struct CharacterConverter: ~Copyable {
  private let descriptor: iconv_t
  /// Size of the encoding's code unit in bytes.
  private let unit: Int

  /// `nil` if the C library does not know the encoding.
  init?(from encoding: String) {
    guard let opened = iconv_open("UTF-8", encoding), Int(bitPattern: opened) != -1 else {
      return nil
    }
    descriptor = opened
    unit = encoding.hasPrefix("UTF-16") ? 2 : encoding.hasPrefix("UTF-32") ? 4 : 1
  }

  deinit { iconv_close(descriptor) }

  /// Converts `source` to UTF-8. Each invalid code unit becomes U+FFFD; `firstRepair` receives the
  /// offset of the first one in the result.
  ///
  /// - Complexity: O(n) in the bytes.
  func utf8(_ source: ArraySlice<UInt8>, firstRepair: inout Int?) -> [UInt8] {
    var unread = 0
    return utf8(source, isFinal: true, unread: &unread, firstRepair: &firstRepair)
  }

  /// Converts one piece of a text. If more pieces follow (`isFinal` is false) and this one ends
  /// inside a character, the bytes of that character are not converted; `unread` receives their
  /// count.
  func utf8(
    _ source: ArraySlice<UInt8>, isFinal: Bool, unread: inout Int, firstRepair: inout Int?
  ) -> [UInt8] {
    var input = Array(source)
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var consumed = 0
    while consumed < input.count {
      var stopped = false
      var isCut = false
      let (read, written) = input.withUnsafeMutableBytes { inputBytes in
        chunk.withUnsafeMutableBytes { output -> (Int, Int) in
          var from = inputBytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            .advanced(by: consumed)
          var left = inputBytes.count - consumed
          var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
          var room = output.count
          let code = iconv(descriptor, &from, &left, &to, &room)
          stopped = code == -1 && errno != E2BIG
          isCut = code == -1 && errno == EINVAL
          return (inputBytes.count - consumed - left, output.count - room)
        }
      }
      consumed += read
      result += chunk[..<written]
      if isCut, !isFinal {
        unread = input.count - consumed
        return result
      }
      if stopped, consumed < input.count {
        if firstRepair == nil { firstRepair = result.count }
        result += [0xEF, 0xBF, 0xBD]
        consumed += min(unit, input.count - consumed)
      }
    }
    return result
  }
}
