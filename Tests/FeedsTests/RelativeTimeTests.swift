import TestSupport
import Testing

@testable import Feeds

/// The times at which the text for a time changes.
@Suite struct RelativeTimeTests {
  private func string(_ time: Double, _ now: Double, _ hasZone: Bool, _ style: DateStyle) -> String
  {
    RelativeTime.string(from: time, now: now, hasZone: hasZone, style: style)
  }

  /// The text stays the same until the predicted time and is different then, for each change.
  @Test func nextChangeIsExact() {
    for seed in Rounds.seeds(40) {
      var random = SeededGenerator(seed: seed)
      let style = DateStyle(
        utcOffset: [0, 3_600, -18_000, 20_700].randomElement(using: &random) ?? 0)
      let time = Double.random(in: 1e9...2e9, using: &random)
      let hasZone = Bool.random(using: &random)
      let ages: [Double] = [-300, -30, -9, -2, -0.5, 0, 0.01, 0.4, 3, 170, 400]
      var now = time + (ages.randomElement(using: &random) ?? 0) * 86_400
      let end = now + 900 * 86_400
      var changes = 0
      while let next = RelativeTime.nextChange(
        from: time, now: now, hasZone: hasZone, style: style),
        next < end
      {
        #expect(next > now)
        let words = string(time, now, hasZone, style)
        let span = next - now
        for share in [0.01, 0.3, 0.5, 0.7, 0.99] {
          let between = now + span * share
          guard between < next - 0.01 else { continue }
          #expect(string(time, between, hasZone, style) == words, "seed \(seed), \(between)")
        }
        #expect(string(time, next, hasZone, style) != words, "seed \(seed), \(next)")
        changes += 1
        now = next
        guard changes < 400 else {
          Issue.record("seed \(seed): no end of changes")
          break
        }
      }
      // There are no further changes.
      let words = string(time, now, hasZone, style)
      for days in [1.0, 30, 200, 600] where now + days * 86_400 < end {
        #expect(string(time, now + days * 86_400, hasZone, style) == words, "seed \(seed)")
      }
    }
  }

  /// Minute by minute over several days, no change occurs that was not predicted.
  @Test(arguments: [true, false]) func noChangeIsMissed(hasZone: Bool) {
    let style = DateStyle(utcOffset: 3_600)
    let time = 1_704_062_000.0  // 31 December 2023, 23:33 there
    // Not on the boundaries themselves: a change is predicted shortly after one.
    var now = time - 9 * 86_400 + 29
    var next = RelativeTime.nextChange(from: time, now: now, hasZone: hasZone, style: style)
    while now < time + 9 * 86_400 {
      let before = string(time, now, hasZone, style)
      now += 60
      let isChanged = string(time, now, hasZone, style) != before
      if let due = next, due <= now {
        #expect(isChanged, "\(now - time)")
        next = RelativeTime.nextChange(from: time, now: now, hasZone: hasZone, style: style)
      } else {
        #expect(!isChanged, "\(now - time)")
      }
    }
  }

  @Test func someNeverChange() {
    let now = 1_713_600_000.0
    #expect(RelativeTime.nextChange(from: now - 400 * 86_400, now: now) == nil)
    for time in [Double.nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude] {
      if let next = RelativeTime.nextChange(from: time, now: now) { #expect(next > now) }
      #expect(RelativeTime.nextChange(from: now, now: time).map { $0 > time } != false)
    }
  }
}
