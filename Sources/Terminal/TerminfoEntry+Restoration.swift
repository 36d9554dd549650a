import CNcurses
import Geometry

extension TerminfoEntry {
  /// Bytes that give back a terminal of `size` without ncurses: modes off, whole screen scrolls, plain
  /// style, cursor visible in the last row, the screen that was there before.
  func restoration(modesOff: [UInt8], size: Size) -> [UInt8] {
    var bytes = modesOff
    bytes += expanded("csr", 0, size.height - 1)
    bytes += sequence("sgr0")
    bytes += sequence("op")
    bytes += sequence("cnorm")
    bytes += expanded("cup", size.height - 1, 0)
    bytes += sequence("el")
    bytes += sequence("rmcup")
    if string("rmcup") == nil { bytes += [0x0D, 0x0A] }
    return bytes
  }

  /// A string with two numbers filled in, its marks for delays left out.
  private func expanded(_ capability: String, _ first: Int, _ second: Int) -> [UInt8] {
    let value = sequence(capability)
    guard !value.isEmpty else { return [] }
    return String(decoding: value, as: UTF8.self).withCString {
      guard let text = terminfo_expand($0, Int32(first), Int32(second)) else { return [] }
      return Array(String(cString: text).utf8)
    }
  }
}
