/// Holds back what has arrived for pictures, so that it can be let in one by one.
///
/// 1. Open, it lets everything through at once; nothing is stored.
/// 2. Paused, it keeps arrivals in their order. Nothing of them is seen anywhere: neither handlers
///    nor caches know of them.
/// 3. Arrivals for a picture that nobody wants any more are dropped when their turn comes.
@MainActor package final class ArrivalGate {
  /// True between `pause()` and `resume()`.
  package private(set) var isPaused = false
  private var held: [(picture: UInt64, perform: () -> Void)] = []
  /// Whether a picture is still wanted.
  private let isWanted: (UInt64) -> Bool
  /// Called when something was held back.
  private let didHold: () -> Void

  init(isWanted: @escaping (UInt64) -> Bool, didHold: @escaping () -> Void) {
    self.isWanted = isWanted
    self.didHold = didHold
  }

  /// Arrivals that wait and are still wanted: sizes, pictures and failures.
  ///
  /// - Complexity: O(n) in the arrivals held.
  package var heldCount: Int { held.count { isWanted($0.picture) } }

  /// Holds back what arrives from now on.
  package func pause() { isPaused = true }

  /// Lets in all that waits, in its order, and everything from then on.
  package func resume() {
    isPaused = false
    while admitNext() {}
  }

  /// Lets the oldest arrival in.
  ///
  /// - Returns: false where none waits.
  @discardableResult package func admitNext() -> Bool {
    while !held.isEmpty {
      let (picture, perform) = held.removeFirst()
      guard isWanted(picture) else { continue }
      perform()
      return true
    }
    return false
  }

  /// Whether something of a picture waits.
  func holds(_ picture: UInt64) -> Bool { held.contains { $0.picture == picture } }

  func pass(_ picture: UInt64, _ perform: @escaping () -> Void) {
    // While held arrivals are being let in, what they cause must not overtake them.
    guard isPaused || !held.isEmpty else { return perform() }
    held.append((picture, perform))
    if isPaused { didHold() }
  }
}
