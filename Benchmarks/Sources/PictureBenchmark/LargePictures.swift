import FoundationEssentials
import Glibc
import TerminalSession

/// What a picture of 4000x3000 takes until it stands in 40 columns by 12 rows of cells, beside
/// chafa and timg, which read it from a file: time, processor time and memory of all processes
/// together.
enum LargePictures {
  /// One showing.
  private struct Cost {
    /// From just before the process is made to the last byte that shows the picture.
    var milliseconds = 0.0
    var processorMilliseconds = 0.0
    /// The sum of the most that each process had resident.
    var megabytes = 0.0
    /// Part of the time in which the picture was sent to the program.
    var fetchMilliseconds = 0.0

    static func median(_ costs: [Cost]) -> Cost {
      func median(_ value: (Cost) -> Double) -> Double {
        let values = costs.map(value).sorted()
        return values.isEmpty ? 0 : values[values.count / 2]
      }
      return Cost(
        milliseconds: median(\.milliseconds),
        processorMilliseconds: median(\.processorMilliseconds),
        megabytes: median(\.megabytes), fetchMilliseconds: median(\.fetchMilliseconds))
    }
  }

  private struct Rival {
    let name: String
    let arguments: [String]

    static let all = [
      Rival(
        name: "chafa", arguments: ["--format", "symbols", "--colors", "full", "--size", "40x12"]),
      Rival(name: "timg", arguments: ["-p", "q", "-g", "40x12"]),
    ]

    /// Nil where it is not installed.
    var path: String? {
      let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return folders.split(separator: ":").map { "\($0)/\(name)" }
        .first { access($0, X_OK) == 0 }
    }
  }

  /// So high that a picture of four by three takes 12 rows, two thirds of them.
  private static let size = TerminalSize(columns: 100, rows: 18)
  /// A picture of 32x12 cells takes more, the text beside it less.
  private static let pictureBytes = 3_000

  static func measure(
    _ options: Options, folder: borrowing TemporaryFolder
  ) throws(BenchmarkError) {
    let made = LargePicture.all(seed: options.seed)
    print("4000x3000 to 40x12 cells: ms to the last byte, ms of the processor, MB of all processes")
    for picture in made {
      let file = folder.path + "/" + picture.name
      guard FileManager.default.createFile(atPath: file, contents: Data(picture.bytes)) else {
        throw .system(call: "open", subject: file, code: errno)
      }
      var costs: [String: [Cost]] = [:]
      for _ in 0..<options.rounds {
        costs["tideline", default: []].append(try show(picture, options, folder: folder))
        for rival in Rival.all {
          guard let path = rival.path else { continue }
          costs[rival.name, default: []].append(
            try show(file, rival, path, home: folder.emptyFolder("home")))
        }
      }
      let kilobytes = picture.bytes.count / 1_000
      var words = ["\(picture.name) (\(kilobytes) kB)"]
      for name in ["tideline"] + Rival.all.map(\.name) {
        guard let all = costs[name] else {
          words.append("\(name) is not installed")
          continue
        }
        let cost = Cost.median(all)
        words.append(
          "\(name) \(tenths(cost.milliseconds))"
            + (name == "tideline" ? " (fetch \(tenths(cost.fetchMilliseconds)))" : "")
            + ", \(tenths(cost.processorMilliseconds)), \(tenths(cost.megabytes))")
      }
      print(words.joined(separator: "; "))
    }
  }

  private static func show(
    _ picture: LargePicture, _ options: Options, folder: borrowing TemporaryFolder
  ) throws(BenchmarkError) -> Cost {
    let server = try HeldServer(["/" + picture.name: picture.bytes])
    server.release("/" + picture.name)
    let path = try Timeline.write(["\(server.address)/\(picture.name)"], in: folder.path)
    let session = try Timeline.open(
      options, path, mode: "symbols", home: folder.emptyFolder("home"), size: size,
      keepsPictures: true)
    let text = session.byteCount
    var last = try session.wait(
      forBytes: text + pictureBytes, named: picture.name, within: patience)
    last = try session.becomeCalm(within: patience) ?? last
    let tree = ProcessTree(of: session.process.processID)
    return Cost(
      milliseconds: (last - session.started) / .milliseconds(1),
      processorMilliseconds: Double(tree.microseconds) / 1_000,
      megabytes: Double(tree.peakKilobytes) / 1_000,
      fetchMilliseconds: (server.time(of: "/" + picture.name) ?? .zero) / .milliseconds(1))
  }

  private static func show(
    _ file: String, _ rival: Rival, _ path: String, home: String
  ) throws(BenchmarkError) -> Cost {
    let session = try Session(
      rival.name, path: path, arguments: rival.arguments + [file], home: home, size: size)
    var cost = Cost()
    // What it had at most is known until it ends, which is soon after its last byte.
    let look = {
      let peak = ProcessTree.peakKilobytes(of: session.process.processID)
      cost.megabytes = max(cost.megabytes, Double(peak) / 1_000)
    }
    while let time = try session.next(within: .milliseconds(2), look) {
      cost.milliseconds = (time - session.started) / .milliseconds(1)
    }
    let (status, microseconds) = session.process.end()
    guard status == 0 else { throw .failed(program: rival.name, status: status) }
    cost.processorMilliseconds = Double(microseconds) / 1_000
    return cost
  }
}
