// swift-tools-version: 6.2
import PackageDescription

/// What `rounded()` calls. Whoever imports the C library has it linked; these modules do not.
let rounding = [LinkerSetting.linkedLibrary("m")]

/// Of C that reads what strangers have made. The compiler checks only what it optimizes.
let hardened = [CSetting.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

/// Modules stand here in the order of their layers: each imports only what stands above it.
/// `Tests/ArchitectureTests` holds every `import` against Documentation/Architecture.md.
let package = Package(
  name: "tideline",
  products: [
    .executable(name: "tideline", targets: ["tideline"]),
    .executable(name: "tideline-decoder", targets: ["PictureDecoder"]),
    // Each with the modules whose types its symbols name.
    .library(name: "ConstraintSolver", targets: ["ConstraintSolver"]),
    .library(
      name: "ConstraintLayout", targets: ["ConstraintLayout", "ConstraintSolver", "Geometry"]),
    .library(name: "VirtualList", targets: ["VirtualList"]),
    .library(
      name: "ImageLoading",
      targets: ["ImageLoading", "HTTP", "HTTPTransport", "HTTPCache", "ImageDecoding", "Pixels"]),
    .library(name: "TextLayout", targets: ["TextLayout", "Geometry"]),
    .library(name: "Terminal", targets: ["Terminal", "Geometry", "TextLayout", "Pixels"]),
    .library(
      name: "TerminalViews",
      targets: [
        "TerminalViews", "Terminal", "ConstraintLayout", "ConstraintSolver", "VirtualList",
        "TextLayout", "Geometry", "Pixels",
      ]),
    .library(name: "TerminalApp", targets: ["TerminalApp", "TerminalViews"]),
    .library(name: "Pictures", targets: ["Pictures", "TerminalApp", "ImageLoading"]),
    .library(name: "Feeds", targets: ["Feeds", "TextLayout", "HTTP"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
  ],
  targets: [
    // C libraries of the system. `Scripts/setup` installs what is missing.
    .systemLibrary(
      name: "CNcurses", path: "Sources/CLibraries/CNcurses",
      providers: [.apt(["libncurses-dev"]), .yum(["ncurses-devel"]), .brew(["ncurses"])]),
    .systemLibrary(
      name: "CFriBidi", path: "Sources/CLibraries/CFriBidi",
      providers: [.apt(["libfribidi-dev"]), .yum(["fribidi-devel"]), .brew(["fribidi"])]),
    .systemLibrary(
      name: "CUnistring", path: "Sources/CLibraries/CUnistring",
      providers: [
        .apt(["libunistring-dev"]), .yum(["libunistring-devel"]), .brew(["libunistring"]),
      ]),
    // Those with a table of functions (`library.h`) are opened when they are first used.
    .systemLibrary(
      name: "CXML2", path: "Sources/CLibraries/CXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .yum(["libxml2-devel"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/CLibraries/CSQLite",
      providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CTurboJPEG", path: "Sources/CLibraries/CTurboJPEG",
      providers: [.apt(["libturbojpeg0-dev"]), .yum(["turbojpeg-devel"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/CLibraries/CZlib",
      providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CVTerm", path: "Sources/CLibraries/CVTerm",
      providers: [.apt(["libvterm-dev"]), .yum(["libvterm-devel"]), .brew(["libvterm"])]),
    .systemLibrary(name: "CTimers", path: "Sources/CLibraries/CTimers"),
    .target(name: "CTerminalRestoration", path: "Sources/CLibraries/CTerminalRestoration"),
    // Opens libcurl at run time; linking it would triple the time before `main`.
    .target(name: "CCurl", path: "Sources/CLibraries/CCurl"),
    .target(name: "CChildProcess", path: "Sources/CLibraries/CChildProcess"),
    .target(name: "CThreads", path: "Sources/CLibraries/CThreads"),
    .target(name: "CJobPool", dependencies: ["CThreads"], path: "Sources/CLibraries/CJobPool"),
    .target(name: "CMainLoop", path: "Sources/CLibraries/CMainLoop"),
    .target(name: "CProcessStart", path: "Sources/CLibraries/CProcessStart"),
    // Scaling and the codecs, and the program that has nothing else. They open libraries when these
    // are first used.
    .target(name: "CBoxFilter", path: "Sources/CLibraries/CBoxFilter", cSettings: hardened),
    .target(
      name: "CPictureDecoding", dependencies: ["CBoxFilter"],
      path: "Sources/CLibraries/CPictureDecoding", cSettings: hardened),
    .target(
      name: "CDecoderChannel", dependencies: ["CPictureDecoding"],
      path: "Sources/CLibraries/CDecoderChannel", cSettings: hardened),
    .executableTarget(
      name: "PictureDecoder", dependencies: ["CPictureDecoding", "CDecoderChannel"],
      path: "Sources/CLibraries/PictureDecoder", cSettings: hardened),

    .target(name: "System", dependencies: ["CThreads", "CChildProcess", "CTimers"]),

    // Values and algorithms: no terminal, no network.
    .target(name: "Caches"),
    .target(name: "Geometry"),
    .target(name: "ConstraintSolver"),
    .target(name: "VirtualList"),
    .target(name: "Pixels", dependencies: ["System", "CBoxFilter"], linkerSettings: rounding),

    // The network and pictures.
    .target(name: "HTTP", dependencies: ["System"]),
    .target(name: "HTTPTransport", dependencies: ["System", "HTTP", "CCurl"]),
    .target(name: "HTTPCache", dependencies: ["System", "HTTP"]),
    .target(name: "ImageLoading", dependencies: ["Caches", "HTTP", "HTTPCache", "Pixels"]),
    .target(
      name: "ImageDecoding",
      dependencies: ["System", "ImageLoading", "Pixels", "CPictureDecoding", "CDecoderChannel"]),

    // Text, posts and layout.
    .target(name: "TextLayout", dependencies: ["System", "Geometry", "CFriBidi", "CUnistring"]),
    .target(name: "Feeds", dependencies: ["System", "HTTP", "TextLayout", "CXML2"]),
    .target(name: "Answers", dependencies: ["System", "HTTP", "Feeds", "CZlib"]),
    .target(
      name: "ConstraintLayout", dependencies: ["System", "Geometry", "ConstraintSolver"],
      linkerSettings: rounding),

    // Feeds that are followed.
    .target(name: "Library", dependencies: ["System", "CSQLite"]),

    // The terminal and what is shown on it.
    .target(
      name: "Terminal",
      dependencies: [
        "System", "Geometry", "TextLayout", "Pixels", "CNcurses", "CZlib",
        "CTerminalRestoration", "CMainLoop",
      ]),
    .target(
      name: "TerminalViews",
      dependencies: [
        "Geometry", "VirtualList", "Pixels", "TextLayout", "ConstraintLayout", "Terminal",
      ]),
    .target(
      name: "TerminalApp",
      dependencies: [
        "System", "Geometry", "VirtualList", "TextLayout", "ConstraintLayout", "Terminal",
        "TerminalViews",
      ]),
    .target(
      name: "Pictures",
      dependencies: [
        "Caches", "Geometry", "Pixels", "HTTP", "HTTPTransport", "ImageLoading", "ImageDecoding",
        "Terminal", "TerminalViews", "TerminalApp",
      ]),
    .target(
      name: "Inspector",
      dependencies: [
        "System", "Geometry", "VirtualList", "ImageLoading", "TextLayout", "ConstraintLayout",
        "Terminal", "TerminalViews", "TerminalApp", "Pictures",
      ]),

    // Feeds that are followed.
    .target(
      name: "Subscriptions",
      dependencies: ["System", "HTTP", "TextLayout", "Feeds", "Answers", "Library"]),

    // The timeline.
    .target(
      name: "TimelineStore",
      dependencies: [
        "System", "Caches", "VirtualList", "HTTP", "TextLayout", "Feeds", "Answers", "Library",
        "Subscriptions",
      ]),
    .target(
      name: "TimelineUI",
      dependencies: [
        "System", "Geometry", "VirtualList", "Pixels", "HTTP", "ImageLoading", "TextLayout",
        "Feeds", "Library", "ConstraintLayout", "Terminal", "TerminalViews", "TerminalApp",
        "Pictures", "Subscriptions", "TimelineStore",
      ]),

    // The program.
    // In C, since Swift targets with resources link all of Foundation.
    .target(
      name: "DemoFiles", path: "Resources", exclude: ["README.md"], sources: ["Files"],
      resources: [.copy("Content")], publicHeadersPath: "Files/include"),
    .target(
      name: "DemoContent", dependencies: ["DemoFiles"], path: "Resources",
      exclude: ["README.md", "Content", "Files"]),
    .target(
      name: "Demos",
      dependencies: [
        "System", "Geometry", "VirtualList", "Pixels", "HTTP", "ImageLoading", "TextLayout",
        "Feeds", "ConstraintLayout", "Terminal", "TerminalViews", "TerminalApp", "Pictures",
        "Inspector", "TimelineStore", "TimelineUI", "DemoContent", "CTurboJPEG",
      ]),
    .executableTarget(
      name: "tideline",
      dependencies: [
        "System", "Geometry", "HTTP", "HTTPTransport", "HTTPCache", "ImageLoading",
        "ImageDecoding", "TextLayout", "Feeds", "Answers", "Library", "Subscriptions",
        "ConstraintLayout", "Terminal", "TerminalViews", "TerminalApp", "Pictures", "Inspector",
        "TimelineStore", "TimelineUI",
        "DemoContent", "Demos", "CJobPool",
        "CProcessStart",
        // Built with it, to be started by it; not linked.
        "PictureDecoder",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["CVTerm", "CTestProcess", "CZlib"],
      path: "Tests/TestSupport"),
    .target(name: "CTestProcess", path: "Tests/CTestProcess"),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], exclude: ["Goldens"]),
    .testTarget(name: "CachesTests", dependencies: ["Caches", "TestSupport"]),
    .testTarget(name: "GeometryTests", dependencies: ["Geometry", "TestSupport"]),
    .testTarget(name: "ConstraintSolverTests", dependencies: ["ConstraintSolver", "TestSupport"]),
    .testTarget(
      name: "ConstraintLayoutTests",
      dependencies: ["ConstraintLayout", "Geometry", "TestSupport"]),
    .testTarget(name: "VirtualListTests", dependencies: ["VirtualList", "TestSupport"]),
    .testTarget(name: "PixelsTests", dependencies: ["Pixels", "TestSupport"]),
    .testTarget(
      name: "ImageLoadingTests",
      dependencies: [
        "HTTP", "HTTPTransport", "HTTPCache", "ImageLoading", "ImageDecoding", "Pixels",
        "TestSupport", "PictureDecoder", "DecoderTestProgram",
      ]),
    .executableTarget(
      name: "DecoderTestProgram", dependencies: ["CPictureDecoding", "CDecoderChannel"],
      path: "Tests/DecoderTestProgram"),
    .testTarget(
      name: "HTTPCacheTests", dependencies: ["System", "HTTP", "HTTPCache", "TestSupport"]),
    .testTarget(name: "TextLayoutTests", dependencies: ["TextLayout", "TestSupport"]),
    .testTarget(name: "FeedsTests", dependencies: ["Feeds", "HTTP", "TextLayout", "TestSupport"]),
    .testTarget(
      name: "LibraryTests",
      dependencies: ["Library", "System", "CSQLite", "TestSupport", "LibraryTestProgram"]),
    .executableTarget(
      name: "LibraryTestProgram", dependencies: ["Library", "System"],
      path: "Tests/LibraryTestProgram"),
    .testTarget(
      name: "SubscriptionsTests",
      dependencies: [
        "Subscriptions", "System", "HTTP", "HTTPTransport", "Feeds", "Library", "TestSupport",
      ]),
    .testTarget(name: "AnswersTests", dependencies: ["Answers", "HTTP", "TestSupport"]),
    .testTarget(
      name: "TerminalTests",
      dependencies: [
        "Terminal", "Geometry", "Pixels", "TextLayout", "TestSupport", "TerminalTestProgram",
      ]),
    .executableTarget(
      name: "TerminalTestProgram",
      dependencies: [
        "System", "Terminal", "TerminalViews", "TerminalApp", "TextLayout", "Geometry", "CJobPool",
      ], path: "Tests/TerminalTestProgram"),
    .testTarget(
      name: "TerminalViewsTests",
      dependencies: [
        "TerminalViews", "Terminal", "VirtualList", "ConstraintLayout", "Geometry", "TextLayout",
        "Pixels", "TestSupport",
      ]),
    .testTarget(
      name: "TerminalAppTests",
      dependencies: [
        "System", "TerminalApp", "Pictures", "TerminalViews", "Terminal", "ConstraintLayout",
        "Geometry", "TextLayout", "HTTP", "ImageLoading", "ImageDecoding", "Pixels", "TestSupport",
      ]),
    // Runs what `Examples/` builds, where it was built; `.ci/run examples`.
    .testTarget(name: "ExampleTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "InspectorTests",
      dependencies: [
        "Inspector", "TerminalApp", "Pictures", "ImageLoading", "HTTP", "Pixels", "TerminalViews",
        "Terminal", "VirtualList", "ConstraintLayout", "Geometry", "TextLayout", "TestSupport",
      ]),
    .testTarget(
      name: "TimelineStoreTests",
      dependencies: [
        "System", "TimelineStore", "Feeds", "Answers", "HTTP", "HTTPTransport", "Library",
        "Subscriptions", "TextLayout", "VirtualList", "TestSupport",
      ]),
    .testTarget(
      name: "TimelineUITests",
      dependencies: [
        "TimelineUI", "TimelineStore", "Subscriptions", "Feeds", "Library", "TerminalApp",
        "TerminalViews", "Terminal", "Pictures", "ImageLoading", "HTTP", "Pixels", "VirtualList",
        "Geometry", "TextLayout", "TestSupport",
      ], exclude: ["Library/Goldens"]),
    .testTarget(
      name: "DemosTests",
      dependencies: [
        "Demos", "Pictures", "TimelineUI", "DemoContent", "TerminalApp", "TerminalViews",
        "Terminal", "VirtualList", "ConstraintLayout", "Geometry", "HTTP", "HTTPTransport",
        "ImageDecoding", "ImageLoading", "Pixels", "TextLayout", "TestSupport",
      ]),
    // The whole program in terminals of its own.
    .testTarget(
      name: "ProgramCommandTests", dependencies: ["tideline", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(
      name: "ProgramEndingTests", dependencies: ["tideline", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(name: "ProgramTerminalTests", dependencies: ["tideline", "TestSupport"]),
    .testTarget(
      name: "ProgramReadingTests", dependencies: ["tideline", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(
      name: "ProgramSourceTests", dependencies: ["tideline", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(
      name: "ProgramPictureTests", dependencies: ["tideline", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(name: "ProgramGraphicsTests", dependencies: ["tideline", "TestSupport"]),
    .testTarget(
      name: "ProgramLayoutTests", dependencies: ["tideline", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(
      name: "ProgramDemoTests", dependencies: ["tideline", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "ModulePathTests",
      dependencies: [
        "TimelineUI", "TimelineStore", "Feeds", "TextLayout", "Pictures", "ImageLoading", "HTTP",
        "Pixels", "TerminalApp", "TerminalViews", "Terminal", "ConstraintLayout", "VirtualList",
        "Geometry", "TestSupport", "CTestProcess",
      ]),
    // `Scripts/soak`.
    .executableTarget(
      name: "Soak",
      dependencies: [
        "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tests/Soak"),
    .testTarget(name: "SoakTests", dependencies: ["Soak", "TestSupport"]),
    // Compiles the fuzz targets and replays kept inputs; `Fuzz/` itself is another package.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "ConstraintSolver", "VirtualList", "Pixels", "HTTP", "HTTPTransport", "ImageLoading",
        "ImageDecoding", "TextLayout", "Feeds", "Terminal",
      ], path: "Fuzz/Sources", exclude: ["Fuzz", "CFuzzer"],
      sources: ["FuzzTargets", "ReplayTests"]),
  ],
  swiftLanguageModes: [.v6]
)
