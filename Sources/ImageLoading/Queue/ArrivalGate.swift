/// Holds back the arrivals of pictures, so that they can be admitted one by one.
///
/// 1. While open, it lets everything through at once; nothing is stored.
/// 2. While paused, it keeps arrivals in their order. They have no effect: neither handlers nor
///    caches receive them.
/// 3. Arrivals for a picture that is no longer wanted are dropped when their turn comes.
@MainActor package final class ArrivalGate {
  /// True between `pause()` and `resume()`.
  package private(set) var isPaused = false
  /// The arrivals, each with the ID of its picture, the oldest first.
  private var held: [(picture: UInt64, perform: () -> Void)] = []
  /// Whether the picture with an ID is still wanted.
  private let isWanted: (UInt64) -> Bool
  /// Called when an arrival was held back.
  private let didHold: () -> Void

  init(isWanted: @escaping (UInt64) -> Bool, didHold: @escaping () -> Void) {
    self.isWanted = isWanted
    self.didHold = didHold
  }

  /// Number of held arrivals that are still wanted: sizes, pictures and failures.
  ///
  /// - Complexity: O(n) in the arrivals held.
  package var heldCount: Int { held.count { isWanted($0.picture) } }

  /// Holds back arrivals from now on.
  package func pause() { isPaused = true }

  /// Admits all held arrivals in their order, and everything from then on.
  ///
  /// - Complexity: O(n²) in the arrivals held.
  package func resume() {
    isPaused = false
    while admitNext() {}
  }

  /// Admits the oldest arrival of the picture `preferred`, or else the oldest of any picture.
  ///
  /// - Returns: false if none is held.
  /// - Complexity: O(n) in the arrivals held.
  @discardableResult package func admitNext(of preferred: UInt64? = nil) -> Bool {
    if let preferred, isWanted(preferred),
      let index = held.firstIndex(where: { $0.picture == preferred })
    {
      held.remove(at: index).perform()
      return true
    }
    while !held.isEmpty {
      let (picture, perform) = held.removeFirst()
      guard isWanted(picture) else { continue }
      perform()
      return true
    }
    return false
  }

  /// Whether an arrival of a picture is held.
  func holds(_ picture: UInt64) -> Bool { held.contains { $0.picture == picture } }

  /// Performs an arrival of a picture, at once or when it is admitted.
  func pass(_ picture: UInt64, _ perform: @escaping () -> Void) {
    // While held arrivals are being admitted, the arrivals that they cause must not overtake them.
    guard isPaused || !held.isEmpty else { return perform() }
    held.append((picture, perform))
    if isPaused { didHold() }
  }
}
