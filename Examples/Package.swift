// swift-tools-version: 6.2
import PackageDescription

/// Programs that know the package from outside, each with its own look at what it is for.
/// Run one with `swift run --package-path Examples LogViewer FILE`.

/// The libraries, each of which has an example on its page.
let products = [
  "ConstraintSolver", "ConstraintLayout", "VirtualList", "ImageLoading", "TextLayout", "Terminal",
  "TerminalViews", "Pictures", "Feeds",
]

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "tideline", path: "..")],
  targets: [
    .executableTarget(name: "LogViewer", dependencies: [.terminalApp]),
    // The same file where everything is the main actor's unless told otherwise.
    .executableTarget(
      name: "IsolatedLogViewer", dependencies: [.terminalApp],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    // Pictures, and rows that arrive while one reads.
    .executableTarget(
      name: "Chat",
      dependencies: [.terminalApp, .product(name: "Pictures", package: "tideline")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    // No list at all: boxes, bars and a field.
    .executableTarget(name: "Dashboard", dependencies: [.terminalApp]),
  ]
    // The examples of the libraries' pages, word for word.
    + products.map {
      .executableTarget(
        name: "\($0)Example", dependencies: [.product(name: $0, package: "tideline")],
        path: "Sources/Products/\($0)")
    },
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static let terminalApp = Target.Dependency.product(name: "TerminalApp", package: "tideline")
}
