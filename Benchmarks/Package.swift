// swift-tools-version: 6.2
import PackageDescription

/// Benchmarks stand in a package of their own, so that the library's users never build them.
/// Run one with `swift run --package-path Benchmarks -c release SolverBenchmark`.
func library(_ name: String) -> Target.Dependency { .product(name: name, package: "tideline") }

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "tideline", path: "..")],
  targets: [
    .executableTarget(
      name: "SolverBenchmark",
      dependencies: [
        library("ConstraintSolver"), library("ConstraintLayout"), "CAllocationCount",
      ]),
    .target(name: "CAllocationCount"),
    .executableTarget(name: "HeightTreeBenchmark", dependencies: [library("VirtualList")]),
    .executableTarget(
      name: "ReadingBenchmark", dependencies: [library("Feeds"), library("TextLayout")]),
    .executableTarget(name: "WrappingBenchmark", dependencies: [library("TextLayout")]),
    .executableTarget(
      name: "SymbolsBenchmark", dependencies: ["BenchmarkPictures", library("Terminal")]),
    .target(name: "BenchmarkPictures", dependencies: [library("Pictures"), library("Terminal")]),
    .executableTarget(
      name: "FrameBenchmark",
      dependencies: [
        library("Terminal"), library("TerminalViews"), library("TextLayout"),
        library("VirtualList"),
      ]),
    .executableTarget(name: "ScrollBarBenchmark", dependencies: [library("VirtualList")]),
    // Start the built program, and link none of its libraries.
    .executableTarget(name: "FeedBenchmark", dependencies: ["TerminalSession"]),
    .executableTarget(name: "SearchBenchmark", dependencies: ["TerminalSession"]),
    .executableTarget(name: "LibraryBenchmark", dependencies: ["TerminalSession"]),
    .executableTarget(name: "ProgramBenchmark", dependencies: ["TerminalSession"]),
    .executableTarget(
      name: "PictureBenchmark",
      dependencies: ["TerminalSession", "BenchmarkPictures", "CPictureEncoding"]),
    .systemLibrary(name: "CPictureEncoding"),
    // A program in a terminal, as the user has it.
    .target(name: "TerminalSession", dependencies: ["CPseudoTerminal"]),
    .systemLibrary(name: "CPseudoTerminal"),
  ],
  swiftLanguageModes: [.v6]
)
