import Feeds
import TestSupport
import Testing
import TimelineStore

@testable import Terminal

/// Which modules a key, a post's bytes and a picture's bytes pass through.
@Suite struct ModulePathTests {
  /// In a process of its own, as other tests unmap memory meanwhile; see ``ModulePath/images``.
  @Test func callsGoDownAndEnterEachModuleOnce() async {
    await #expect(processExitsWith: .success) {
      _ = ModulePath.images
      let paths = try await ModulePaths()
      try await paths.aKey()
      try await paths.thePostsBytes()
      try await paths.aPicturesBytes()
    }
  }
}

/// The paths through the modules: down from one to the next, into each once. Only values come up, to
/// the caller that asked or waits for them.
@MainActor private struct ModulePaths {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// From the pane that holds the list to the list.
  private static let list = "TerminalApp → TerminalViews"

  private func screen(posts count: Int, pictured: Bool = false) async throws -> RecordedScreen {
    let lines = (1...count).map { number in
      let image = pictured ? #","image":"http://pictures.example/p.png""# : ""
      return #"{"content_text":"post \#(number)"\#(image)}"# + "\n"
    }
    let path = try folder.write(lines.joined(), to: "posts.jsonl")
    let source = try MergedSource(
      .file(path), after: 0, format: nil, as: .styled, pictures: nil, transport: nil)
    return try await RecordedScreen(#require(source.reader), record: PathRecord())
  }

  /// Bytes → event → command → list; then the frame.
  func aKey() async throws {
    let screen = try await screen(posts: 200)
    screen.run()
    _ = screen.record.take()
    // The terminal's bytes are events before anybody else sees them.
    var parser = InputParser()
    let events = parser.feed(Array("j".utf8)).events
    #expect(events == [.key(.character("j"))])
    screen.send(events)
    #expect(
      screen.record.take() == [
        "identity: \(Self.list)",
        "frame: TerminalApp",
        "rows show: TerminalApp → TimelineUI",
      ])
  }

  /// Bytes → posts, before any view; then rows → cells → frame.
  func thePostsBytes() async throws {
    let screen = try await screen(posts: 3)
    #expect(
      screen.record.take() == [
        "posts: TimelineStore",
        // The first frame is laid out. The list's arithmetic asks for what it needs to know of a row.
        "cell: \(Self.list) → VirtualList → TerminalViews",
        "height: \(Self.list) → VirtualList → TerminalViews",
        "identity: \(Self.list) → VirtualList → TerminalViews",
        "identity: \(Self.list)",
      ])
    screen.run()
    #expect(screen.text.contains("post 1"))
    #expect(
      screen.record.take() == [
        "identity: \(Self.list)",
        "frame: TerminalApp",
        "rows show: TerminalApp → TimelineUI",
        // The rows around those are prepared.
        "identity: \(Self.list) → VirtualList → TerminalViews",
      ])
  }

  /// Request → bytes → header → pixels, off the screen; then the row's height, and the frame.
  func aPicturesBytes() async throws {
    let screen = try await screen(posts: 1, pictured: true)
    screen.run()
    _ = screen.record.take()
    await eventually {
      screen.run()
      return screen.hasPicture
    }
    let paths = Set(screen.record.take())
    #expect(
      paths.isSuperset(of: ["bytes: ImageLoading → HTTP", "decode: ImageLoading"]), "\(paths)")
    // Nothing below the store of pictures knows of rows, and nobody takes the bytes but the loader.
    let beyond = paths.filter { !$0.contains("ImageLoading") }
    #expect(
      beyond.isSubset(of: [
        // The end of the source.
        "posts: TimelineStore",
        "height: \(Self.list)",
        "cell: \(Self.list) → VirtualList → TerminalViews",
        "height: \(Self.list) → VirtualList → TerminalViews",
        "identity: \(Self.list)",
        "identity: \(Self.list) → VirtualList → TerminalViews",
        "frame: TerminalApp",
        "rows show: TerminalApp → TimelineUI",
      ]), "\(beyond)")
    #expect(beyond.contains { $0.hasPrefix("height:") })
  }
}
