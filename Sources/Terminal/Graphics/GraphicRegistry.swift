import Synchronization

/// The graphics of the pictures in use, by the ids that their cells hold.
///
/// Pictures are rendered on any thread and shown on the main actor, so the state is locked.
final class GraphicRegistry: Sendable {
  /// The data from which a terminal draws a picture.
  enum Graphic: Sendable {
    /// Painted over its cells whenever they have been written.
    case painted(any PaintedPicture)
    /// Transmitted once, and drawn in place of characters.
    case transmitted(KittyPicture)

    var byteCount: Int {
      switch self {
      case .painted(let picture): picture.byteCount
      case .transmitted(let picture): picture.byteCount
      }
    }
  }

  private struct State {
    var graphics: [UInt32: Graphic] = [:]
    var last: UInt32 = 0
    var gone: [UInt32] = []
  }

  private let state = Mutex(State())

  /// Stores `graphic` until the last reference to the returned registration goes.
  func put(_ graphic: Graphic) -> GraphicRegistration {
    let id = state.withLock { state in
      repeat { state.last &+= 1 } while state.last == 0 || state.graphics[state.last] != nil
      state.graphics[state.last] = graphic
      return state.last
    }
    return GraphicRegistration(id: id, byteCount: graphic.byteCount, shelf: self)
  }

  /// - Complexity: O(1).
  func graphic(_ id: UInt32) -> Graphic? { state.withLock { $0.graphics[id] } }

  /// Whether no picture that a terminal draws is in use.
  var isEmpty: Bool { state.withLock { $0.graphics.isEmpty } }

  /// The ids of pictures that went out of use since the last call.
  func takeReleasedIDs() -> [UInt32] {
    state.withLock { state in
      defer { state.gone.removeAll() }
      return state.gone
    }
  }

  fileprivate func remove(_ id: UInt32) {
    state.withLock { state in
      state.graphics[id] = nil
      state.gone.append(id)
    }
  }
}

/// Keeps an entry of a ``GraphicRegistry`` and removes it when the last reference goes.
final class GraphicRegistration: Sendable {
  let id: UInt32
  let byteCount: Int
  private let shelf: GraphicRegistry

  fileprivate init(id: UInt32, byteCount: Int, shelf: GraphicRegistry) {
    self.id = id
    self.byteCount = byteCount
    self.shelf = shelf
  }

  deinit { shelf.remove(id) }
}
