import Geometry
import Pictures
import Pixels
import Terminal
import TerminalApp
import TerminalViews
import TextLayout

/// The pictures of a post in full size, one at a time, with their descriptions below.
@MainActor final class PictureViewer: View, Responder, StatusProviding {
  private let pictures: [ViewedPicture]
  private let title: String
  private let picture: FullPictureView
  private let caption: Label
  private var index = 0
  /// Whether a key has asked for the picture while it was loading.
  private var isAwaited = false
  private(set) lazy var commands = CommandTable(of: self, Self.moves + Self.actions)

  /// The largest size of a description in lines and columns: longer lines are hard to read.
  private static let captionLines = 6
  private static let captionColumns = 96
  /// The columns and rows that a key moves by.
  private static let step = Size(width: 4, height: 2)
  /// More columns, rows and steps than any picture has.
  private static let farthest = 1 << 20

  /// - Parameters:
  ///   - title: the name in the status line.
  ///   - index: the first picture shown, counted from 0; limited to the last one.
  init(
    _ pictures: [ViewedPicture], startingAt index: Int, title: String, store: PictureStore
  ) {
    self.pictures = pictures
    self.title = Sanitizer.line(title)
    picture = FullPictureView(store: store)
    caption = Label(name: "description", numberOfLines: Self.captionLines)
    super.init(name: "viewer")
    addSubview(picture)
    addSubview(caption)
    show(max(0, min(index, self.pictures.count - 1)))
  }

  private func show(_ index: Int) {
    (self.index, isAwaited) = (index, false)
    let shown = pictures[index]
    picture.scale = .fitting
    picture.show(shown.url, reach: shown.reach)
    caption.text = StyledText(shown.alternativeText, style: .secondary)
    arrange()
    setNeedsDisplay()
  }

  /// Moves forwards by `count` pictures, or backwards if negative.
  private func go(by count: Int) -> CommandOutcome {
    let next = max(0, min(index.addingReportingOverflow(count).partialValue, pictures.count - 1))
    guard next != index else {
      return .refused(count > 0 ? "the last picture" : "the first picture")
    }
    show(next)
    return .done
  }

  // MARK: Layout

  override var frame: Rect {
    didSet { if frame.size != oldValue.size { arrange() } }
  }

  /// The description takes the lines it needs, up to a third; the picture takes the rest.
  private func arrange() {
    let columns = max(1, min(frame.width - 2, Self.captionColumns))
    let lines =
      caption.text.isEmpty ? 0 : caption.intrinsicHeight(forWidth: columns) ?? 0
    let below = frame.height < 4 ? 0 : min(lines, frame.height / 3)
    picture.frame = Rect(x: 0, y: 0, width: frame.width, height: max(0, frame.height - below))
    caption.frame = Rect(
      x: max(0, (frame.width - columns) / 2), y: frame.height - below, width: columns,
      height: below)
  }

  // MARK: Commands

  private static let moves: [Command<PictureViewer>] = [
    Command(
      "next", "j", "down", "ctrl-n", help: "next picture; one shown in its own size moves",
      maximumAtOnce: .max
    ) { viewer, call in viewer.move(call, columns: 0, rows: step.height, by: 1) },
    Command("previous", "k", "up", "ctrl-p", help: "previous picture, or up", maximumAtOnce: .max) {
      viewer, call in viewer.move(call, columns: 0, rows: -step.height, by: -1)
    },
    Command("move-right", "l", "right", help: "next picture, or to the right", maximumAtOnce: .max)
    {
      viewer, call in viewer.move(call, columns: step.width, rows: 0, by: 1)
    },
    Command(
      "move-left", "h", "left", help: "previous picture, or to the left", maximumAtOnce: .max
    ) { viewer, call in viewer.move(call, columns: -step.width, rows: 0, by: -1) },
    Command("line-down", "ctrl-e", "wheel-down", help: "", maximumAtOnce: .max) { viewer, call in
      viewer.pan(call, columns: 0, rows: 1)
    },
    Command("line-up", "ctrl-y", "wheel-up", help: "", maximumAtOnce: .max) { viewer, call in
      viewer.pan(call, columns: 0, rows: -1)
    },
    Command("half-page-down", "ctrl-d", help: "half a screen down", maximumAtOnce: .max) {
      viewer, call in viewer.pan(call, columns: 0, rows: viewer.picture.frame.height / 2)
    },
    Command("half-page-up", "ctrl-u", help: "half a screen up", maximumAtOnce: .max) {
      viewer, call in viewer.pan(call, columns: 0, rows: -viewer.picture.frame.height / 2)
    },
    Command("page-down", "space", "page-down", help: "next picture, or a screen down") {
      viewer, call in
      viewer.move(call, columns: 0, rows: viewer.picture.frame.height, by: 1)
    },
    Command("page-up", "b", "page-up", "ctrl-b", help: "previous picture, or a screen up") {
      viewer, call in
      viewer.move(call, columns: 0, rows: -viewer.picture.frame.height, by: -1)
    },
    Command("top", "g", "home", help: "first picture, or the upper left corner") {
      viewer, call in
      if let count = call.count { return viewer.go(by: count - 1 - viewer.index) }
      guard viewer.picture.canMove else { return viewer.go(by: -viewer.index) }
      _ = viewer.picture.move(columns: -farthest, rows: -farthest)
      return .done
    },
    Command("end", "G", "end", help: "last picture, or the lower right corner") { viewer, call in
      if let count = call.count { return viewer.go(by: count - 1 - viewer.index) }
      guard viewer.picture.canMove else { return viewer.go(by: viewer.pictures.count) }
      _ = viewer.picture.move(columns: farthest, rows: farthest)
      return .done
    },
    Command("next-picture", "n", help: "next picture", maximumAtOnce: .max) {
      viewer, call in viewer.go(by: call.times)
    },
    Command("previous-picture", "p", "N", help: "previous picture", maximumAtOnce: .max) {
      viewer, call in viewer.go(by: -call.times)
    },
  ]

