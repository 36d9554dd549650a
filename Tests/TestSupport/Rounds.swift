import FoundationEssentials

/// The number of rounds of random tests.
///
/// The environment variable `TIDELINE_ROUNDS` multiplies it; `Scripts/check rounds` runs the random
/// tests with it. A failure prints its seed, which is the same at every factor.
public enum Rounds {
  private static let factor: Int = {
    let value = ProcessInfo.processInfo.environment["TIDELINE_ROUNDS"].flatMap { Int($0) } ?? 1
    return min(max(1, value), 10_000)
  }()

  /// Whether there are more rounds than in a usual run of the tests.
  public static var areMany: Bool { factor > 1 }

  /// `count`, times the factor.
  public static func times(_ count: Int) -> Int { count * factor }

  /// Seeds from 1 on: `count` of them, times the factor.
  public static func seeds(_ count: Int) -> ClosedRange<UInt64> { 1...UInt64(times(count)) }

  /// Every `step`th of `items`, beginning at an offset that depends on `number`, so that `step`
  /// consecutive numbers cover all of them; with a factor, all of them each time.
  public static func some<Item>(of items: [Item], number: Int, step: Int) -> [Item] {
    guard !areMany else { return items }
    return stride(from: number % step, to: items.count, by: step).map { items[$0] }
  }
}
