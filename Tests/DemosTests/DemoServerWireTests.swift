import Glibc
import Testing

@testable import Demos

/// What the demo server says to clients that are no browser.
@Suite(.timeLimit(.minutes(10))) struct DemoServerWireTests {
  /// Sends the texts one after the other and returns all that comes until the server hangs up.
  private func talk(_ texts: [String]) async throws -> String {
    let server = try DemoServer(latency: DemoServerLatency(seed: 1) { _ in })
    let base = try await server.start()
    let port = try #require(base.split(separator: ":").last.flatMap { UInt16($0) })
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(client, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0)
    for text in texts {
      let bytes = Array(text.utf8)
      #expect(send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      answer += buffer.prefix(count)
    }
    await server.stop()
    return String(decoding: answer, as: UTF8.self)
  }

  @Test func otherMethodsAreRefused() async throws {
    for method in ["HEAD", "POST", "DELETE"] {
      let answer = try await talk(["\(method) /pictures/tide-staff.gif HTTP/1.1\r\n\r\n"])
      #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("\r\nAllow: GET\r\n"))
    }
  }

  @Test func nonsenseIsAnsweredAndHungUpOn() async throws {
    for text in ["nonsense\r\n\r\n", String(repeating: "x", count: DemoServerRequest.limit)] {
      #expect(try await talk([text]).hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test func requestsFollowEachOtherOnAConnection() async throws {
    let answer = try await talk([
      "GET /no", "ne HTTP/1.1\r\n\r\nGET /flaky/2x2/1.png HTTP/1.1\r\n", "\r\n",
      "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
    ])
    let statuses = answer.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }
    #expect(
      statuses.map { $0.split(separator: " ")[1] } == ["404", "503", "404"], "\(answer)")
  }
}
