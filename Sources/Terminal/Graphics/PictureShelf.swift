import Synchronization

/// What terminals need to draw the pictures that are in use, by the number their cells name.
///
/// Pictures are made on any thread and shown on the main actor, so the shelf is locked.
final class PictureShelf: Sendable {
  /// What a terminal is sent for a picture.
  enum Graphic: Sendable {
    case sixel(SixelPicture)
    case kitty(KittyPicture)

    var byteCount: Int {
      switch self {
      case .sixel(let picture): picture.byteCount
      case .kitty(let picture): picture.byteCount
      }
    }
  }

  private struct State {
    var graphics: [UInt32: Graphic] = [:]
    var last: UInt32 = 0
    var gone: [UInt32] = []
  }

  private let state = Mutex(State())

  /// Keeps `graphic` for as long as the lease lives.
  func put(_ graphic: Graphic) -> PictureLease {
    let id = state.withLock { state in
      repeat { state.last &+= 1 } while state.last == 0 || state.graphics[state.last] != nil
      state.graphics[state.last] = graphic
      return state.last
    }
    return PictureLease(id: id, byteCount: graphic.byteCount, shelf: self)
  }

  /// - Complexity: O(1).
  func graphic(_ id: UInt32) -> Graphic? { state.withLock { $0.graphics[id] } }

  /// True while no picture is in use that a terminal draws.
  var isEmpty: Bool { state.withLock { $0.graphics.isEmpty } }

  /// The numbers of pictures that went out of use since the last call.
  func takeGone() -> [UInt32] {
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

/// Holds a place on a ``PictureShelf`` and gives it back when the last reference goes.
final class PictureLease: Sendable {
  let id: UInt32
  let byteCount: Int
  private let shelf: PictureShelf

  fileprivate init(id: UInt32, byteCount: Int, shelf: PictureShelf) {
    self.id = id
    self.byteCount = byteCount
    self.shelf = shelf
  }

  deinit { shelf.remove(id) }
}
