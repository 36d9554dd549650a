import FoundationEssentials

/// How much random tests try.
///
/// The environment variable `TIDELINE_ROUNDS` multiplies it; `Scripts/check rounds` runs the random
/// tests so. A failure prints its seed, which is the same at every factor.
public enum Rounds {
  private static let factor: Int = {
    let value = ProcessInfo.processInfo.environment["TIDELINE_ROUNDS"].flatMap { Int($0) } ?? 1
    return min(max(1, value), 10_000)
  }()

  /// Whether more is tried than a usual run of the tests does.
  public static var areMany: Bool { factor > 1 }

  /// `count`, times the factor.
  public static func times(_ count: Int) -> Int { count * factor }

  /// Seeds from 1 on: `count` of them, times the factor.
  public static func seeds(_ count: Int) -> ClosedRange<UInt64> { 1...UInt64(times(count)) }

  /// Every `step`th of `items`, beginning with another one for each `number`, so that `step`
  /// numbers in a row try them all; with a factor, all of them each time.
  public static func some<Item>(of items: [Item], number: Int, step: Int) -> [Item] {
    guard !areMany else { return items }
    return stride(from: number % step, to: items.count, by: step).map { items[$0] }
  }
}
