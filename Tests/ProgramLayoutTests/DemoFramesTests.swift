import TestSupport
import Testing

/// `tideline demo NAME --frames`: its output and its errors.
@Suite(.ownThreads) struct DemoFramesTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func aLineHasTheFieldsInOrder() async throws {
    let result = try await ProgramUnderTest.run(
      ["demo", "slack", "--frames", "--width", "40", "--rows", "2-2"], home: home)
    #expect(result.status == .exited(0))
    #expect(result.errorText == "")
    #expect(
      result.text.hasPrefix(
        """
        {"row":2,"width":40,"height":9,"measuredBy":"constraints","activeBottom":"comment",\
        "views":{"comment":{"x":10,"y":3,"width":29,"height":5},\
        "icon":{"x":1,"y":1,"width":8,"height":4},"name":{"x":10,"y":1,"width":29,"height":1}},\
        "constraints":[{"label":"icon-top","relation":"==","multiplier":1,"constant":1,\
        "priority":1000,"active":true,"source":"SlackCell.swift:
        """))
    #expect(result.text.hasSuffix("\"broken\":[]}\n"))
    #expect(result.text.split(separator: "\n").count == 1)
  }

  @Test func rowsAndWidthAreChosen() async throws {
    for (demo, count) in [
      ("autolayout", 15), ("moments", 60), ("tweets", 200), ("placeholders", 100),
    ] {
      let all = try await DemoRow.rows(of: demo, [], home: home)
      #expect(all.map(\.row) == Array(0..<count))
      #expect(all.allSatisfy { $0.width == 80 && $0.broken.isEmpty })
      let some = try await DemoRow.rows(of: demo, ["--rows", "3-7", "--width", "33"], home: home)
      #expect(some.map(\.row) == [3, 4, 5, 6, 7])
      #expect(some.allSatisfy { $0.width == 33 && $0.broken.isEmpty })
    }
  }

  @Test func pendingPrintsRowsWithoutPictures() async throws {
    let pending = try await DemoRow.rows(of: "placeholders", ["--pending"], home: home)
    #expect(pending.allSatisfy { $0.views["picture"]?.height == 15 })
    let moments = try await DemoRow.rows(of: "moments", ["--pending"], home: home)
    #expect(moments.allSatisfy { $0.views["picture"]?.height == 0 })
  }

  @Test func theProvokedConflictIsPrintedAndLogged() async throws {
    let log = home.path + "/log"
    let rows = try await DemoRow.rows(
      of: "moments", ["--provoke-conflict", "--log-file", log], home: home)
    #expect(try rows.at(0).broken.map(\.label) == ["picture-height"])
    #expect(rows.dropFirst().allSatisfy { $0.broken.isEmpty })
    let text = String(decoding: try PackageFiles.bytes(at: log), as: UTF8.self)
    #expect(text.contains("Unable to simultaneously satisfy constraints."))
    #expect(text.contains("'Encapsulated-Layout-Height' cell.height == 4"))
    #expect(text.contains("Will attempt to recover by breaking constraint"))
  }

  @Test(arguments: [
    (["--rows", "3"], "--rows"), (["--rows", "5-2"], "--rows"), (["--rows", "-1-2"], "--rows"),
    (["--rows", "a-b"], "--rows"), (["--rows", "0-15"], "rows 0-14"),
    (["--rows", "0-99999999999999999999"], "--rows"), (["--width", "0"], "--width"),
    (["--width", "-3"], "--width"), (["--width", "1001"], "--width"),
    (["--width", "wide"], "--width"),
  ])
  func aWrongRangeOrWidthIs64(arguments: [String], part: String) async throws {
    let result = try await ProgramUnderTest.run(
      ["demo", "autolayout", "--frames"] + arguments, home: home)
    #expect(result.status == .exited(64))
    #expect(result.text == "")
    #expect(result.errorText.contains(part), "\(result.errorText)")
    #expect(result.errorText.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ["autolayout", "--rows", "0-1"], ["tweets", "--width", "20"], ["moments", "--pending"],
    ["slack", "--provoke-conflict"], ["slack", "--frames", "--provoke-conflict"],
    ["nothing", "--frames"],
  ])
  func conflictingOptionsAre64(arguments: [String]) async throws {
    let result = try await ProgramUnderTest.run(["demo"] + arguments, home: home)
    #expect(result.status == .exited(64))
    #expect(result.errorText.split(separator: "\n").count == 1)
  }

  /// Also without a name, if there is no terminal to choose on.
  @Test(arguments: [["--list"], []]) func everyDemoIsListed(arguments: [String]) async throws {
    let result = try await ProgramUnderTest.run(["demo"] + arguments, home: home)
    #expect(result.status == .exited(0))
    let names = result.text.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    #expect(names.map { String($0) } == DemoScreenTests.demos + ["list", "queue"])
  }
}
