// swift-tools-version: 6.2
import PackageDescription

/// Fuzzing stands in a package of its own, as it is built with an instrumentation that nothing else
/// wants. `Scripts/fuzz` builds and runs it. The targets are a library: `Tests` of the program's own
/// package compile them too and replay what was found (`FuzzTests`).
func library(_ name: String) -> Target.Dependency { .product(name: name, package: "tideline") }

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "tideline", path: "..")],
  targets: [
    .target(
      name: "FuzzTargets",
      dependencies: [
        library("ConstraintSolver"), library("VirtualList"), library("ImageLoading"),
        library("TextLayout"), library("Terminal"), library("Feeds"),
      ]),
    .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets", "CFuzzer"]),
    // What libFuzzer and the instrumentation offer.
    .target(name: "CFuzzer"),
  ],
  swiftLanguageModes: [.v6]
)
