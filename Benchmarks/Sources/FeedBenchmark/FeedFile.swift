import Glibc
import TerminalSession

/// A feed of a given size, the same on every machine: items with HTML as feeds have it.
struct FeedFile {
  enum Format: String, CaseIterable {
    case rss, atom, jsonfeed, jsonl
  }

  let format: Format
  let path: String
  let byteCount: Int
  /// What only its first and only its last item have.
  let marks: (first: String, last: String)

  /// - Throws: `BenchmarkError` where the file cannot be written.
  init(_ format: Format, megabytes: Int, folder: String) throws(BenchmarkError) {
    self.format = format
    path = "\(folder)/\(megabytes).\(format.rawValue)"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw .system(call: "open", subject: path, code: errno) }
    defer { close(file) }
    var written = 0
    var number = 0
    var text = Self.beginning(of: format)
    while written + text.utf8.count < megabytes << 20 {
      text += Self.item(number, format)
      number += 1
      if text.utf8.count > 1 << 20 {
        written += try Self.write(text, to: file, path)
        text = ""
      }
    }
    text += Self.end(of: format)
    marks = (Self.title(0), Self.title(number - 1))
    byteCount = written + (try Self.write(text, to: file, path))
  }

  private static func write(
    _ text: String, to file: Int32, _ path: String
  ) throws(BenchmarkError) -> Int {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw .system(call: "write", subject: path, code: errno) }
      done += count
    }
    return done
  }

  private static func beginning(of format: Format) -> String {
    switch format {
    case .rss:
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" "
        + "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel><title>Tides</title>"
        + "<link>https://tideline.example/</link>\n"
    case .atom:
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">"
        + "<title>Tides</title><id>urn:tides</id>\n"
    case .jsonfeed:
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"Tides\",\"items\":["
    case .jsonl: ""
    }
  }

  private static func end(of format: Format) -> String {
    switch format {
    case .rss: "</channel></rss>\n"
    case .atom: "</feed>\n"
    case .jsonfeed: "]}\n"
    case .jsonl: ""
    }
  }

  /// Without neighbouring characters alike, which may be sent abbreviated, and with an end of its
  /// own.
  private static func title(_ number: Int) -> String {
    let digits = "\(number)".map(String.init).joined(separator: "-")
    return "Water «\(digits)»"
  }

  /// An item of about 2.5 kB.
  private static func item(_ number: Int, _ format: Format) -> String {
    let title = title(number) + " & what it left"
    let address = "https://tideline.example/\(number)"
    let day = 1 + number % 28
    let time = "2024-03-\(day < 10 ? "0" : "")\(day)T08:05:00Z"
    let html = html(number)
    switch format {
    case .rss:
      return "<item><title>\(escaped(title))</title><link>\(address)</link><guid>\(address)</guid>"
        + "<pubDate>Sat, \(day < 10 ? "0" : "")\(day) Mar 2024 08:05:00 GMT</pubDate>"
        + "<category>tide</category><content:encoded><![CDATA[\(html)]]></content:encoded></item>\n"
    case .atom:
      return "<entry><title>\(escaped(title))</title><link href=\"\(address)\"/><id>\(address)</id>"
        + "<updated>\(time)</updated><author><name>Gauge</name></author>"
        + "<content type=\"html\">\(escaped(html))</content></entry>\n"
    case .jsonfeed, .jsonl:
      let separator = format == .jsonl ? "\n" : ",\n"
      let first = format == .jsonfeed && number > 0 ? separator : ""
      return "\(first){\"id\":\"\(address)\",\"url\":\"\(address)\",\"title\":\"\(title)\","
        + "\"date_published\":\"\(time)\",\"authors\":[{\"name\":\"Gauge\"}],\"content_html\":\""
        + quoted(html) + "\"}" + (format == .jsonl ? separator : "")
    }
  }

  private static let words = [
    "harbour", "gauge", "the", "water", "of", "spring", "tide", "and", "mooring", "rose", "by",
    "four", "metres", "at", "dusk", "with", "wind", "from", "south-west", "naïve", "Küste", "潮",
  ]

  private static func html(_ number: Int) -> String {
    var state = UInt64(number) &* 6_364_136_223_846_793_005 &+ 1
    func word() -> String {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return words[Int(state >> 33) % words.count]
    }
    func sentence(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }
    var html = ""
    for paragraph in 0..<5 {
      html +=
        "<p>\(sentence(30)) <a href=\"/\(number)/\(paragraph)?a=1&amp;b=2\">\(sentence(3))</a>, "
      html += "<em>\(sentence(2))</em> \(sentence(20)).</p>\n"
    }
    html +=
      "<p><img src=\"/\(number).jpg\" alt=\"\(sentence(4))\" width=\"640\" height=\"480\"></p>"
    html +=
      "<ul><li>\(sentence(8))</li><li><strong>\(sentence(2))</strong> \(sentence(6))</li></ul>"
    return html
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func quoted(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