  private static let actions: [Command<PictureViewer>] = [
    Command("zoom", "z", "enter", help: "pixel for pixel; the whole picture again") {
      viewer, _ in viewer.zoom()
    },
    Command("open-link", "o", help: "open the page it is on") { viewer, _ in
      let shown = viewer.pictures[viewer.index]
      let picture = Link(shown.url, text: "", mediaType: "image/")
      viewer.application?.open(shown.page.map { Link($0) } ?? picture)
    },
    Command("copy-link", "y", help: "copy the picture's address") { viewer, _ in
      viewer.application?.copyAddress(of: Link(viewer.pictures[viewer.index].url, text: ""))
    },
    Command("retry-pictures", "R", help: "try a picture again that could not be had") {
      viewer, _ in viewer.picture.tryAgain() ? .done : .refused("it has not failed")
    },
    Command("close", "q", "m", "escape", help: "back to the same line") { viewer, _ in
      viewer.picture.clear()
      viewer.application?.window.dismiss(viewer)
    },
  ]

  /// Moves the picture if parts of it are out of view, else goes to another one.
  private func move(
    _ call: CommandCall, columns: Int, rows: Int, by count: Int
  ) -> CommandOutcome {
    guard picture.canMove else { return go(by: count * min(call.times, pictures.count)) }
    return pan(call, columns: columns, rows: rows)
  }

  private func pan(_ call: CommandCall, columns: Int, rows: Int) -> CommandOutcome {
    let times = min(call.times, Self.farthest)
    return picture.move(columns: columns * times, rows: rows * times) ? .done : .exhausted
  }

  private func zoom() -> CommandOutcome {
    isAwaited = picture.state == .loading
    // The status says so, and no longer when the picture has arrived.
    guard !isAwaited else { return .done }
    guard picture.state == .loaded else { return .refused("the picture is not there") }
    picture.scale = picture.scale == .fitting ? .actual : .fitting
    return .done
  }

  // MARK: Status

  var canBeFocused: Bool { true }

  var status: StatusBar.Content {
    var status = StatusBar.Content()
    status.source = title
    status.position = position
    if picture.state == .loading {
      status.activity = "↓ 1 picture"
      if isAwaited { status.message = "the picture is still loading" }
    }
    let zoomed = picture.scale == .fitting ? "pixel for pixel" : "whole picture"
    let turning: [(name: String, keys: KeySequence)] =
      pictures.count > 1 ? [("next-picture", "n"), ("previous-picture", "p")] : []
    status.hint =
      application?.keyHint([
        (turning, "pictures"), ([("zoom", "z")], zoomed), ([("open-link", "o")], "its page"),
      ]) ?? ""
    status.persistentHint =
      application?.keyHint([([("help", "?")], "help"), ([("close", "q")], "back")]) ?? ""
    return status
  }

  private var position: String {
    var parts = ["picture \(index + 1) of \(pictures.count)"]
    if let size = picture.pixelSize { parts.append("\(size.width)x\(size.height)") }
    if picture.scale == .actual {
      let reduced = picture.reducedSize.map { " of \($0.width)x\($0.height)" } ?? ""
      parts.append("pixel for pixel\(reduced)")
    }
    return parts.joined(separator: " · ")
  }

  var helpNotes: [String] {
    ["The post's pictures, whole or one pixel for one of the terminal's."]
  }
}
