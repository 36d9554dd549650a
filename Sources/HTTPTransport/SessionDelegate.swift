import Foundation
import FoundationNetworking
import HTTP
import Synchronization

/// Hands what the session reports to the exchange of the task it is about.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: Exchange]>([:])

  func add(_ exchange: Exchange, for task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  private func exchange(of task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  static func isWebScheme(_ scheme: String) -> Bool {
    let lower = scheme.lowercased()
    return lower == "http" || lower == "https"
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // The new request is no witness: the session gives another scheme's path to the old host.
    let location = response.value(forHTTPHeaderField: "Location").flatMap { URL(string: $0) }
    exchange(of: task)?.redirect(
      to: request, scheme: location?.scheme ?? request.url?.scheme ?? "", completionHandler)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(of: dataTask)?.receive(response, completionHandler)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.receive([UInt8](data))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    exchange?.complete(error)
  }
}
