import ArgumentParser
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport

enum SoakSourceKind: String, CaseIterable, ExpressibleByArgument {
  /// JSON Lines in a file that grows, is cut and is replaced.
  case lines
  /// RSS in a file that is replaced, sometimes by half a file or an empty one.
  case feed
  /// JSON Feed on a server, in pages, with new posts on top.
  case pages
}

/// A timeline that changes while it is read.
protocol SoakSource: AnyObject {
  /// The program's argument that opens the timeline.
  var argument: String { get }
  /// The last post, which the last row shows.
  var lastPost: Int { get }
  /// Whether a post is still in the timeline.
  func holds(_ post: Int) -> Bool
  /// May change the timeline; returns a description of the change.
  ///
  /// - Throws: the error of the file system.
  func change(_ random: inout SeededGenerator) throws -> String
}

/// Posts with ascending numbers, one a line; new ones are appended.
final class GrowingLines: SoakSource {
  let argument: String
  private let seed: UInt64
  private let url: (String) -> String
  private var numbers = 0..<300
  /// The second half of a line whose first half is in the file.
  private var rest: String?
  /// Whether the file was cut since it was written as a whole.
  private var isCut = false

  init(folder: TemporaryFolder, seed: UInt64, url: @escaping (String) -> String) throws {
    (self.seed, self.url) = (seed, url)
    argument = folder.path + "/tides.jsonl"
    try replace()
  }

  /// An upper bound after the file was cut.
  var lastPost: Int { numbers.upperBound - 1 }
  /// After a cut the rows below a post may not have filled the screen until their pictures arrived,
  /// so that the list had to scroll: no post is known to have stayed.
  func holds(_ post: Int) -> Bool { !isCut && numbers.contains(post) }

  func change(_ random: inout SeededGenerator) throws -> String {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: return "nothing"
    case 8..<15 where numbers.count < 3_000:
      let count = Int.random(in: 1...20, using: &random)
      let end = numbers.upperBound
      try append((rest ?? "") + (end..<(end + count)).map(line).joined())
      numbers = numbers.lowerBound..<(end + count)
      rest = nil
      return "\(count) lines appended"
    case 15..<18 where rest == nil:
      let line = Array(line(numbers.upperBound))
      let place = Int.random(in: 1..<line.count, using: &random)
      try append(String(line[..<place]))
      rest = String(line[place...])
      numbers = numbers.lowerBound..<(numbers.upperBound + 1)
      return "a line begun"
    case 18:
      let length = Int.random(in: 200...40_000, using: &random)
      guard truncate(argument, length) == 0 else { throw SoakSystemError(call: "truncate") }
      // The next appended line must not continue the cut one.
      rest = "\n"
      isCut = true
      return "cut to \(length) bytes"
    default:
      numbers = 0..<Int.random(in: 3...400, using: &random)
      try replace()
      return "replaced by \(numbers.count) lines"
    }
  }

  private func line(_ number: Int) -> String { SoakPost(number, seed: seed).json(url) + "\n" }

  private func replace() throws {
    rest = nil
    isCut = false
    try Data(numbers.map(line).joined().utf8).write(
      to: URL(filePath: argument), options: .atomic)
  }

  private func append(_ text: String) throws {
    let descriptor = open(argument, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw SoakSystemError(call: "open") }
    defer { close(descriptor) }
    let written = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == text.utf8.count else { throw SoakSystemError(call: "write") }
  }
}

/// Posts with descending numbers; new ones come on top, old ones are removed.
final class ReplacedFeed: SoakSource {
  let argument: String
  private let seed: UInt64
  private let url: (String) -> String
  private var numbers = 0..<80

  init(folder: TemporaryFolder, seed: UInt64, url: @escaping (String) -> String) throws {
    (self.seed, self.url) = (seed, url)
    argument = folder.path + "/tides.xml"
    try write(whole)
  }

  var lastPost: Int { numbers.lowerBound }
  func holds(_ post: Int) -> Bool { numbers.contains(post) }

  func change(_ random: inout SeededGenerator) throws -> String {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: return "nothing"
    case 8..<16:
      let new = Int.random(in: 1...5, using: &random)
      let end = numbers.upperBound + new
      numbers = max(numbers.lowerBound, end - 150)..<end
      try write(whole)
      return "\(new) items on top"
    case 16:
      // As by a writer that does not rename; the whole file follows at once.
      let text = whole
      try Data(text.utf8.prefix(text.utf8.count / 2)).write(to: URL(filePath: argument))
      try Data(text.utf8).write(to: URL(filePath: argument))
      return "written over in two steps"
    case 17:
      unlink(argument)
      try write(whole)
      return "deleted and remade"
    case 18:
      try Data().write(to: URL(filePath: argument))
      try write(whole)
      return "emptied and filled again"
    default:
      try write(whole)
      return "replaced by the same"
    }
  }

  private var whole: String {
    "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>Tides</title>\n"
      + numbers.reversed().map { SoakPost($0, seed: seed).rss(url) }.joined()
      + "</channel></rss>\n"
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: argument), options: .atomic)
  }
}

/// Posts with descending numbers on a server, twenty a page.
final class ServedPages: SoakSource, Sendable {
  let argument: String
  private let highest: Mutex<Int>

  init(server: SoakServer, seed: UInt64) {
    argument = server.server.url("/timeline")
    highest = Mutex(200)
    let url = { @Sendable [server = server.server] (path: String) in server.url(path) }
    server.setPages { [weak self] path in
      guard let self else { return nil }
      return self.page(path, seed: seed, url: url)
    }
  }

  var lastPost: Int { 0 }
  func holds(_ post: Int) -> Bool { true }

  func change(_ random: inout SeededGenerator) throws -> String {
    guard Int.random(in: 0..<3, using: &random) == 0 else { return "nothing" }
    let new = Int.random(in: 1...30, using: &random)
    highest.withLock { $0 += new }
    return "\(new) posts on top"
  }

  private func page(_ path: String, seed: UInt64, url: @Sendable (String) -> String) -> String? {
    let parts = path.split(separator: "?", maxSplits: 1)
    guard parts.first == "/timeline" else { return nil }
    let before = parts.dropFirst().first?.split(separator: "=").last.flatMap { Int($0) }
    let top = (before ?? highest.withLock { $0 } + 1) - 1
    let numbers = (max(0, top - 19)...max(0, top)).reversed()
    let last = numbers.last ?? 0
    let next = last > 0 ? "\"next_url\":\"/timeline?before=\(last)\"," : ""
    let items = numbers.filter { $0 % 41 != 40 }.map { SoakPost($0, seed: seed).json(url) }
    return "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"Served\",\(next)"
      + "\"items\":[\(items.joined(separator: ","))]}"
  }
}

/// A failed system call.
struct SoakSystemError: Error, CustomStringConvertible {
  let call: String
  let code = errno

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}
