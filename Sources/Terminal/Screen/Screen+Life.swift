import CNcurses
import Dispatch
import System

/// How the terminal is given back and taken again: on a stop and a continuation, for good, and when it
/// is lost. What crashes give back is prepared here, and kept as it would have to be now.
extension Screen {
  func armRestoration() {
    restoration =
      pictureOutput.farewell + entry.restoration(modesOff: modes.off, size: size)
    TerminalRestoration.arm(device, bytes: restoration)
  }

  /// Gives the terminal back and stops the process and its pipeline as Ctrl-Z does; returns when it
  /// is continued. `.resumed` follows, after `.resize` where the size has changed.
  public func suspend() { stop(by: SIGTSTP, wholeGroup: true) }

  func stop(by signal: Int32, wholeGroup: Bool) {
    guard state == .open else { return }
    leave()
    SignalPipe.stop(by: signal, wholeGroup: wholeGroup)
    enter()
  }

  /// After a stop that could not be caught: the shell has changed the terminal meanwhile.
  func recover() {
    guard state == .open else { return }
    device.write(pictureOutput.farewell)
    pictureOutput.forget()
    endwin()
    device.write(takeOutput())
    enter()
  }

  /// From here on signals that end the process do so at once: there is nothing to be done before.
  func leave() {
    signals.setReadsRequests(false)
    let scrolls = entry.wholeScreenScrolls(rows: size.height)
    device.write(pictureOutput.farewell + modes.off + scrolls)
    pictureOutput.forget()
    if !cursorIsShown { curs_set(1) }
    endwin()
    device.write(takeOutput())
    device.restore()
    TerminalRestoration.disarm()
    TerminalRestoration.releaseErrors()
  }

  func enter() {
    armRestoration()
    TerminalRestoration.holdErrors()
    device.setRaw()
    device.write(takingOver)
    pendingEvents += updateSize()
    // The alternate screen first: terminals that keep the cursor's visibility with the main screen
    // would bring it back hidden.
    doupdate()
    curs_set(cursorIsShown ? 1 : 0)
    device.write(takeOutput())
    invalidate()
    signals.setReadsRequests(onEvents != nil)
    pendingEvents.append(.resumed)
    // Not at once: the owner may be in the middle of the events that led here.
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.deliver([]) }
    }
  }

  /// The terminal is gone: nothing more is read from it or written to it.
  func lose() {
    state = .lost
    inputWatch?.cancel()
    inputWatch = nil
    flushTimer?.cancel()
    flushTimer = nil
    TerminalRestoration.disarm()
    TerminalRestoration.releaseErrors()
  }

  /// Gives the terminal back for good. Doing it again changes nothing.
  public func close() {
    guard state != .closed else { return }
    if state == .open { leave() }
    state = .closed
    inputWatch?.cancel()
    signalWatch?.cancel()
    flushTimer?.cancel()
    inputWatch = nil
    signalWatch = nil
    flushTimer = nil
    onEvents = nil
    signals.release()
    TerminalRestoration.closeErrors()
    delscreen(handle)
    cursesOutput.close()
    // The sources may still be looking at the descriptors until their cancellation has run.
    let (device, signals) = (device, signals)
    DispatchQueue.main.async {
      device.close()
      signals.close()
    }
  }
}
