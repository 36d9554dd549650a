import Terminal

/// Decodes sixels in the simplest way, a character at a time, to find the pixels that a terminal
/// would draw.
struct SixelDecoder {
  /// Colours in percent, row by row; `nil` for pixels that are not drawn.
  private(set) var pixels: [[[Int]?]] = []
  /// Width and height by the raster attributes.
  private(set) var size = [0, 0]
  /// Whether pixels that are not drawn keep their previous content.
  private(set) var isTransparent = false
  private(set) var definedColors = 0
  /// The errors found.
  private(set) var problems: [String] = []

  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("\u{1B}P"), text.hasSuffix("\u{1B}\\"),
      let start = text.firstIndex(of: "q")
    else {
      problems.append("no sixel string")
      return
    }
    let parameters = text[text.index(text.startIndex, offsetBy: 2)..<start].split(separator: ";")
    isTransparent = parameters.count > 1 && parameters[1] == "1"
    var rest = Array(text[text.index(after: start)...].dropLast(2))[...]
    var colors: [Int: [Int]] = [:]
    var color: [Int]?
    var (x, y) = (0, 0)
    func numbers() -> [Int] {
      var result = [0]
      while let next = rest.first, next.isNumber || next == ";" {
        rest = rest.dropFirst()
        if let digit = next.wholeNumberValue {
          result[result.count - 1] = result[result.count - 1] * 10 + digit
        } else {
          result.append(0)
        }
      }
      return result
    }
    while let next = rest.popFirst() {
      switch next {
      case "\"":
        let values = numbers()
        if values.count != 4 || values[0] != 1 || values[1] != 1 {
          problems.append("raster attributes \(values)")
          return
        }
        size = [values[2], values[3]]
        pixels = Array(repeating: Array(repeating: nil, count: size[0]), count: size[1])
      case "#":
        let values = numbers()
        if values.count == 5 {
          if values[1] != 2 || values[2...].contains(where: { $0 > 100 }) || values[0] > 255 {
            problems.append("colour \(values)")
          }
          colors[values[0]] = Array(values[2...])
          definedColors += 1
        } else {
          color = colors[values[0]]
          if color == nil { problems.append("colour \(values[0]) is not defined") }
        }
      case "$": x = 0
      case "-": (x, y) = (0, y + 6)
      default:
        var count = 1
        var sixel = next
        if next == "!" {
          count = numbers()[0]
          sixel = rest.popFirst() ?? "?"
        }
        guard let value = sixel.asciiValue, (63...126).contains(value) else {
          problems.append("character \(sixel)")
          return
        }
        for column in x..<(x + count) {
          for bit in 0..<6 where (value - 63) >> UInt8(bit) & 1 == 1 {
            if y + bit >= size[1] || column >= size[0] {
              problems.append("pixel outside at \(column), \(y + bit)")
            } else {
              pixels[y + bit][column] = color
            }
          }
        }
        x += count
      }
    }
  }
}
