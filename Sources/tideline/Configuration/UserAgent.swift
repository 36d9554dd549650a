import TerminalApp
import TextLayout

/// The name that requests give the program: `tideline/VERSION` and, if `set user-agent` names one,
/// an address at which the operator of a server can ask who fetches.
struct UserAgent: Hashable, Sendable {
  /// `nil` for none.
  private(set) var address: String?

  /// The address in a configuration file. Wrong lines are skipped; they are reported when the file
  /// is loaded.
  init(in file: ConfigurationFile? = nil) {
    for argument in file?.arguments(ofCommand: "set") ?? [] {
      let words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.count == 2, words[0] == Self.settingName { _ = set(words[1]) }
    }
  }

  static let settingName = "user-agent"
  private static let longest = 200

  /// The value of the field `User-Agent`.
  var text: String { "tideline/\(Program.version)" + (address.map { " (+\($0))" } ?? "") }

  /// Sets the address; `off` for none.
  ///
  /// - Returns: why it is refused; `nil` if it is set.
  mutating func set(_ value: String) -> String? {
    guard value != "off" else {
      address = nil
      return nil
    }
    // It stands within a comment of the field, and on one line.
    let isPlain = value.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && !"()\\\"".utf8.contains($0)
    }
    let isAddress = ["http://", "https://", "mailto:"].contains { value.hasPrefix($0) }
    guard isPlain, isAddress, value.utf8.count <= Self.longest else {
      let shown = TextMetrics.current.truncated(Sanitizer.line(value), toWidth: 20)
      return "\(Self.settingName) is an address with http, https or mailto, or off, not '\(shown)'"
    }
    address = value
    return nil
  }
}

/// The setting of the user agent. Servers get another one from the next start on.
@MainActor final class UserAgentSetting {
  private var agent = UserAgent()

  var setting: Setting {
    Setting(
      UserAgent.settingName, values: ["off"], other: "ADDRESS",
      help: "where servers can ask who fetches, sent with each request; from the next start on",
      current: { self.agent.address ?? "off" },
      change: { self.agent.set($0).map { .refused($0) } ?? .done })
  }
}
