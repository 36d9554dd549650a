import FoundationEssentials
import TestSupport
import Testing

/// Tests depend only on the checkout and do not disturb other tests.
@Suite struct TestRulesTests {
  private let files: [TestFile]

  private static let all = Result { try TestFile.all(except: ["TestRulesTests.swift"]) }

  init() throws {
    files = try Self.all.get()
    #expect(files.count > 300)
  }

  /// Tests are the same with and without a folder of real data beside the checkout.
  @Test func onlySuitesOfRealDataReadIt() {
    var suites: Set<String> = []
    for file in files where file.contains("RealData") && file.name != "RealData.swift" {
      #expect(file.name.hasPrefix("Real"), "\(file.path) reads what the package does not hold")
      #expect(file.contains("@Suite(.realData)"), "\(file.path)")
      #expect(file.places(of: "@Suite").count == 1, "\(file.path) has suites that always run")
      suites.insert(String(file.name.dropLast(".swift".count)))
    }
    #expect(suites == ["RealFeedTests", "RealPictureTests"])
    for file in files where !suites.contains(String(file.name.dropLast(6))) {
      for name in ["TIDELINE_SHARED", "../shared"] where file.name != "RealData.swift" {
        #expect(!file.contains(name), "\(file.path) names \(name)")
      }
    }
  }

  /// Each runs in the step of `.ci/run` that has the data.
  @Test func suitesOfRealDataHaveAStep() throws {
    let steps = String(decoding: try PackageFiles.bytes("/.ci/run"), as: UTF8.self)
    #expect(steps.contains("--filter 'RealFeedTests|RealPictureTests'"))
  }

  /// If the guard against private addresses broke, a test would send requests to whatever answers
  /// there.
  @Test func noAddressCanAnswer() {
    let networks = [("10", 2), ("192.168", 1), ("169.254", 1)]
    for file in files {
      for (network, count) in networks {
        for place in file.places(of: network)
        where file.isWordStart(place) && file.hasNumbers(count, at: place + network.utf8.count) {
          Issue.record("\(file.path): \(file.line(at: place))")
        }
      }
    }
  }

  /// All tests share one process and run concurrently, so a change of its state affects other
  /// tests. A test that needs another environment starts a process.
  @Test func noTestChangesTheProcess() {
    let calls = [
      "setenv(", "putenv(", "chdir(", "umask(", "setrlimit(", "sigaction(", "sigprocmask(",
      "pthread_sigmask(", "setlocale(", "changeCurrentDirectoryPath", "setpriority(",
    ]
    // These are other programs, or run before the first test.
    let others = ["Tests/CTestProcess/", "Tests/TerminalTestProgram/", "Tests/DecoderTestProgram/"]
    for file in files
    where file.path.hasPrefix("Tests/") && !others.contains(where: file.path.hasPrefix) {
      for call in calls {
        for place in file.places(of: call) where file.isWordStart(place) {
          Issue.record("\(file.path): \(file.line(at: place))")
        }
      }
      // Symbolizing a stack reads mappings that other tests unmap; replacing the terminfo entry
      // changes the environment.
      for call in [".symbolicated(", ".whileInstalled"] where file.contains(call) {
        let module = file.path.split(separator: "/").dropLast().joined(separator: "/") + "/"
        let isAside = files.contains {
          $0.path.hasPrefix(module) && $0.contains("processExitsWith: .success")
        }
        #expect(isAside, "\(file.path) calls \(call) beside other tests")
      }
    }
  }
}
