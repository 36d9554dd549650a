import Glibc

/// Why nothing, or not all, was measured.
package enum BenchmarkError: Error, CustomStringConvertible {
  /// The argument that is not known, lacks its value or has a wrong one.
  case wrongArgument(String)
  /// No program at this path.
  case notBuilt(String)
  /// A system call failed: its name, what it was given, and `errno`.
  case system(call: String, subject: String, code: Int32)
  /// A program ended by itself: its name, and the last it wrote.
  case ended(program: String, text: String)
  /// A program ended with that status.
  case failed(program: String, status: Int32)
  /// A program takes no more keys.
  case notReading(program: String)
  /// A program did not do in so many seconds what it was to do.
  case late(program: String, waitingFor: String, seconds: Int)
  /// Ctrl-C, or a signal that ends programs.
  case interrupted

  package var description: String {
    switch self {
    case .wrongArgument(let argument): "not known: \(argument) (--help shows the usage)"
    case .notBuilt(let path):
      "\(path) is not built (swift build -c release --product tideline)"
    case .system(let call, let subject, let code):
      "\(call) \(subject): \(String(cString: strerror(code)))"
    case .ended(let program, let text): "\(program) ended by itself; it wrote at last: \(text)"
    case .failed(let program, let status): "\(program) ended with status \(status)"
    case .notReading(let program): "\(program) takes no more keys"
    case .late(let program, let what, let seconds):
      "\(program) did not show \(what) in \(seconds) s"
    case .interrupted: "interrupted"
    }
  }

  /// As sysexits.h and the shells have it.
  package var exitStatus: Int32 {
    switch self {
    case .wrongArgument: 64
    case .notBuilt: 66
    case .interrupted: 130
    default: 70
    }
  }
}
