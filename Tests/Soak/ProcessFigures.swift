import FoundationEssentials

/// The resource use of a process, from `/proc`.
struct ProcessFigures {
  var kilobytes = 0
  var descriptors = 0
  var threads = 0

  init(_ process: Int32) {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    for line in status.split(separator: "\n") {
      let value = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).dropFirst().first
      guard let number = value.flatMap({ Int($0) }) else { continue }
      if line.hasPrefix("VmRSS:") { kilobytes = number }
      if line.hasPrefix("Threads:") { threads = number }
    }
    let folder = "/proc/\(process)/fd"
    descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }
}

/// Connections on the loopback interface, from `/proc/net/tcp`.
enum Connections {
  /// The clients' connections to `port`: being opened, established, or closed only by the server.
  static func count(toPort port: UInt16) -> Int {
    let digits = String(port, radix: 16, uppercase: true)
    let remote = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
    let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
    return table.split(separator: "\n").count { line in
      let fields = line.split(separator: " ")
      return fields.count > 3 && fields[2] == remote && ["01", "02", "08"].contains(fields[3])
    }
  }
}

/// The resource use of a program at each rest.
struct UsageRecord {
  private var samples: [ProcessFigures] = []

  mutating func note(_ figures: ProcessFigures) { samples.append(figures) }

  var maximumKilobytes: Int { samples.map(\.kilobytes).max() ?? 0 }

  /// The medians of the four quarters of the run.
  var text: String {
    let text = { (name: String, value: KeyPath<ProcessFigures, Int>) in
      let medians = (0..<4).map { quarter in
        let range = (samples.count * quarter / 4)..<(samples.count * (quarter + 1) / 4)
        return "\(Self.median(samples[range], value))"
      }
      return "\(name) \(medians.joined(separator: " → "))"
    }
    return [
      text("kB", \.kilobytes), text("descriptors", \.descriptors), text("threads", \.threads),
    ].joined(separator: ", ")
  }

  /// The resource that has grown; `nil` if none has, or if there are fewer than 100 samples.
  ///
  /// Compares the medians of the last two quarters: before that, pictures fill their caches, which
  /// takes minutes, and fewer samples are taken in less. The numbers of threads and descriptors vary by a few; memory is allocated and
  /// freed in megabytes.
  var growth: String? {
    guard samples.count >= 100 else { return nil }
    let half = samples.suffix(samples.count / 2)
    let (first, last) = (half.prefix(half.count / 2), half.suffix(half.count / 2))
    let bounds: [(String, KeyPath<ProcessFigures, Int>, (Int) -> Int)] = [
      ("memory in kB", \.kilobytes, { $0 + $0 / 8 + 12_000 }),
      ("descriptors", \.descriptors, { $0 + 2 }), ("threads", \.threads, { $0 + 2 }),
    ]
    for (name, value, bound) in bounds {
      let (before, after) = (Self.median(first, value), Self.median(last, value))
      if after > bound(before) { return "\(name) went from \(before) to \(after)" }
    }
    return nil
  }

  private static func median(
    _ samples: some Collection<ProcessFigures>, _ value: KeyPath<ProcessFigures, Int>
  ) -> Int {
    let sorted = samples.map { $0[keyPath: value] }.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
