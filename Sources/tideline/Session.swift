import Demos
import FoundationEssentials
import HTTP
import HTTPCache
import ImageDecoding
import ImageLoading
import Inspector
import Library
import Logging
import Pictures
import Subscriptions
import System
import Terminal
import TerminalApp
import TerminalViews
import TextLayout
import TimelineStore
import TimelineUI

/// An interactive run: connects the screen, the fetch queue and the content.
@MainActor struct Session {
  private let display: DisplayRequest
  private let trace: TraceWriter?
  private let logger: Logger
  /// The number of lines about the configuration on standard error at most.
  private static let maximumProblems = 20

  init(display: DisplayRequest, trace: TraceWriter?) {
    self.display = display
    self.trace = trace
    logger = Logger(label: "tideline")
  }

  /// Shows the timeline until the reader leaves it.
  ///
  /// - Returns: the exit status.
  func show(
    _ opening: Opening, filter: PostQuery?, notices: [String]
  ) async throws -> Int32 {
    let store = try opening.store()
    if let filter { store.show(fitting: filter, around: 0..<0) }
    try await showing(store, of: opening) { () throws(SourceError) in try store.prepare() }
    // The bundled timeline can replace another one at any time.
    let network = opening.network.transport()
    let transport = DemoTransport(
      seed: 1, others: opening.pictures?.transport(over: network) ?? network)
    var keeper: PlaceWriter?
    var shown: PostListContent?
    var last: RememberedPlace?
    defer { keep(last, by: keeper) }
    let atEnd = { last = shown?.currentPlace }
    return try await run(transport: transport, notices: notices, atEnd: atEnd) { pictures, end in
      // The first posts were read while the screen was opened.
      try await showing(store, of: opening) { () throws(SourceError) in try await store.open() }
      let places = placeFiles
      let name = store.isReplacement ? nil : opening.placeName
      let place = name.flatMap { places?.place(of: $0) }
      keeper = places.flatMap { files in
        name.map { PlaceWriter(files: files, source: $0, place: place) }
      }
      let content = PostListContent(
        store: store, source: opening.name, pictures: pictures, clock: .system, place: place,
        threads: ThreadReader(transport: network), directory: store.directory)
      shown = content
      if let keeper { content.onRest = { keeper.keep($0) } }
      content.onFirstPost = { [weak store] in
        if store?.isReplacement == false { remember(opening.restorableSources) }
      }
      content.onFailure = { [weak store] failure in
        guard let store, opening.isRemembered, !store.isReplacement else { return end(failure) }
        showBundled(in: store, because: failure)
      }
      return content
    }
  }

  /// Shows a library until the reader leaves it. What was stored shows at once; feeds that are due
  /// are fetched meanwhile.
  ///
  /// - Returns: the exit status.
  func show(_ opening: LibraryOpening, filter: PostQuery?) async throws -> Int32 {
    let parts = opening.screen(trace: trace)
    let settings = opening.settings
    settings.onChange = { [unowned settings] in
      opening.library.keepDays = settings.keepDays
      parts.refresher.start(by: settings)
    }
    let key = opening.selection.rawValue
    do throws(LibraryError) {
      try await parts.library.load(keys: [key])
    } catch {
      throw SourceError(error)
    }
    let store = parts.library.timeline(of: opening.selection.scope, key: key)
    if let filter { store.show(fitting: filter, around: 0..<0) }
    let network = opening.network.transport()
    var keeper: PlaceWriter?
    var shown: PostListContent?
    var last: RememberedPlace?
    defer { keep(last, by: keeper) }
    let atEnd = {
      // The reader may leave the top before the screen is idle.
      shown?.didComeToRest()
      last = shown?.currentPlace
    }
    let status = try await run(transport: network, settings: settings, atEnd: atEnd) {
      pictures, _ in
      try await store.open()
      let places = placeFiles
      let place = places?.place(of: opening.placeName)
      keeper = places.map { PlaceWriter(files: $0, source: opening.placeName, place: place) }
      let content = PostListContent(
        store: store, source: opening.selection.rawValue, pictures: pictures, clock: .system,
        place: place, threads: ThreadReader(transport: network), directory: parts.feeds)
      shown = content
      if let keeper { content.onRest = { keeper.keep($0) } }
      parts.refresher.start(by: settings)
      return content
    }
    parts.refresher.stop()
    do throws(LibraryError) {
      try await parts.library.finish {
        Program.tell("waiting until the marks can be written; Ctrl-C leaves without them")
      }
    } catch {
      Program.tell("not all marks are kept: \(error)")
      if status == 0 { return Program.Status.ioError }
    }
    return status
  }

