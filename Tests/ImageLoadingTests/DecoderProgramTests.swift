import FoundationEssentials
import Glibc
import ImageLoading
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import ImageDecoding

/// Decoding in separate processes: the same pictures, and nothing worse than a failed picture.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct DecoderProgramTests {
  private let inProcess = SystemImageDecoder()
  private let reports = Reports()
  private let program: DecoderProgram

  private final class Reports: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  init() throws {
    let reports = reports
    program = DecoderProgram(path: try ProgramUnderTest.path(of: DecoderProgram.name)) {
      reports.add($0)
    }
  }

  /// A program that acts as its name says (`DecoderTestProgram`).
  private func program(acting name: String, in folder: TemporaryFolder) throws -> DecoderProgram {
    let path = folder.path + "/" + name
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: ProgramUnderTest.path(of: "DecoderTestProgram"))
    let reports = reports
    return DecoderProgram(path: path) { reports.add($0) }
  }

  private func outcome(
    _ decoder: SystemImageDecoder, _ bytes: [UInt8], _ box: PixelSize,
    _ limits: ImageLimits = ImageLimits()
  ) -> Result<DecodedImage, ImageError> {
    do throws(ImageError) {
      return .success(try decoder.decodeAvailable(bytes, fitting: box, limits: limits))
    } catch {
      return .failure(error)
    }
  }

  private static let pictures: [(name: String, bytes: [UInt8])] =
    SamplePictures.encoded + [
      ("made.png", SamplePictures.png), ("made.gif", SamplePictures.gif),
      ("unsized.gif", SamplePictures.gifWithoutScreen),
      ("cut.png", Array(SamplePictures.png.dropLast(30))),
      (
        "turned.jpeg",
        SamplePictures.withEXIF(SamplePictures.wideJPEG, orientation: 6, isBig: true)
      ),
    ]

  /// Larger ones, which are bundled with the program, and half of one.
  private static func bundledPictures() throws -> [(name: String, bytes: [UInt8])] {
    let names = [
      "mudflats.jpeg", "bridge-fog.jpeg", "reef.webp", "container-ship.png", "tide-staff.gif",
    ]
    var all = try names.map {
      (name: $0, bytes: try PackageFiles.bytes("/Resources/Content/pictures/" + $0))
    }
    let whole = try #require(all.first)
    all.append(("cut.jpeg", Array(whole.bytes.prefix(whole.bytes.count / 2))))
    return all
  }

  @Test(arguments: [640, 97, 3]) func itDecodesAsThisProcessDoes(side: Int) throws {
    let decoder = SystemImageDecoder(program: program)
    let box = PixelSize(width: side, height: side)
    for (name, bytes) in try Self.pictures + Self.bundledPictures() {
      #expect(outcome(decoder, bytes, box) == outcome(inProcess, bytes, box), "\(name)")
    }
    #expect(program.restingProcesses.count == 1 && reports.all == [])
  }

  /// A picture waits for the process that was started for it, and starts no other.
  @Test func processStartsBeforeThePicture() throws {
    let decoder = SystemImageDecoder(program: program)
    decoder.prepare()
    decoder.prepare()
    let process = try restingProcess()
    #expect(program.restingProcesses == [process] && reports.all == [])
    decoder.prepare()
    #expect(try restingProcess() == process && program.restingProcesses.count == 1)
  }

  @Test func damageIsAnErrorOrAPicture() throws {
    let decoder = SystemImageDecoder(program: program)
    let limits = ImageLimits(maximumPixels: 2_000_000)
    let box = PixelSize(width: 100, height: 80)
    let kinds = Dictionary(grouping: Self.pictures) {
      String($0.name.split(separator: ".").last ?? "")
    }
    for (kind, pictures) in kinds {
      let seed = UInt64(kind.utf8.reduce(0) { $0 &* 31 &+ Int($1) })
      var generator = SeededGenerator(seed: seed)
      var (decoded, refused) = (0, 0)
      for round in 0..<Rounds.times(150) {
        let picture = pictures[round % pictures.count]
        let bytes = PictureDamage.damaged(picture.bytes, &generator)
        switch outcome(decoder, bytes, box, limits) {
        case .success: decoded += 1
        // The result of a damaged size in some versions of a library.
        case .failure(.decoderFailed("it needs more memory than it may have")): refused += 1
        case .failure(.decoderFailed(let reason)):
          Issue.record("\(picture.name), seed \(seed), round \(round): \(reason)")
        case .failure(let error):
          refused += 1
          #expect(!error.description.contains("\n"), "\(picture.name), round \(round)")
        }
      }
      #expect(decoded > 0 && refused > 0, "\(kind)")
    }
    let process = try #require(program.restingProcesses.first)
    #expect(program.restingProcesses.count == 1)
    #expect(try #require(Self.field("VmHWM", of: process)) < 64_000)
  }

  /// A number from a process's status.
  private static func field(_ name: String, of process: Int32) -> Int? {
    let status =
      (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split { !$0.isNumber }.first.flatMap { Int($0) }
  }

  private func restingProcess() throws -> Int32 {
    _ = try SystemImageDecoder(program: program).decode(
      SamplePictures.png, fitting: PixelSize(width: 9, height: 9), limits: ImageLimits())
    return try #require(program.restingProcesses.first)
  }

  @Test func processesAreSandboxed() throws {
    let process = try restingProcess()
    // The channel, and `/dev/null`.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    #expect(open.sorted() == ["0", "1", "2"])
    #expect(Self.field("NoNewPrivs", of: process) == 1)
    // System calls are filtered.
    #expect(Self.field("Seccomp", of: process) == 2)
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    func limit(_ name: String) -> Substring? {
      limits.split(separator: "\n").first { $0.hasPrefix(name) }?
        .dropFirst(name.count).split(separator: " ").first
    }
    #expect(limit("Max address space") == "268435456" && limit("Max cpu time") == "30")
    #expect(limit("Max processes") == "0" && limit("Max open files") == "5")
    #expect(limit("Max file size") == "0" && limit("Max core file size") == "0")
  }

  @Test func aKilledProcessIsReplaced() async throws {
    let process = try restingProcess()
    #expect(kill(process, SIGKILL) == 0)
    await eventually { !FileManager.default.fileExists(atPath: "/proc/\(process)") }
    let other = try restingProcess()
    #expect(other != process && reports.all == [])
  }

  /// Even before its end is noticed: it may take the order and never read it.
  @Test func aPictureOutlivesItsProcess() throws {
    for _ in 0..<20 {
      let process = try restingProcess()
      #expect(kill(process, SIGKILL) == 0)
      #expect(try restingProcess() != process && reports.all == [])
    }
  }

  @Test(arguments: [
    ("crashing", "its decoder failed: it died of signal 6"),
    ("failing", "its decoder failed: it ended with status 3"),
    ("leaving", "its decoder failed: it ends as soon as it is started"),
    ("short", "its decoder failed: it sent an invalid answer"),
    ("numbers", "its decoder failed: it sent an invalid answer"),
  ])
  func misbehaviourFailsOnlyItsPicture(name: String, expected: String) throws {
    let folder = try TemporaryFolder()
    let decoder = SystemImageDecoder(program: try program(acting: name, in: folder))
    let box = PixelSize(width: 9, height: 9)
    for _ in 0..<2 {
      guard case .failure(let error) = outcome(decoder, SamplePictures.png, box) else {
        Issue.record("a picture")
        return
      }
      #expect(error.description == expected)
    }
    #expect(reports.all == [])
  }

  /// Otherwise one would respond to pictures that it has not seen, or hold the memory of all orders
  /// until the caller has to wait for it.
  @Test(arguments: ["twice", "hoarding"])
  func anOutOfStepDecoderIsGivenUp(name: String) throws {
    let folder = try TemporaryFolder()
    let decoder = SystemImageDecoder(program: try program(acting: name, in: folder))
    let box = PixelSize(width: 9, height: 9)
    // The one that answers twice may do so just after the next order.
    for _ in 0..<300 {
      guard case .failure(let error) = outcome(decoder, SamplePictures.png, box) else { continue }
      #expect(error == .decoderFailed(reason: "it answered out of turn"))
      return
    }
    Issue.record("it was never given up")
  }

  /// Sizes are not taken from its output, and its words cannot control a terminal.
  @Test func decoderOutputIsNotTrusted() throws {
    let folder = try TemporaryFolder()
    let box = PixelSize(width: 9, height: 9)
    let sizes = SystemImageDecoder(program: try program(acting: "sizes", in: folder))
    let image = try outcome(sizes, SamplePictures.png, box).get()
    let blank = PixelBuffer(
      size: PixelSize(width: 3, height: 2), red: 0, green: 0, blue: 0, alpha: 0)
    #expect(image.pixels == blank)
    let words = SystemImageDecoder(program: try program(acting: "words", in: folder))
    guard case .failure(let error) = outcome(words, SamplePictures.png, box) else {
      Issue.record("a picture")
      return
    }
    #expect(error.description.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }

  /// On a system without a filter of system calls it decodes, and that is reported once.
  @Test func aMissingFilterIsReported() throws {
    let folder = try TemporaryFolder()
    let decoder = SystemImageDecoder(program: try program(acting: "unfiltered", in: folder))
    let box = PixelSize(width: 9, height: 9)
    for _ in 0..<2 {
      let expected = outcome(inProcess, SamplePictures.png, box)
      #expect(outcome(decoder, SamplePictures.png, box) == expected)
    }
    #expect(
      reports.all == [
        "\(folder.path)/unfiltered: Invalid argument: "
          + "pictures are decoded without a filter of system calls"
      ])
  }

  @Test(arguments: ["silent", "older", "missing"])
  func aMissingProgramIsReplaced(name: String) throws {
    let folder = try TemporaryFolder()
    let reports = reports
    let program =
      name == "missing"
      ? DecoderProgram(path: folder.path + "/missing") { reports.add($0) }
      : try program(acting: name, in: folder)
    let decoder = SystemImageDecoder(program: program)
    let box = PixelSize(width: 9, height: 9)
    for _ in 0..<3 {
      let expected = outcome(inProcess, SamplePictures.png, box)
      #expect(outcome(decoder, SamplePictures.png, box) == expected)
    }
    #expect(reports.all.count == 1)
    #expect(reports.all.first?.contains("decoded in the program itself") == true)
  }

  @Test func aStoppedDecoderIsKilled() async throws {
    let folder = try TemporaryFolder()
    let program = try program(acting: "waiting", in: folder)
    let decoder = SystemImageDecoder(program: program)
    let stop = DecodingStop()
    let decoding = Task.detached {
      do throws(ImageError) {
        _ = try decoder.decodeAvailable(
          SamplePictures.png, fitting: PixelSize(width: 9, height: 9), limits: ImageLimits(),
          stop: stop)
        return nil as ImageError?
      } catch {
        return error
      }
    }
    stop.stop()
    // Whether it had begun or not.
    #expect(await decoding.value == .decoderFailed(reason: "it was stopped"))
    #expect(program.restingProcesses == [])
  }

  /// A progressive picture is held whole, four channels of two bytes a pixel here.
  @Test func outOfMemoryIsNotReportedAsCorrupted() throws {
    let channels: [UInt8] = [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0]
    let frame: [UInt8] = [0xFF, 0xC2, 0, 20, 8, 0x13, 0x88, 0x1F, 0x40, 4] + channels
    let scan: [UInt8] = [0xFF, 0xDA, 0, 14, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0]
    #expect(
      outcome(
        SystemImageDecoder(program: program), [0xFF, 0xD8] + frame + scan + [0xFF, 0xD9],
        PixelSize(width: 40, height: 40))
        == .failure(.decoderFailed(reason: "it needs more memory than it may have")))
  }

  /// A picture that needs more memory than the process may have is marked, and the next one is
  /// decoded.
  @Test func picturesNeedingTooMuchMemoryFail() throws {
    let decoder = SystemImageDecoder(program: program)
    let size = PixelSize(width: 9_000, height: 9_000)
    let limits = ImageLimits(maximumPixels: 100_000_000)
    let bytes = SamplePictures.losslessWebP(size)
    let small = PixelSize(width: 40, height: 40)
    guard case .failure(let error) = outcome(decoder, bytes, small, limits) else {
      Issue.record("a picture")
      return
    }
    #expect(error == .decoderFailed(reason: "it needs more memory than it may have"))
    // The largest picture that is shown by default is decoded.
    let largest = SamplePictures.losslessWebP(PixelSize(width: 8_000, height: 5_000))
    #expect(try decoder.decode(largest, fitting: small, limits: limits)[39, 24] == [9, 8, 7, 255])
    #expect(try decoder.decode(SamplePictures.png, fitting: small, limits: limits).size.width == 3)
  }
}
