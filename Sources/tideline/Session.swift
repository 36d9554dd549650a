import Demos
import FoundationEssentials
import HTTPTransport
import ImageDecoding
import ImageLoading
import Logging
import Terminal
import TerminalViews
import TextLayout
import Timeline

/// One interactive run: the screen, the fetch queue and what is shown, wired together.
@MainActor struct Session {
  private let display: DisplayRequest
  private let trace: TraceWriter?
  private let logger: Logger

  /// - Throws: `LogFile.Failure` for a file that cannot be written.
  init(display: DisplayRequest, trace: TraceWriter?) throws {
    self.display = display
    self.trace = trace
    try LogFile.install(path: display.logFile)
    logger = Logger(label: "tideline")
  }

  /// Shows the timeline until the reader leaves it.
  ///
  /// - Returns: the exit status.
  func show(_ opening: Opening) async throws -> Int32 {
    // The process ends with the session, and the server with it.
    let base = opening.isBundled ? try await DemoServer(seed: 1).start() : nil
    let store = opening.store(base: base)
    try await store.open()
    return try await run(onFirstFrame: remembering(opening.memorable)) { pictures in
      PostListContent(
        store: store, source: opening.name, pictures: pictures,
        now: Date().timeIntervalSince1970)
    }
  }

  /// Shows a demo until the reader leaves it.
  ///
  /// - Returns: the exit status.
  func show(_ demo: Demo, options: DemoOptions) async throws -> Int32 {
    let base = try await DemoServer(seed: options.seed).start()
    return try await run(
      configuration: demo.loaderConfiguration, keepsCells: demo.keepsCells
    ) { pictures in
      try demo.content(pictures: pictures, base: base, options: options)
    }
  }

  private func run(
    configuration: ImageLoaderConfiguration = ImageLoaderConfiguration(), keepsCells: Bool = true,
    onFirstFrame: @escaping @MainActor () -> Void = {},
    content makeContent: (PictureStore) throws -> any ListContent
  ) async throws -> Int32 {
    var configuration = configuration
    configuration.usesCache = configuration.usesCache && !display.noImageCache
    let loader = ImageLoader(
      configuration: configuration,
      transport: CurlTransport(userAgent: "tideline/\(Program.version)"),
      decoder: SystemImageDecoder())
    traceFetches(of: loader)
    var screenConfiguration = ScreenConfiguration(environment: ProcessInfo.processInfo.environment)
    screenConfiguration.colorMode = display.color
    screenConfiguration.pictureMode = display.pictures
    let screen = try Screen(screenConfiguration)
    defer { screen.close() }
    LayoutSetup.adopt(screen.capabilities, logger: logger)
    let pictures = PictureStore(
      loader: loader, renderer: screen.pictures,
      keepsCells: keepsCells && !display.noImageCache)
    screen.onPictureMethodChange = { pictures.methodDidChange() }
    let content = try makeContent(pictures)
    let listScreen = ListScreen(screen: screen, content: content, trace: trace)
    listScreen.onFirstFrame = onFirstFrame
    listScreen.animatesScrolling =
      !display.noAnimation && screenConfiguration.environment["SSH_CONNECTION"] == nil
    var failure: SourceError?
    (content as? PostListContent)?.onFailure = { error in
      failure = error
      listScreen.end(error.exitStatus)
    }
    let status = await listScreen.run()
    screen.close()
    if let failure { throw failure }
    if let failure = trace?.failure { throw failure }
    return status
  }

  private func traceFetches(of loader: ImageLoader) {
    let (trace, logger) = (trace, logger)
    loader.onTrace = { event in
      logger.debug("\(event.state.rawValue) \(Sanitizer.line(event.url))")
      trace?.write(
        event: "fetch",
        """
        "url":\(TraceWriter.quoted(event.url)),"state":"\(event.state.rawValue)",\
        "priority":"\(event.priority)","bytes":\(event.bytes)
        """)
    }
  }

  /// Not being able to remember the timeline is no reason not to show it.
  private func remembering(_ sources: [TimelineSource]?) -> @MainActor () -> Void {
    {
      guard let sources else { return }
      do {
        try LastTimeline.save(sources)
      } catch {
        logger.warning("the last timeline is not remembered: \(error)")
      }
    }
  }
}
