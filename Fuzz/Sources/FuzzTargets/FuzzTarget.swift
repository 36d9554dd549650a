/// A part of the program that takes bytes from others, and what must hold whatever they are.
///
/// A target takes any bytes at all. It throws a ``Finding`` where something does not hold; what
/// traps, hangs or takes too much memory is for whoever runs it to notice.
package struct FuzzTarget: Sendable {
  package let name: String
  /// The modules under attack: the edges that must grow are theirs.
  package let modules: [String]
  /// Bytes of an input at most.
  package let longestInput: Int
  /// How many inputs a brief run takes: some seconds' worth.
  package let briefRuns: Int
  /// Inputs to begin with.
  package let seeds: [[UInt8]]
  private let attack: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, modules: [String], longestInput: Int, briefRuns: Int, seeds: [[UInt8]],
    attack: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.modules = modules
    self.longestInput = longestInput
    self.briefRuns = briefRuns
    self.seeds = seeds
    self.attack = attack
  }

  /// Throws what these bytes break.
  package func run(_ bytes: [UInt8]) throws { try attack(bytes) }

  package static let all: [FuzzTarget] = [
    .xml, .rows, .html, .json, .dates, .sanitizer, .wrapping, .addresses, .http, .pictureHeaders,
    .decoders, .keys, .solver, .list,
  ]
}

/// Something that does not hold.
package struct Finding: Error, CustomStringConvertible {
  package let description: String
}

/// Throws a finding where `condition` does not hold.
func require(_ condition: Bool, _ complaint: @autoclosure () -> String) throws(Finding) {
  if !condition { throw Finding(description: complaint()) }
}
