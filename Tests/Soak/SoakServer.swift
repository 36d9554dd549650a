import FoundationEssentials
import Synchronization
import TestSupport

/// Serves pictures and pages badly: late, in part, not at all, or with other content.
///
/// Delayed answers wait for ``release()``; after that, no answer waits until ``hold()``.
final class SoakServer: Sendable {
  private struct State {
    var random: SeededGenerator
    var gate = ServerGate()
    var pages: (@Sendable (String) -> String?)?
  }

  let server: MisbehavingServer
  private let pictures: [[UInt8]]
  private let avatars: [[UInt8]]
  private let state: Mutex<State>

  /// - Throws: `ServerSocketError`, or the error of reading the bundled pictures.
  init(seed: UInt64) throws {
    server = try MisbehavingServer()
    let folder = PackageFiles.root + "/Resources/Content/pictures"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let read = { (name: String) in try PackageFiles.bytes(at: folder + "/" + name) }
    pictures = try names.filter { !$0.hasPrefix("avatar") }.map(read)
    avatars = try names.filter { $0.hasPrefix("avatar") }.map(read)
    state = Mutex(State(random: SeededGenerator(seed: seed)))
    server.answer { [weak self] in self?.answer($0) }
  }

  /// From now on answers may wait.
  func hold() { state.withLock { $0.gate = ServerGate() } }

  /// Releases the waiting answers; none waits until ``hold()``.
  func release() { state.withLock { $0.gate.open() } }

  /// Sets the function that returns the JSON of a timeline's page by its path.
  func setPages(_ pages: @escaping @Sendable (String) -> String?) {
    state.withLock { $0.pages = pages }
  }

  func stop() {
    release()
    server.stop()
  }

  private func answer(_ path: String) -> [MisbehavingServer.Step]? {
    state.withLock { state in
      let parts = path.split(separator: "/")
      if parts.count == 2, let number = Int(parts[1]) {
        switch parts[0] {
        case "p": return picture(pictures[number % pictures.count], &state)
        case "a": return picture(avatars[number % avatars.count], &state)
        default: return nil
        }
      }
      guard let body = state.pages?(path) else { return nil }
      return page(Array(body.utf8), path: path, &state)
    }
  }

  private func picture(_ body: [UInt8], _ state: inout State) -> [MisbehavingServer.Step] {
    let part = Int.random(in: 0...body.count, using: &state.random)
    let gate = state.gate
    let next = "/p/\(Int.random(in: 0..<SoakPost.pictureCount, using: &state.random))"
    switch Int.random(in: 0..<40, using: &state.random) {
    case 0..<14: return MisbehavingServer.Step.response(type: "image/png", body: body)
    case 14..<20: return MisbehavingServer.Step.held(body, after: part, by: gate)
    case 20..<25: return [.wait(gate)] + MisbehavingServer.Step.response(body: body)
    case 25..<27: return MisbehavingServer.Step.redirect(to: next)
    case 27: return MisbehavingServer.Step.redirect(to: "http://\u{1b}[31m/%zz")
    case 28: return [.head(length: body.count), .send(Array(body.prefix(part)))]
    case 29: return [.head(length: body.count), .send(Array(body.prefix(part))), .wait(gate)]
    case 30: return [.wait(gate)]
    case 31: return MisbehavingServer.Step.response(status: 404, body: Array("no \u{1b}[2J".utf8))
    case 32: return MisbehavingServer.Step.response(status: 503)
    case 33: return MisbehavingServer.Step.response(type: "image/png", body: body.reversed())
    case 34: return [.send(Array("SSH-2.0-tide\r\n".utf8))]
    case 35:
      return [.send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".utf8))]
    case 36:
      let chunks = body.prefix(2_000).flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
      return [
        .send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)), .send(chunks),
        .wait(gate),
      ]
    case 37: return [.head(length: 1 << 40), .send(body), .wait(gate)]
    case 38: return MisbehavingServer.Step.response(body: [])
    default:
      var damaged = body
      for _ in 0..<8 where !damaged.isEmpty {
        let place = Int.random(in: 0..<damaged.count, using: &state.random)
        damaged[place] = UInt8.random(in: 0...255, using: &state.random)
      }
      return MisbehavingServer.Step.response(body: damaged)
    }
  }

  /// The first page of a timeline always arrives in the end; other pages may fail.
  private func page(
    _ body: [UInt8], path: String, _ state: inout State
  ) -> [MisbehavingServer.Step] {
    let honest = MisbehavingServer.Step.response(type: "application/json", body: body)
    let gate = state.gate
    switch Int.random(in: 0..<12, using: &state.random) {
    case 0: return [.wait(gate)] + honest
    case 1: return MisbehavingServer.Step.held(body, after: body.count / 2, by: gate)
    case 2 where path.contains("?"):
      return MisbehavingServer.Step.response(status: 500, type: "text/html", body: [0x3C])
    case 3 where path.contains("?"):
      return [.head(status: 429, length: 0, fields: [("Retry-After", "1")])]
    case 4 where path.contains("?"):
      return MisbehavingServer.Step.response(body: Array(body.prefix(body.count / 2)))
    case 5 where path.contains("?"): return [.wait(gate)]
    default: return honest
    }
  }
}
