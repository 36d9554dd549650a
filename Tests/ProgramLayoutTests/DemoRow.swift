import Foundation
import TestSupport

/// A row of a demo as `--frames` prints it.
struct DemoRow: Decodable, Sendable {
  struct Frame: Decodable, Hashable, Sendable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    var isEmpty: Bool { width <= 0 || height <= 0 }
  }

  struct Constraint: Decodable, Sendable {
    let label: String
    let relation: String
    let multiplier: Double
    let constant: Double
    let priority: Int
    let active: Bool
    let source: String?
  }

  let row: Int
  let width: Int
  let height: Int
  let measuredBy: String
  let activeBottom: String
  let views: [String: Frame]
  let constraints: [Constraint]
  let broken: [Constraint]

  /// Runs `tideline demo NAME --frames` and decodes its output.
  static func rows(of demo: String, _ arguments: [String], home: TemporaryFolder) async throws
    -> [DemoRow]
  {
    let result = try await ProgramUnderTest.run(
      ["demo", demo, "--frames"] + arguments, home: home)
    return try result.text.split(separator: "\n").map {
      try JSONDecoder().decode(DemoRow.self, from: Data($0.utf8))
    }
  }
}
