import System

extension HTTPResponse {
  /// The media type without its parameters, in lower case.
  public var mediaType: String? {
    guard let value = headers["Content-Type"] else { return nil }
    let end = value.firstIndex(of: ";") ?? value.endIndex
    let type = value[..<end].lowercased().split(whereSeparator: { $0 == " " || $0 == "\t" })
    return type.first.map(String.init)
  }

  /// The `charset` of the media type as written, without quotes; `nil` if it has none.
  package var charset: String? {
    guard let value = headers["Content-Type"] else { return nil }
    for parameter in Self.parameters(of: value) {
      guard let mark = parameter.firstIndex(of: "="),
        Self.trimmed(parameter[..<mark]).lowercased() == "charset"
      else { continue }
      let written = Self.unquoted(Self.trimmed(parameter[parameter.index(after: mark)...]))
      return written.isEmpty ? nil : written
    }
    return nil
  }

  /// The parameters: the parts between semicolons outside of quotes, without the media type.
  private static func parameters(of value: String) -> [Substring] {
    var result: [Substring] = []
    var (start, isQuoted, isEscaped) = (value.startIndex, false, false)
    for index in value.indices {
      switch value[index] {
      case _ where isEscaped: isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted:
        result.append(value[start..<index])
        start = value.index(after: index)
      default: break
      }
    }
    return Array((result + [value[start...]]).dropFirst())
  }

  private static func trimmed(_ text: Substring) -> Substring {
    text.trimmed { $0 == " " || $0 == "\t" }
  }

  /// Without quotes and the escapes in them; some servers write single quotes.
  private static func unquoted(_ text: Substring) -> String {
    guard let quote = text.first, quote == "\"" || quote == "'" else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if character == quote, !isEscaped { break }
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { result.append(character) }
    }
    return String(trimmed(result[...]))
  }
}
