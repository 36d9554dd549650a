import ImageLoading
import Pixels
import Testing

/// Records the events of requests, and waits for them.
@MainActor final class EventLog {
  private(set) var lines: [String] = []
  private(set) var images: [String: LoadedImage] = [:]
  private var watchers:
    [(condition: ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
      []

  func handler(_ name: String) -> @MainActor (ImageEvent) -> Void {
    { [self] event in
      switch event {
      case .size(let size): add("\(name) size \(size.width)x\(size.height)")
      case .image(let image):
        images[name] = image
        add("\(name) image")
      case .failure(let error): add("\(name) failure \(error)")
      }
    }
  }

  func add(_ line: String) {
    lines.append(line)
    let ready = watchers.filter { $0.condition(lines) }
    watchers.removeAll { $0.condition(lines) }
    for watcher in ready { watcher.continuation.resume() }
  }

  func until(_ condition: @escaping ([String]) -> Bool) async {
    await withCheckedContinuation { continuation in
      if condition(lines) { return continuation.resume() }
      watchers.append((condition, continuation))
    }
  }

  /// Waits for `line`, or for an unexpected failure, which it reports.
  func until(_ line: String) async {
    let name = line.prefix { $0 != " " }
    await until { $0.contains { $0 == line || $0.hasPrefix("\(name) failure") } }
    guard !lines.contains(line) else { return }
    Issue.record("waiting for \"\(line)\": \(lines)")
  }
}
