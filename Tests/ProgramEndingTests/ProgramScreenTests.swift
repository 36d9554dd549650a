import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Other programs in the real one: openers by kind, programs that read a post, programs that print
/// an article.
@Suite(.ownThreads) struct ProgramScreenTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Writes a script into the folder that `PATH` names.
  private func script(_ name: String, _ body: String) throws {
    let path = try home.write("#!/bin/sh\n" + body + "\n", to: "bin/" + name)
    try #require(chmod(path, 0o755) == 0)
  }

  private func timeline() throws -> String {
    let posts = [
      #"""
      {"id":"1","title":"High water","content_text":"A summary.","url":"https://127.0.0.1/1",
      "attachments":[{"url":"https://127.0.0.1/tide","mime_type":"audio/mpeg","title":"Tide"}]}
      """#.replacing("\n", with: ""),
      #"{"id":"2","content_text":"No title; $(touch x)","url":"https://127.0.0.1/2.mp4"}"#,
    ]
    return try home.write(posts.joined(separator: "\n") + "\n", to: "tides.jsonl")
  }

  private func open(_ configuration: String = "") async throws -> TerminalSession {
    try home.write(configuration, to: "config/tideline/config")
    let session = try ProgramUnderTest.start(
      ["--no-animation", "--no-state", timeline()], home: home,
      environment: ["PATH": "\(home.path)/bin:/usr/bin:/bin"],
      size: TerminalSize(columns: 100, rows: 24))
    try await session.settle { $0.contains("post 1 of 2") }
    return session
  }

  private func read(_ name: String) -> String {
    (try? String(contentsOfFile: home.path + "/" + name, encoding: .utf8)) ?? ""
  }

  private func quit(_ session: TerminalSession) async throws {
    await session.send("q")
    #expect(try await session.waitForExit() == .exited(0))
    let screen = await session.snapshot
    #expect(!screen.isAlternate && screen.isCursorVisible)
  }

  /// Whether a process that has written its number to a file still runs.
  private func isRunning(_ name: String) -> Bool {
    Int32(read(name).filter(\.isNumber)).map { kill($0, 0) == 0 } ?? false
  }

  // MARK: Openers

  @Test func eachKindOfLinkHasItsOpener() async throws {
    for name in ["page", "ear"] { try script(name, "echo \"$0 $*\" >> \(home.path)/opened") }
    try script(
      "film",
      """
      [ -t 0 ] && [ -t 1 ] || exit 90
      printf '\\033[?1049h\\033[2J\\033[HFilm of %s' "$1"
      read line
      printf '\\033[?1049l'
      """)
    let session = try await open(
      "opener web page -n %s\nopener audio ear %s\nopener video terminal film %s\n")
    await session.send("o")
    try await session.settle { $0.contains("page opens https://127.0.0.1/1") }
    await session.send("2o")
    try await session.settle { $0.contains("ear opens https://127.0.0.1/tide") }
    #expect(
      read("opened")
        == "\(home.path)/bin/page -n https://127.0.0.1/1\n"
        + "\(home.path)/bin/ear https://127.0.0.1/tide\n")
    let before = await session.snapshot
    await session.send("jo")
    try await session.settle { $0.contains("Film of https://127.0.0.1/2.mp4") }
    await session.send("\n")
    let after = try await session.settle { $0.contains("post 2 of 2") && !$0.contains("Film") }
    #expect(after.line(0).dropFirst() == before.line(0).dropFirst())
    try await quit(session)
  }

  // MARK: Programs that read a post

  @Test func aPostIsHandedToAProgram() async throws {
    try script("keep", "cat > \(home.path)/kept; echo \"kept $*\"; echo more")
    try script("fail", "echo 'no room' >&2; exit 5")
    let session = try await open("bind X pipe --json keep as 'one thing'\n")
    await session.send("|")
    let prompt = try await session.settle { $0.line(22).hasPrefix(" |") }
    #expect(prompt.line(23).contains("--json before it: the JSON line"))
    await session.send("keep -s $HOME" + TerminalKey.enter)
    try await session.settle { $0.contains("keep: kept -s $HOME …") }
    #expect(
      read("kept") == "High water\n\nA summary.\n\n[audio/mpeg: Tide] https://127.0.0.1/tide\n"
        + "https://127.0.0.1/1\n")
    await session.send("jX")
    try await session.settle { $0.contains("keep: kept as one thing …") }
    #expect(
      read("kept").hasPrefix(
        #"{"id":"2","url":"https://127.0.0.1/2.mp4","content_text":"No title;"#))
    await session.send("|" + TerminalKey.up + TerminalKey.enter)
    try await session.settle { $0.contains("keep: kept -s $HOME …") }
    #expect(read("kept") == "No title; $(touch x)\n\nhttps://127.0.0.1/2.mp4\n")
    await session.send(":pipe fail" + TerminalKey.enter)
    try await session.settle { $0.contains("fail ended with status 5: no room") }
    await session.send("|no-such" + TerminalKey.enter)
    try await session.settle { $0.contains("no-such cannot be started: No such file") }
    await session.send("|--json" + TerminalKey.enter)
    try await session.settle { $0.contains("a program and its arguments, as in: mail") }
    for (keys, word) in [("|", "x"), (":pipe ", "y")] {
      await session.send("\(keys)sh -c '\(word)" + TerminalKey.enter)
      try await session.settle { $0.contains("a quotation mark is missing behind '\(word)'") }
    }
    await session.send("|" + TerminalKey.escape)
    try await session.settle { $0.contains("post 2 of 2") }
    await session.send("?/keep" + TerminalKey.enter)
    try await session.settle { $0.contains("pipe --json keep as 'one thing'") }
    await session.send("qq")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// It reads the post from its input and keys from the terminal, as a pager does.
  @Test func aProgramOnTheTerminalReadsThePost() async throws {
    try script(
      "pager",
      """
      [ -t 1 ] && [ ! -t 0 ] || exit 90
      printf '\\033[?1049h\\033[2J\\033[H'
      cat
      read line < /dev/tty
      printf '\\033[?1049l'
      echo "$line" > \(home.path)/line
      """)
    let session = try await open()
    let before = await session.snapshot
    await session.send("|terminal pager" + TerminalKey.enter)
    try await session.settle { $0.contains("A summary.") && !$0.contains("post 1 of 2") }
    await session.send("q\n")
    let after = try await session.settle { $0.contains("post 1 of 2") }
    #expect(after.list(rows: 22) == before.list(rows: 22) && read("line") == "q\n")
    #expect(!after.contains("pager ended"))
    try await quit(session)
  }

  // MARK: Articles

  @Test func theArticleIsShownOnThePage() async throws {
    try script(
      "reader",
      #"""
      echo "<html><head><title>T</title></head><body><h1>High water</h1><p>Read at $2: <b>all</b>"
      echo "of it.</p><script>alert(1)</script></body></html>"
      """#)
    let session = try await open("set article reader -H %s\n")
    await session.send(TerminalKey.enter)
    let screen = try await session.settle {
      $0.contains("── the article, by reader")
        && $0.contains("Read at https://127.0.0.1/1: all of it.")
    }
    #expect(!screen.contains("alert") && screen.contains("A summary."))
    try expectScreen(screen.withoutLastColumn, matches: "article")
    await session.send("qj")
    // A post without a title is read when that is asked for.
    await session.send(TerminalKey.enter)
    let whole = try await session.settle { $0.contains("No title;") && $0.contains("link 1") }
    #expect(!whole.contains("the article"))
    await session.send("e")
    try await session.settle { $0.contains("Read at https://127.0.0.1/2.mp4: all of it.") }
    await session.send("q")
    try await session.settle { $0.contains("post 2 of 2") }
    await session.send("ke")
    try await session.settle { $0.contains("Read at https://127.0.0.1/1: all of it.") }
    await session.send("q")
    try await session.settle { $0.contains("post 1 of 2") }
    try await quit(session)
  }

  @Test(arguments: [
    ("echo oops >&2; exit 2", "reader ended with status 2: oops"), ("exit 0", "printed no article"),
    ("yes '<p>more</p>'", "reader printed more than 4 MiB"), ("kill -9 $$", "ended by signal 9"),
  ])
  func failuresAreOneClearLine(body: String, told: String) async throws {
    try script("reader", body)
    let session = try await open("set article reader %s\n")
    await session.send(TerminalKey.enter)
    let screen = try await session.settle { $0.contains("── the article could not be read: ") }
    #expect(screen.contains(told) && screen.contains("A summary."))
    await session.send("q")
    try await session.settle { $0.contains("post 1 of 2") }
    try await quit(session)
  }

  /// With what it has started: by the key, by leaving the page, and by leaving the program.
  @Test(arguments: ["e", "q", "\u{3}"]) func theProgramIsStopped(key: String) async throws {
    try script(
      "reader",
      "echo $$ > \(home.path)/number.new; mv \(home.path)/number.new \(home.path)/number; "
        + "sleep 1000 & wait")
    let session = try await open("set article reader %s\n")
    await session.send(TerminalKey.enter)
    try await session.settle { $0.contains("── reader reads the article … · e stops it") }
    await eventually { isRunning("number") }
    await session.send(key)
    switch key {
    case "e":
      try await session.settle { $0.contains("stopped: reader") && !$0.contains("──  reader") }
    case "q": try await session.settle { $0.contains("post 1 of 2") }
    default: #expect(try await session.waitForExit() == .exited(130))
    }
    await eventually { !isRunning("number") }
    guard key != "\u{3}" else { return }
    await session.send("qq")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func withoutAProgramTheKeySaysSo() async throws {
    let session = try await open()
    await session.send("e")
    try await session.settle { $0.contains("no program reads articles; set article names one") }
    await session.send(":set article sh -c 'curl %s'" + TerminalKey.enter)
    try await session.settle { $0.contains("would run what a link says") }
    try await quit(session)
  }

  @Test func theConfigurationIsChecked() async throws {
    try home.write(
      "opener audio mpv %s\nopener music mpv\nset article rdrview -H %s\nbind X pipe mail -s x\n",
      to: "config/tideline/config")
    let result = try await ProgramUnderTest.run(["--check-config"], home: home)
    #expect(result.status == .exited(65))
    #expect(result.errorText.contains(":2: the kinds are web, audio, video, image, not 'music'"))
    #expect(result.errorText.split(separator: "\n").count == 1, "\(result.errorText)")
    let keys = try await ProgramUnderTest.run(["--keys"], home: home)
    #expect(keys.text.contains("X                       pipe mail -s x"), "\(keys.text)")
  }
}
