// swift-tools-version: 6.2
import PackageDescription

/// Benchmarks stand in a package of their own, so that the library's users never build them.
/// Run one with `swift run --package-path Benchmarks -c release SolverBenchmark`.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "tideline", path: "..")],
  targets: [
    .executableTarget(
      name: "SolverBenchmark",
      dependencies: [
        .product(name: "ConstraintSolver", package: "tideline"),
        .product(name: "ConstraintLayout", package: "tideline"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
