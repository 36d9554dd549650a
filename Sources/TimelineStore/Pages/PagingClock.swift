/// The clock of paging, and its only timer.
@MainActor struct PagingClock {
  /// Seconds since an arbitrary moment, never going back.
  let now: () -> Double
  /// Calls `body` once, after these seconds, unless cancelled; replaces the pending call.
  let wake: (_ seconds: Double, _ body: @escaping @MainActor () -> Void) -> Void
  let cancelWake: () -> Void

  /// The system's clock. No timer is armed while no call is pending.
  static var system: PagingClock {
    let start = ContinuousClock.now
    let alarm = MainQueueAlarm()
    return PagingClock(
      now: {
        let passed = (ContinuousClock.now - start).components
        return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
      },
      wake: { alarm.set(after: $0, $1) },
      cancelWake: { alarm.cancel() })
  }
}
