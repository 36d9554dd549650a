// swift-tools-version: 6.2
import PackageDescription

/// Programs that know the package from outside, each with its own look at what it is for.
/// Run one with `swift run --package-path Examples LogViewer FILE`.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "tideline", path: "..")],
  targets: [
    .executableTarget(name: "LogViewer", dependencies: [.terminalApp]),
    // The same file where everything is the main actor's unless told otherwise.
    .executableTarget(
      name: "IsolatedLogViewer", dependencies: [.terminalApp],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static let terminalApp = Target.Dependency.product(name: "TerminalApp", package: "tideline")
}