  /// Performs a step of opening; if the last timeline fails, shows the bundled one.
  private func showing(
    _ store: TimelineStore, of opening: Opening, _ step: () async throws(SourceError) -> Void
  ) async throws(SourceError) {
    do throws(SourceError) {
      try await step()
    } catch {
      guard opening.isRemembered, !store.isReplacement else { throw error }
      showBundled(in: store, because: error)
    }
  }

  /// The files with places; `nil` if none are kept.
  private var placeFiles: PlaceStore? {
    display.noState ? nil : UserFolder.state.map { PlaceStore(folder: $0 + "/places") }
  }

  /// Keeps the place where the reader leaves; a failure is reported but does not fail the run.
  private func keep(_ place: RememberedPlace?, by keeper: PlaceWriter?) {
    guard let keeper, let place else { return }
    keeper.keep(place)
    keeper.finish(now: Int(Date().timeIntervalSince1970))
    guard let failure = keeper.failure else { return }
    logger.warning("the place is not kept: \(failure)")
    Program.tell("where you were is not kept: \(failure)")
  }

  /// Replaces a timeline that has nothing to show with the bundled one.
  private func showBundled(in store: TimelineStore, because reason: SourceError) {
    store.replace(with: BundledReader(showsPictures: true), because: reason)
  }

  /// Shows the list of demos until the reader has chosen one or leaves it.
  ///
  /// - Parameter last: the demo to select.
  /// - Returns: the demo, and the exit status if there is none.
  func chooseDemo(selecting last: Demo?) async throws -> (demo: Demo?, status: Int32) {
    let (menu, status) = try await choose { end in
      DemoMenu(selecting: last, onChoice: end)
    }
    return (menu.chosen, status)
  }

  /// Shows the feeds of a page until the reader has chosen one or leaves the list.
  ///
  /// - Returns: the feed, and the exit status if there is none.
  func chooseFeed(
    of feeds: [FoundFeed], namedBy page: String
  ) async throws -> (feed: FoundFeed?, status: Int32) {
    var chosen: FoundFeed?
    let (_, status) = try await choose { end in
      FeedMenu(feeds, of: page, placement: .screen) { _, feed in
        chosen = feed
        end()
      }
    }
    return (chosen, status)
  }

  /// Shows a menu, which ends itself by the function that it gets.
  private func choose<Menu: View>(
    _ makeMenu: (_ end: @escaping () -> Void) -> Menu
  ) async throws -> (menu: Menu, status: Int32) {
    weak var shown: TerminalApplication?
    let menu = makeMenu { shown?.end() }
    let screen = try TerminalApplication.openScreen(screenConfiguration)
    defer { screen.close() }
    let application = TerminalApplication(
      menu, on: screen, environment: ProcessEnvironment.variables)
    shown = application
    // What the file says of other screens is no problem here.
    if let file = display.configuration { application.load(file) }
    if let theme = display.theme { application.useTheme(named: theme) }
    return (menu, await application.run())
  }

  private var screenConfiguration: ScreenConfiguration {
    var configuration = ScreenConfiguration(environment: ProcessEnvironment.variables)
    configuration.colorMode = display.color
    configuration.pictureMode = display.pictures
    return configuration
  }

  /// Shows a demo until the reader leaves it.
  ///
  /// - Returns: the exit status.
  func show(_ demo: Demo, options: DemoOptions) async throws -> Int32 {
    var options = options
    if demo == .queue, options.pictures.areBuiltIn { options.clock = DemoClock(isPaused: true) }
    let (clock, shown) = (options.clock, options)
    let transport: any HTTPTransport =
      if let clock {
        DemoTransport(seed: options.seed, clock: clock)
      } else if options.pictures.areBuiltIn {
        DemoTransport(seed: options.seed)
      } else {
        Network(
          configuredBy: display.configuration, logins: [options.pictures.login].compactMap(\.self)
        ).transport()
      }
    return try await run(
      transport: transport, configuration: demo.loaderConfiguration, keepsCells: demo.keepsCells,
      keepsFiles: demo != .queue, monitor: { demo.monitor(of: $0, pictures: $1, clock: clock) },
      content: { pictures, _ in try demo.content(pictures: pictures, options: shown) })
  }

