import FoundationEssentials
import TestSupport
import Testing

/// A script with the argument `--help` or with wrong arguments prints its usage and does nothing
/// else.
@Suite(.ownThreads) struct ScriptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Scripts run in a copy, in case of mistakes.
    for name in ["Scripts", "Fuzz/Sources/FuzzTargets"] {
      try folder.makeFolder("copy/" + name)
      try FileManager.default.removeItem(atPath: folder.path + "/copy/" + name)
      try FileManager.default.copyItem(
        atPath: PackageFiles.root + "/" + name, toPath: folder.path + "/copy/" + name)
    }
    for name in Self.programs {
      let path = try folder.write(
        "#!/bin/sh\necho \"$0 $*\" >>'\(folder.path)/started'\n", to: "bin/" + name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
  }

  /// Programs that the scripts call.
  private static let programs = [
    "swift", "swiftc", "docc", "cc", "clang", "sudo", "apt-get", "dnf", "pacman", "brew", "curl",
    "wget", "debootstrap", "mount", "unshare", "chroot", "Xvfb", "xterm", "foot", "sway", "w3m",
  ]

  private static let scripts =
    ((try? FileManager.default.contentsOfDirectory(
      atPath: PackageFiles.root + "/Scripts"))?.sorted() ?? []).filter(canRun)

  /// A name with an ending is a file that a script reads. Python is not required by the program or
  /// its tests: without it, Python scripts are skipped.
  private static func canRun(_ script: String) -> Bool {
    guard !script.contains(".") else { return false }
    let path = "\(PackageFiles.root)/Scripts/\(script)"
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    guard text?.hasPrefix("#!/usr/bin/env python3\n") == true else { return true }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
  }

  @Test func thereAreScripts() { #expect(Self.scripts.count > 8) }

  @Test(arguments: scripts) func onlyTheUsageIsPrinted(script: String) async throws {
    let before = try files
    let help = try await run(script, "--help")
    #expect(help.status == .exited(0))
    #expect(help.text.hasPrefix("usage: ") && help.text.contains(script), "\(help.text)")
    #expect(help.errorText == "")
    let wrong = try await run(script, "--nonsense")
    #expect(wrong.status == .exited(64))
    #expect(wrong.errorText.hasPrefix("usage: ") && wrong.text == "", "\(wrong.errorText)")
    #expect(try files == before)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/started"))
  }

  private var files: [String] {
    get throws { try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() }
  }

  private func run(_ script: String, _ argument: String) async throws -> PipedRun.Result {
    var environment = ProgramUnderTest.environment(home: folder)
    environment["PATH"] = folder.path + "/bin:" + (environment["PATH"] ?? "")
    environment["TMPDIR"] = folder.path
    return try await PipedRun.run(
      path: "\(folder.path)/copy/Scripts/\(script)", arguments: [argument],
      environment: environment, workingFolder: folder.path)
  }
}
