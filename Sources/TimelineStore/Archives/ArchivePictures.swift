import HTTP
import Synchronization
import System

/// The open archives, and the transport that loads their pictures.
///
/// A picture of an archive has an address such as `archive:1/media_attachments/…`, which only a
/// transport of this type can load, and only for a post of a file or pipe.
package final class ArchivePictures: Sendable {
  private struct State {
    var numbers: [String: Int] = [:]
    var archives: [Int: Archive] = [:]
  }

  private static let scheme = "archive:"

  private let state = Mutex(State())
  /// Reading may wait for a disk, which must not block a thread of Swift's tasks.
  fileprivate let thread = WorkerThreads(limit: 1)

  /// Creates a registry without archives.
  package init() {}

  /// - Returns: the prefix of the addresses of the archive's files. All archives of a source have
  ///   the same prefix; the last one is used.
  func add(_ archive: Archive, of source: String) -> String {
    state.withLock { state in
      let number = state.numbers[source] ?? state.numbers.count + 1
      state.numbers[source] = number
      state.archives[number] = archive
      return "\(Self.scheme)\(number)/"
    }
  }

  /// A transport that reads files of archives, and passes all other requests to `others`.
  package func transport(over others: any HTTPTransport) -> any HTTPTransport {
    ArchiveTransport(pictures: self, others: others)
  }

  /// The file that an address names; `nil` if `url` has another scheme.
  fileprivate func file(at url: String) -> (archive: Archive?, path: String)? {
    guard url.hasPrefix(Self.scheme) else { return nil }
    let rest = url.dropFirst(Self.scheme.count)
    guard let slash = rest.firstIndex(of: "/") else { return (nil, String(rest)) }
    let number = Int(rest[..<slash])
    let archive = state.withLock { state in number.flatMap { state.archives[$0] } }
    return (archive, String(rest[rest.index(after: slash)...]))
  }
}

private struct ArchiveTransport: HTTPTransport {
  let pictures: ArchivePictures
  let others: any HTTPTransport

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    guard let (archive, path) = pictures.file(at: request.url) else {
      return try await others.send(request)
    }
    // Links from a server must not lead to files.
    guard request.reach >= .privateAddresses else { throw .unsupportedScheme("archive") }
    guard let archive else { throw .notInArchive(path: path) }
    let limit = request.limits.maximumBytes
    let bytes = try await pictures.thread.value {
      Result { () throws(HTTPError) in try archive.read(path, limit: limit) }
    }.get()
    let headers: HTTPHeaders = ["Content-Length": "\(bytes.count)"]
    return (
      HTTPResponse(status: 200, headers: headers, url: request.url), HTTPBody(WholeBody(bytes))
    )
  }
}

/// A body whose bytes are in memory.
private final class WholeBody: HTTPBodySource {
  private let rest: Mutex<[UInt8]>

  init(_ bytes: [UInt8]) { rest = Mutex(bytes) }

  func next() async throws(HTTPError) -> [UInt8]? {
    rest.withLock { rest in
      defer { rest = [] }
      return rest.isEmpty ? nil : rest
    }
  }

  func cancel() { rest.withLock { $0 = [] } }
}
