import System
import TestSupport

@testable import Library

/// A day in seconds.
let day = 86_400.0

extension NewItem {
  /// An item that its guid identifies.
  init(_ guid: String, published: Double? = nil, version: Int = 1) {
    self.init(
      guid: guid, link: "http://x/\(guid)", title: "title \(guid)", published: published,
      body: .line(Array("{\"id\":\"\(guid)\",\"version\":\(version)}".utf8)))
  }
}

extension FetchRecord {
  /// A document.
  init(_ items: [NewItem], title: String = "", nextTime: Double = 0) {
    self.init(.document(title: title, items: items), nextTime: nextTime)
  }
}

extension ItemRanges {
  /// The items, ascending.
  var items: [ItemID] { ranges.flatMap { range in range.map { ItemID($0) } } }
}

extension FeedLibrary {
  /// The feed with an address, followed or left.
  func feed(at address: String) throws(LibraryError) -> Feed? {
    try feeds(includeLeft: true).first { $0.address == address }
  }

  /// The lines of the timeline.
  func lines(in scope: FeedScope = .everything) throws(LibraryError) -> [String] {
    var lines: [String] = []
    try forEachBody(in: scope) { _, body in
      if case .line(let line) = body { lines.append(String(decoding: line, as: UTF8.self)) }
      return true
    }
    return lines
  }

  /// The guids of the timeline.
  func guids(in scope: FeedScope = .everything) throws(LibraryError) -> [String] {
    try lines(in: scope).compactMap {
      $0.split(separator: "\"").dropFirst(3).first.map(String.init)
    }
  }

  /// The guids of unread items, newest first.
  var unreadGuids: [String] {
    get throws(LibraryError) {
      let unread = try unreadItems()
      var guids: [String] = []
      try forEachBody { item, body in
        if case .line(let line) = body, unread.contains(item) {
          let text = String(decoding: line, as: UTF8.self)
          guids += text.split(separator: "\"").dropFirst(3).first.map { [String($0)] } ?? []
        }
        return true
      }
      return guids
    }
  }
}
