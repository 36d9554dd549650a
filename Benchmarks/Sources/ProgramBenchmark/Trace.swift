import FoundationEssentials
import Glibc
import TerminalSession

/// What tideline writes of its frames with `--trace`, read while it is written.
final class Trace {
  struct Frame: Decodable {
    let createdCells: Int
    /// Rows that frames had measured since the start.
    let measuredRows: Int
    let cpuMicroseconds: Int
    /// To the terminal since the start.
    let bytes: Int
  }

  private let descriptor: Int32
  private var rest: [UInt8] = []

  /// The file is there once tideline runs.
  init(path: String) throws(BenchmarkError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(call: "open", subject: path, code: errno) }
  }

  deinit { close(descriptor) }

  /// The frames since the last call.
  ///
  /// - Throws: what is wrong with a line that says it is a frame.
  func frames() throws -> [Frame] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      rest += buffer[..<count]
    }
    let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    rest = Array(lines.last ?? [])
    let decoder = JSONDecoder()
    return try lines.dropLast().compactMap { line in
      let isFrame = String(decoding: line, as: UTF8.self).contains("\"event\":\"frame\"")
      return isFrame ? try decoder.decode(Frame.self, from: Data(line)) : nil
    }
  }
}
