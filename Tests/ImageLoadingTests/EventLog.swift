import ImageLoading
import Pixels

/// What requests heard, and a way to wait for it.
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
    if condition(lines) { return }
    await withCheckedContinuation { watchers.append((condition, $0)) }
  }

  func until(_ line: String) async { await until { $0.contains(line) } }
}
