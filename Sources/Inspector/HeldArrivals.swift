import ImageLoading
import TerminalViews

/// The arrivals of pictures that are held back for the user, who admits them one by one.
@MainActor struct HeldArrivals {
  private let loader: ImageLoader
  /// The address of a cell's only picture; `nil` if it has none or several.
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

  /// Admits all, unless arrivals were paused before the inspector was opened.
  func end() {
    if !wasPausedAtStart { loader.gate.resume() }
  }

  /// Admits one arrival: that of this cell's picture if it is held, else the oldest.
  ///
  /// - Returns: why no arrival was admitted; `nil` if one was.
  func admit(first cell: ListViewCell?) -> String? {
    if loader.admitNext(preferring: cell.flatMap(address)) { return nil }
    return isPaused ? "no picture is held back" : "p pauses arrivals first"
  }
}
