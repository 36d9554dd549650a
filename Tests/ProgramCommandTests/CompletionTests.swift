import FoundationEssentials
import TestSupport
import Testing

/// The scripts with which shells complete the command line.
@Suite(.ownThreads) struct CompletionTests {
  private static let scripts = CompletionScripts()

  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// The path of a shell; `nil` if it is not installed.
  private static func path(of shell: String) -> String? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].map { $0 + shell }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private func script(for shell: String) async throws -> String {
    try await home.write(Self.scripts.text(for: shell), to: "completion." + shell)
  }

  private func run(_ shell: String, _ arguments: [String]) async throws -> PipedRun.Result {
    try await PipedRun.run(
      path: shell, arguments: arguments, environment: ProgramUnderTest.environment(home: home),
      workingFolder: home.path)
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func scriptsAreValid(shell: String) async throws {
    let script = try await script(for: shell)
    guard let path = Self.path(of: shell) else { return }
    let result = try await run(path, ["-n", script])
    #expect(result.status == .exited(0) && result.errorText == "", "\(result.errorText)")
  }

  /// The completions that bash offers for the last of `words`.
  private func completions(of words: [String]) async throws -> [String] {
    let script = try await script(for: "bash")
    let line = words.joined(separator: " ")
    let program = try ProgramUnderTest.path()
    let bash = """
      source "$0"
      tideline() { "\(program)" "$@"; }
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      _tideline tideline "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let path = try #require(Self.path(of: "bash"))
    let result = try await run(path, ["--norc", "--noprofile", "-c", bash, script] + words)
    #expect(result.errorText == "", "\(line)")
    return result.text.split(separator: "\n").map(String.init).sorted()
  }

  @Test func filesAndOptionsAreCompleted() async throws {
    for name in ["tides.jsonl", "ti de.rss", "other.atom"] { try home.write("", to: name) }
    #expect(try await completions(of: ["tideline", "ti"]) == ["ti de.rss", "tides.jsonl"])
    #expect(try await completions(of: ["tideline", "a.rss", "oth"]) == ["other.atom"])
    #expect(try await completions(of: ["tideline", "--plain", "tid"]) == ["tides.jsonl"])
    #expect(try await completions(of: ["tideline", "--trace", "oth"]) == ["other.atom"])
    #expect(try await completions(of: ["tideline", "--pic"]) == ["--pictures"])
    #expect(try await completions(of: ["tideline", "--pictures", "s"]) == ["sixel", "symbols"])
    #expect(try await completions(of: ["tideline", "--pictures", "i"]) == ["iterm2"])
    #expect(
      try await completions(of: ["tideline", "--format", "json"]) == ["jsonfeed", "jsonl"])
    let all = try await completions(of: ["tideline", "--"])
    for option in ["--format", "--plain", "--json", "--color", "--config", "--help", "--version"] {
      #expect(all.contains(option))
    }
  }

  @Test func commandsAndArgumentsAreCompleted() async throws {
    try home.write("", to: "sl.rss")
    let cases: [(words: [String], completions: [String])] = [
      (["de"], ["demo"]), (["ca"], ["cache"]), (["--plain", "ca"], ["cache"]), (["x", "ca"], []),
      (["demo", "sl"], ["slack"]), (["demo", "--hold", "pl"], ["placeholders"]),
      (["--theme", "dark", "demo", "sl"], ["slack"]), (["--trace", "demo", "sl"], ["sl.rss"]),
      (["demo", "slack", "--fr"], ["--frames", "--from"]), (["demo", "slack", "sl"], []),
      (["demo", "--theme", "d"], ["dark"]),
      (["--theme", "li"], ["light"]), (["demo", "--json"], []),
      (["cache", ""], ["clear", "info"]), (["cache", "--cache-dir", "x", "i"], ["info"]),
      (["cache", "--ca"], ["--cache-dir"]), (["--", "demo", "sl"], ["sl.rss"]),
      (["sl.rss", "--pl"], ["--plain"]), (["h"], []), (["sl.rss", "h"], []), (["demo", "h"], []),
      (["cache", "info", "h"], []), (["rem"], ["remove"]), (["fee"], ["feeds"]),
      (["feeds", "--js"], ["--json"]), (["refresh", "--a"], ["--all"]), (["add", "h"], []),
      (["--library", "x", "remove", "--pu"], ["--purge"]), (["export", "--li"], ["--library"]),
    ]
    for (words, completions) in cases {
      let offered = try await self.completions(of: ["tideline"] + words)
      #expect(offered == completions, "\(words)")
    }
    let first = try await completions(of: ["tideline", ""])
    #expect(Set(first).isSuperset(of: ["demo", "cache", "sl.rss"]))
  }

  /// There is no command `help`.
  @Test(arguments: ["bash", "zsh", "fish"]) func noHelpIsOfferedAsACommand(shell: String)
    async throws
  {
    let script = try String(contentsOfFile: await script(for: shell), encoding: .utf8)
    #expect(!script.contains("subcommand help") && !script.contains("_help"))
    for name in ["demo", "cache", "slack", "placeholders", "info", "clear", "--list-sources"] {
      #expect(script.contains(name), "\(name)")
    }
    guard shell == "fish", let fish = Self.path(of: shell) else { return }
    let file = try await self.script(for: shell)
    for (line, offered) in [
      ("de", "demo"), ("demo sl", "slack"), ("--theme dark demo pl", "placeholders"),
      ("cache i", "info"), ("demo --hol", "--hold"), ("demo --js", ""), ("a.rss ca", ""),
    ] {
      let result = try await run(
        fish, ["--no-config", "-c", "source \(file); complete -C 'tideline \(line)'"])
      let words = result.text.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
      #expect(words == (offered.isEmpty ? [] : [offered[...]]), "\(line): \(result.errorText)")
    }
  }

  /// The program knows without the parser which options take the next word as their value.
  @Test func valuesOfOptionsAreNoCommands() async throws {
    var options: Set = ["--generate-completion-script"]
    let words = ["demo", "cache", "add", "remove", "feeds", "refresh", "export"]
    for command in [[]] + words.map({ [$0] }) {
      let help = try await ProgramUnderTest.run(command + ["--help"], home: home)
      for line in help.text.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let option = words.first, option.hasPrefix("--") else { continue }
        if words.dropFirst().first?.hasPrefix("<") == true { options.insert(String(option)) }
      }
    }
    let script = try String(contentsOfFile: await script(for: "bash"), encoding: .utf8)
    #expect(script.contains(" \(options.sorted().joined(separator: "|"))) ((word++)) ;;"))
  }

  @Test func namesOfTheConfigurationAreCompleted() async throws {
    try home.write("", to: "tides.jsonl")
    try home.write(
      "source tides https://harbour.example/feed.xml\nsource gauge https://gauge.example/\n",
      to: "config/tideline/config")
    #expect(try await completions(of: ["tideline", "ti"]) == ["tides", "tides.jsonl"])
    #expect(try await completions(of: ["tideline", "--plain", "ga"]) == ["gauge"])
    #expect(try await completions(of: ["tideline", "--pictures", "g"]) == [])
    for shell in ["zsh", "fish"] {
      let script = try await script(for: shell)
      #expect(try String(contentsOfFile: script, encoding: .utf8).contains("--list-sources"))
    }
    // Zsh refuses a second list of arguments.
    let zsh = try await script(for: "zsh")
    #expect(try !String(contentsOfFile: zsh, encoding: .utf8).contains(":->arg"))
    guard let fish = Self.path(of: "fish") else { return }
    let script = try await script(for: "fish")
    let program = try ProgramUnderTest.path()
    let result = try await run(
      fish,
      [
        "--no-config", "-c",
        "function tideline; \(program) $argv; end; source \(script); complete -C 'tideline g'",
      ])
    #expect(result.text.contains("gauge"), "\(result.errorText)")
  }

  @Test func theNamesAndTheKeysArePrinted() async throws {
    try home.write(
      "source tides https://harbour.example/feed.xml\nbind gg top\nunbind j\n",
      to: "config/tideline/config")
    let names = try await ProgramUnderTest.run(["--list-sources"], home: home)
    #expect(names.status == .exited(0) && names.text == "tides\n")
    let keys = try await ProgramUnderTest.run(["--keys"], home: home)
    #expect(keys.status == .exited(0) && keys.errorText == "")
    let lines = keys.text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("Home gg  ") && $0.contains("the top") })
    #expect(lines.contains { $0.hasPrefix("↓ Ctrl-N  ") })
    #expect(lines.contains { $0.hasPrefix("m  ") && $0.contains("full size") })
    #expect(lines.allSatisfy { $0.contains("  ") })
    for option in ["--keys", "--list-sources"] {
      let wrong = try await ProgramUnderTest.run([option, "tides"], home: home)
      #expect(wrong.status == .exited(64) && wrong.errorText.contains("\(option) opens nothing"))
    }
  }

  /// Neither names of programs nor shell functions can contain a blank.
  @Test(arguments: [
    ["--generate-completion-script", "bash"], ["--generate-completion-script=zsh"],
  ])
  func demosHaveNoScriptOfTheirOwn(option: [String]) async throws {
    let result = try await ProgramUnderTest.run(["demo"] + option, home: home)
    #expect(result.status == .exited(64) && result.text == "")
    let lines = result.errorText.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(result.errorText.contains("tideline --generate-completion-script"))
  }
}

/// The scripts that the program has generated, one for each shell.
private actor CompletionScripts {
  private var made: [String: Task<String, any Error>] = [:]

  /// The script for `shell`, generated when it is first asked for.
  func text(for shell: String) async throws -> String {
    if let task = made[shell] { return try await task.value }
    let task = Task {
      let result = try await ProgramUnderTest.run(
        ["--generate-completion-script", shell], home: TemporaryFolder())
      #expect(result.status == .exited(0) && result.errorText == "")
      return result.text
    }
    made[shell] = task
    return try await task.value
  }
}
