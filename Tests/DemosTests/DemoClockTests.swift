import TestSupport
import Testing

@testable import Demos

/// The time of the queue demo, by a timer that the test fires.
@MainActor @Suite(.timeLimit(.minutes(1))) struct DemoClockTests {
  /// The pending timer, and the names of those who woke.
  @MainActor private final class Recorder {
    var timer: (time: Duration, work: @MainActor () -> Void)?
    var realTime = Duration.zero
    var woken: [String] = []
  }

  private let recorder = Recorder()

  private func clock(isPaused: Bool) -> DemoClock {
    DemoClock(
      isPaused: isPaused, realTime: { [recorder] in recorder.realTime },
      after: { [recorder] in recorder.timer = ($0, $1) })
  }

  private func sleep(_ milliseconds: Int, _ name: String, on clock: DemoClock) -> Task<Void, Never>
  {
    Task { [recorder] in
      do {
        try await clock.sleep(.milliseconds(milliseconds))
        recorder.woken.append(name)
      } catch {
        recorder.woken.append(name + " cancelled")
      }
    }
  }

  private func until(_ condition: @MainActor () -> Bool) async {
    await eventually(condition)
  }

  private func fire() {
    let timer = recorder.timer
    recorder.timer = nil
    recorder.realTime += timer?.time ?? .zero
    timer?.work()
  }

  @Test func runningTimeWakesInOrder() async {
    let clock = clock(isPaused: false)
    let late = sleep(500, "late", on: clock)
    await until { recorder.timer?.time == .milliseconds(500) }
    let early = sleep(200, "early", on: clock)
    await until { recorder.timer?.time == .milliseconds(200) }
    fire()
    await early.value
    #expect(recorder.woken == ["early"] && clock.now == .milliseconds(200))
    #expect(recorder.timer?.time == .milliseconds(300))
    fire()
    await late.value
    #expect(recorder.woken == ["early", "late"])
    #expect(recorder.timer == nil)
  }

  /// Time that has passed before a sleeper comes is not added to the waits of earlier ones, nor
  /// taken from its own.
  @Test func aLaterSleeperDelaysNone() async {
    let clock = clock(isPaused: false)
    let first = sleep(500, "first", on: clock)
    await until { recorder.timer?.time == .milliseconds(500) }
    recorder.realTime += .milliseconds(400)
    let second = sleep(1_000, "second", on: clock)
    await until { recorder.timer?.time == .milliseconds(100) }
    fire()
    await first.value
    #expect(clock.now == .milliseconds(500))
    #expect(recorder.timer?.time == .milliseconds(900))
    recorder.realTime += .milliseconds(300)
    clock.toggle()
    #expect(clock.now == .milliseconds(800) && clock.isPaused)
    recorder.realTime += .seconds(60)
    clock.toggle()
    #expect(recorder.timer?.time == .milliseconds(600))
    fire()
    await second.value
    #expect(recorder.woken == ["first", "second"] && recorder.timer == nil)
  }

  @Test func standingTimePassesInMoments() async {
    let clock = clock(isPaused: true)
    let soon = sleep(300, "soon", on: clock)
    let late = sleep(700, "late", on: clock)
    for _ in 0..<100 { await Task.yield() }
    #expect(recorder.timer == nil)
    clock.step()
    #expect(clock.now == .milliseconds(400) && recorder.timer?.time == .zero)
    fire()
    await soon.value
    #expect(recorder.woken == ["soon"] && recorder.timer == nil)
    // Due within the same moment, though it went to sleep after the step.
    let again = sleep(50, "again", on: clock)
    await until { recorder.timer != nil }
    fire()
    await again.value
    #expect(recorder.woken == ["soon", "again"] && recorder.timer == nil)
    clock.step()
    fire()
    await late.value
    #expect(recorder.woken == ["soon", "again", "late"])
  }

  @Test func aCancelledSleeperNeedsNoTimer() async {
    let clock = clock(isPaused: true)
    let task = sleep(300, "a", on: clock)
    for _ in 0..<100 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(recorder.woken == ["a cancelled"])
    clock.step()
    #expect(recorder.timer == nil)
  }

  @Test func timeThatRunsAgainGoesOnFromWhereItStood() async {
    let clock = clock(isPaused: true)
    clock.step()
    let task = sleep(100, "a", on: clock)
    await until { recorder.timer == nil }
    for _ in 0..<100 { await Task.yield() }
    clock.toggle()
    #expect(clock.now == .milliseconds(400))
    clock.toggle()
    #expect(clock.now == .milliseconds(400))
    clock.toggle()
    await until { recorder.timer != nil }
    fire()
    await task.value
    #expect(recorder.woken == ["a"])
  }
}
