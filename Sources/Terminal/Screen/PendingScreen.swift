import CNcurses
import CTerminalRestoration
import System

/// A terminal that has been sent its queries, before its first frame: the program reads and
/// prepares content while the terminal answers.
///
/// 1. From ``init(_:)`` until the screen's end or ``cancel()``, the terminal is restored however
///    the program ends.
/// 2. ``open()`` does not wait for outstanding answers: the first frame is laid out before it is
///    known whether they come (``Screen/awaitAnswers()``).
/// 3. It ends by ``open()`` or ``cancel()``; `cancel` after `open` has no effect.
@MainActor package final class PendingScreen {
  /// Renders pictures by the method of the screen, which is known when the screen is open.
  package let pictures = PictureRenderer(method: .none)
  let device: TerminalDevice
  let signals: SignalPipe
  let setup: TerminalSetup
  let environment: [String: String]
  private(set) var probe = CapabilityProbe()
  private(set) var parser = InputParser()
  private var hasEnded = false

  /// Opens the terminal and sends the queries.
  ///
  /// Call it before other threads read the environment: ncurses receives the description of the
  /// terminal through it.
  ///
  /// - Throws: `TerminalError` if there is no usable terminal, or a system call fails; the terminal
  ///   is then restored.
  package init(_ configuration: ScreenConfiguration) throws(TerminalError) {
    Self.setLocale()
    environment = configuration.environment
    let term = environment["TERM"] ?? ""
    guard !term.isEmpty else { throw .termNotSet }
    device = try TerminalDevice()
    do throws(TerminalError) {
      // Before the terminal is changed: a signal may come from then on.
      signals = try SignalPipe()
      do throws(TerminalError) {
        setup = try TerminalSetup(
          device: device, term: term, configuration: configuration, probe: &probe, parser: &parser)
      } catch {
        device.discardReplies(
          to: &parser, within: CapabilityProbe.farewell(environment: environment))
        device.restore()
        terminal_restoration_disarm()
        signals.release()
        signals.close()
        throw error
      }
    } catch {
      device.close()
      throw error
    }
  }

  /// Takes the terminal over, with the answers that have come.
  package func open() -> Screen {
    hasEnded = true
    return Screen(self)
  }

  /// Gives the terminal back without a screen.
  package func cancel() {
    guard !hasEnded else { return }
    hasEnded = true
    device.discardReplies(to: &parser, within: CapabilityProbe.farewell(environment: environment))
    device.write(setup.modes(by: probe, pictures: .none).off + setup.entry.sequence("sgr0"))
    device.restore()
    terminal_restoration_disarm()
    signals.release()
    setup.curses.close()
    device.close()
    signals.close()
  }

  /// Sets the locale: ncurses counts columns by the C library, which knows wide characters in a
  /// UTF-8 locale only.
  private static func setLocale() {
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }
}
