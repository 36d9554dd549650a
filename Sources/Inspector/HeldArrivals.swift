import ImageLoading
import TerminalViews

/// The pictures that are held back for the user, who lets them in one by one.
@MainActor struct HeldArrivals {
  private let loader: ImageLoader
  /// The address of a cell's only picture.
  private let address: (ListViewCell) -> String?
  /// Whether pictures were held back before the inspector was opened.
  let wasPausedAtStart: Bool

  init(of loader: ImageLoader, address: @escaping (ListViewCell) -> String?) {
    (self.loader, self.address) = (loader, address)
    wasPausedAtStart = loader.gate.isPaused
  }

  var isPaused: Bool { loader.gate.isPaused }
  var count: Int { loader.gate.heldCount }

  func toggle() { isPaused ? loader.gate.resume() : loader.gate.pause() }

  /// Lets all in, unless they were held back from the start.
  func end() {
    if !wasPausedAtStart { loader.gate.resume() }
  }

  /// Lets one arrival in: of this cell's picture if that has come, else the oldest.
  ///
  /// - Returns: the reason why there is none.
  func admit(first cell: ListViewCell?) -> String? {
    if loader.admitNext(preferring: cell.flatMap(address)) { return nil }
    return isPaused ? "no picture is held back" : "p pauses arrivals first"
  }
}
