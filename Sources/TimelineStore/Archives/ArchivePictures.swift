import Dispatch
import HTTP
import Synchronization

/// The archives that are open, for whoever shows their pictures.
///
/// A picture of an archive has an address of its own, `archive:1/media_attachments/…`, which a
/// transport of
/// this type answers and no other can. Nothing but a post of a file or pipe gets an answer.
public final class ArchivePictures: Sendable {
  private struct State {
    var numbers: [String: Int] = [:]
    var archives: [Int: Archive] = [:]
  }

  private static let scheme = "archive:"

  private let state = Mutex(State())
  /// Reading may wait for a disk, which no thread of tasks should.
  private let queue = DispatchQueue(label: "tideline.archive-pictures")

  /// None yet.
  public init() {}

  /// - Returns: what addresses of the archive's files begin with; the same for each archive of a
  /// source,
  ///   of which the last one counts.
  func add(_ archive: Archive, of source: String) -> String {
    state.withLock { state in
      let number = state.numbers[source] ?? state.numbers.count + 1
      state.numbers[source] = number
      state.archives[number] = archive
      return "\(Self.scheme)\(number)/"
    }
  }

  /// A transport that reads what is in an archive, and leaves all else to another one.
  public func transport(over others: any HTTPTransport) -> any HTTPTransport {
    ArchiveTransport(pictures: self, others: others)
  }

  /// Nil of what is no address of this type.
  fileprivate func file(at url: String) -> (archive: Archive?, path: String)? {
    guard url.hasPrefix(Self.scheme) else { return nil }
    let rest = url.dropFirst(Self.scheme.count)
    guard let slash = rest.firstIndex(of: "/") else { return (nil, String(rest)) }
    let number = Int(rest[..<slash])
    let archive = state.withLock { state in number.flatMap { state.archives[$0] } }
    return (archive, String(rest[rest.index(after: slash)...]))
  }

  fileprivate func read(_ path: String, of archive: Archive, limit: Int) async -> Result<
    [UInt8], HTTPError
  > {
    await withCheckedContinuation { continuation in
      queue.async {
        do throws(HTTPError) {
          continuation.resume(returning: .success(try archive.read(path, limit: limit)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
  }
}

private struct ArchiveTransport: HTTPTransport {
  let pictures: ArchivePictures
  let others: any HTTPTransport

  func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
    guard let (archive, path) = pictures.file(at: request.url) else {
      return try await others.send(request)
    }
    // What came from a server does not lead to files.
    guard request.reach >= .privateAddresses else { throw .unsupportedScheme("archive") }
    guard let archive else { throw .notInArchive(path: path) }
    let bytes = try await pictures.read(
      path, of: archive, limit: request.limits.maximumBytes
    ).get()
    let headers: HTTPHeaders = ["Content-Length": "\(bytes.count)"]
    return (
      HTTPResponse(status: 200, headers: headers, url: request.url), HTTPBody(WholeBody(bytes))
    )
  }
}

/// Bytes that are there.
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
