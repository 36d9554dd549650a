import HTTP
import Synchronization
import Testing

@testable import Answers

@Suite struct AnswerBodyTests {
  /// Sends chunks, and then the end or an error.
  private final class Chunks: HTTPBodySource {
    private let left: Mutex<[[UInt8]]>
    private let error: HTTPError?

    init(_ chunks: [[UInt8]], error: HTTPError? = nil) {
      left = Mutex(chunks)
      self.error = error
    }

    func next() async throws(HTTPError) -> [UInt8]? {
      let chunk = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if chunk == nil, let error { throw error }
      return chunk
    }

    func cancel() {}
  }

  private let chunks = [Array("ebb ".utf8), Array("flood ".utf8), Array("slack".utf8)]

  @Test func aBodyIsReadToItsEnd() async throws {
    let body = AnswerBody(HTTPBody(Chunks(chunks)), mayBePartial: false)
    var bytes: [UInt8] = []
    let endsEarly = try await body.read(into: &bytes, atLeast: 5)
    #expect(!endsEarly && String(decoding: bytes, as: UTF8.self) == "ebb flood ")
    body.putBack(bytes)
    bytes = []
    let ends = try await body.read(into: &bytes, atLeast: 100)
    #expect(ends && String(decoding: bytes, as: UTF8.self) == "ebb flood slack")
    #expect(body.breakage == nil)
  }

  @Test func aPartialBodyIsReturnedAndSaysWhyItEnds() async throws {
    let body = AnswerBody(HTTPBody(Chunks(chunks, error: .timeout(seconds: 3))), mayBePartial: true)
    var bytes: [UInt8] = []
    let ends = try await body.read(into: &bytes, atLeast: 100)
    #expect(ends && String(decoding: bytes, as: UTF8.self) == "ebb flood slack")
    #expect(body.takeBreakage() == .timeout(seconds: 3))
    #expect(body.takeBreakage() == nil)
  }

  @Test(arguments: [(false, HTTPError.timeout(seconds: 3)), (true, .cancelled)])
  func otherBodiesFail(mayBePartial: Bool, error: HTTPError) async {
    let body = AnswerBody(HTTPBody(Chunks(chunks, error: error)), mayBePartial: mayBePartial)
    await #expect(throws: AnswerFailure.self) {
      while try await !body.next().isEmpty {}
    }
  }
}