  private func run(
    transport: any HTTPTransport,
    configuration: ImageLoaderConfiguration = ImageLoaderConfiguration(), keepsCells: Bool = true,
    keepsFiles: Bool = true, notices: [String] = [], settings: LibrarySettings = LibrarySettings(),
    atEnd: () -> Void = {},
    monitor makeMonitor: (ListScreen, PictureStore) -> MonitorPanel? = { _, _ in nil },
    content makeContent:
      @MainActor (
        PictureStore, _ end: @escaping @MainActor (SourceError) -> Void
      ) async throws -> any ListContent
  ) async throws -> Int32 {
    var configuration = configuration
    configuration.usesCache = configuration.usesCache && !display.noImageCache
    let loader = ImageLoader(
      configuration: configuration, transport: transport, decoder: decoder,
      disk: keepsFiles ? pictureCache : nil)
    traceFetches(of: loader)
    let screenConfiguration = screenConfiguration
    // The terminal answers while the content is read and prepared.
    let terminal = try PendingScreen(screenConfiguration)
    defer { terminal.cancel() }
    LayoutSetup.report(to: logger)
    let pictures = PictureStore(
      loader: loader, renderer: terminal.pictures,
      keepsCells: keepsCells && !display.noImageCache)
    var failure: SourceError?
    weak var shown: TerminalApplication?
    let content = try await makeContent(pictures) { error in
      failure = error
      shown?.end(error.exitStatus)
    }
    let listScreen = ListScreen(content: content, trace: trace)
    let layoutTrace = trace.map { trace in
      ConstraintTrace(of: listScreen.listView) { change in
        trace.write(
          event: "constraint",
          """
          "row":\(change.row),"label":\(TraceWriter.quoted(change.label)),\
          "active":\(change.isActive),"constant":\(RowLayout.number(change.constant))
          """)
      }
    }
    let screen = TerminalApplication.open(terminal)
    defer { screen.close() }
    screen.onPictureMethodChange = { pictures.methodDidChange() }
    let application = TerminalApplication(
      listScreen, on: screen, environment: screenConfiguration.environment)
    shown = application
    application.add(pictures)
    if let layoutTrace { application.add(layoutTrace) }
    if display.noAnimation { application.reducesMotion = true }
    let setup = ScreenSetup(
      screen: listScreen, pictures: pictures, names: SourceNames(),
      monitor: makeMonitor(listScreen, pictures), library: settings, file: display.configuration)
    setup.add(to: application)
    let problems = display.configuration.map { application.load($0) } ?? []
    // Options take precedence over the configuration.
    if let theme = display.theme { application.useTheme(named: theme) }
    for notice in notices { application.tell(notice) }
    let status = await application.run()
    // The list still exists.
    atEnd()
    screen.close()
    problems.prefix(Self.maximumProblems).forEach(Program.tell)
    if let failure { throw failure }
    return status
  }

  /// Decodes pictures in the separate program installed with this one, or in this process if that
  /// program is missing.
  private var decoder: SystemImageDecoder {
    let logger = logger
    return SystemImageDecoder(program: .installed { logger.warning("\(Sanitizer.line($0))") })
  }

  /// The pictures kept for later runs; failures to keep them are logged.
  private var pictureCache: HTTPCache? {
    guard !display.noImageCache else { return nil }
    let logger = logger
    return PictureCache.path(in: display.cacheDir).map { path in
      HTTPCache(path: path) { logger.warning("pictures are not kept: \($0)") }
    }
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

  /// Remembers the sources; a failure is only logged.
  private func remember(_ sources: [TimelineSource]?) {
    guard let sources, !display.noState else { return }
    let problem: String?
    do throws(SystemFailure) {
      problem = try LastTimeline.save(sources)
    } catch {
      problem = error.message
    }
    if let problem { logger.warning("the last timeline is not remembered: \(problem)") }
  }
}
