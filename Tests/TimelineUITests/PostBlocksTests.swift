import Feeds
import Terminal
import TerminalViews
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TimelineUI

/// Texts and pictures in any order, against the most obvious model of a post on a screen: a list of
/// parts.
///
/// 1. The parts of each row stand in the order of its post, and none of its texts is left out
///    between two that show.
/// 2. Paragraphs have one blank line between them where no picture stands there.
/// 3. An arrival leaves the words at the top edge where they are, and so does another width.
@MainActor @Suite struct PostBlocksTests {
  nonisolated private static let steps = Rounds.times(150)

  /// What stands on a line.
  private enum Part: Hashable {
    case title
    case paragraph(Int)
    case picture(Int32)
  }

  private struct Held {
    let row: UInt64
    let word: Substring
  }

  private struct Work {
    var orderedRows = 0
    var keptLines = 0
    var resizes = 0
  }

  @Test func everyPartKeepsItsPlace() async {
    var work = Work()
    let seeds: ClosedRange<UInt64> = 1...4
    for seed in seeds { await walk(seed: seed, &work) }
    // Pictures arrive when their turn comes, so a seed alone may keep hardly a line.
    let steps = Self.steps * seeds.count
    #expect(work.orderedRows > steps / 4, "\(work)")
    #expect(work.keptLines > steps / 50, "\(work)")
  }

  private func walk(seed: UInt64, _ work: inout Work) async {
    var random = SeededGenerator(seed: seed)
    let caches = PictureRows.Caches.allCases[Int(seed) % PictureRows.Caches.allCases.count]
    let rows = PictureRows(seed: seed, caches: caches, count: 40)
    var frame = rows.frame()
    var held: Held?
    for step in 0..<Self.steps {
      let place = "seed \(seed), step \(step)"
      let list = rows.list
      // At the end what grows pushes up.
      let mayMove = list.isFollowing || list.isAtEnd
      var keepsTop = false
      switch Int.random(in: 0...9, using: &random) {
      case 0...4:
        keepsTop = true
        if let url = rows.transport.waiting.randomElement(using: &random) {
          rows.transport.answer(url, fails: Int.random(in: 0...5, using: &random) == 0)
        }
        for _ in 0..<Int.random(in: 1...12, using: &random) { await Task.yield() }
      case 5...7: list.scroll(byLines: Int.random(in: -12...14, using: &random))
      case 8:
        keepsTop = true
        list.frame.size.width = [41, 49, 61, 90][step % 4]
        work.resizes += 1
      default:
        list.scrollToRow(
          at: IndexPath(row: Int.random(in: 0..<rows.rows.count, using: &random)), at: .top)
      }
      let next = rows.frame(preparesSurroundings: step % 2 == 0)
      for shown in next.visible { check(rows, next, shown.row, &work, place) }
      if mayMove || list.isAtEnd {
        held = nil
      } else if !keepsTop {
        // Where nothing moved, another width may have put other words before the one that is held.
        let hasMoved =
          next.text(onLine: 0) != frame.text(onLine: 0)
          || next.visible.first?.id != frame.visible.first?.id
        if hasMoved { held = self.held(in: next) }
      } else if let held {
        check(held: held, in: next, &work, place)
      }
      frame = next
    }
  }

  /// The model: title, paragraphs and pictures as the post has them.
  private func parts(of post: Post) -> [Part] {
    var parts: [Part] = [.title]
    let count = post.body.paragraphs.count
    for place in 0...count {
      for picture in post.pictures where picture.place == place {
        parts.append(.picture(color(of: picture)))
      }
      if place < count { parts.append(.paragraph(place)) }
    }
    for picture in post.pictures where picture.place == nil {
      parts.append(.picture(color(of: picture)))
    }
    return parts
  }

  private func color(of picture: Post.Picture) -> Int32 {
    let color = UInt32(ColoredPicture.numbers(of: picture.url)[0])
    return Color.rgb(UInt8(color >> 16 & 0xFF), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF))
      .rawValue
  }

  /// Of pictures side by side, the first.
  private func part(
    onLine y: Int, of frame: PictureRows.Frame, among expected: [Part], avatar: Set<Int32>
  ) -> Part? {
    let text = frame.text(onLine: y)
    let words = text.split(separator: " ")
    if let word = words.first(where: { $0.hasPrefix("p") && $0.contains("w") }) {
      return word.dropFirst().prefix { $0 != "w" }.first?.wholeNumberValue.map { .paragraph($0) }
    }
    if text.hasPrefix("row ") || text.contains(" row ") { return .title }
    let colors = frame.colors(onLine: y).subtracting(avatar).map { Part.picture($0) }
    return colors.first { !expected.contains($0) } ?? expected.first { colors.contains($0) }
  }

  private func check(
    _ rows: PictureRows, _ frame: PictureRows.Frame, _ row: ListModel.VisibleRow,
    _ work: inout Work, _ place: String
  ) {
    let post = rows.rows[row.row].post
    let expected = parts(of: post)
    let avatar = Set(
      [post.author?.avatar].compactMap(\.self).map { color(of: Post.Picture(url: $0)) })
    let lines = frame.lines(of: row)
    let found = lines.map { part(onLine: $0, of: frame, among: expected, avatar: avatar) }
    var order: [Int] = []
    for case let part? in found {
      guard let index = expected.firstIndex(of: part) else {
        Issue.record("\(part) is not of row \(row.row): \(expected), \(place)")
        return
      }
      if order.last != index { order.append(index) }
    }
    #expect(order == order.sorted(), "row \(row.row): \(order) of \(expected), \(place)")
    if order.count > 2 { work.orderedRows += 1 }
    for (above, below) in zip(order, order.dropFirst()) {
      let between = expected[min(above, below)...max(above, below)].dropFirst().dropLast()
      for part in between {
        if case .paragraph = part {
          Issue.record("\(part) is left out of row \(row.row), \(place)")
        }
      }
      // Neighbours in the post with nothing between them.
      guard case .paragraph = expected[above], case .paragraph = expected[below], between.isEmpty,
        let end = found.lastIndex(of: expected[above]),
        let start = found.firstIndex(of: expected[below])
      else { continue }
      #expect(start == end + 2, "between \(expected[above]) and the next, \(place)")
    }
  }

  /// The word with which the top line began when the reader last moved is on the top line still.
  private func check(
    held: Held, in frame: PictureRows.Frame, _ work: inout Work, _ place: String
  ) {
    let line = frame.text(onLine: 0)
    #expect(frame.visible.first?.id == held.row, "\(place)")
    #expect(
      line.split(separator: " ").contains(held.word), "\(held.word) is not in \"\(line)\", \(place)"
    )
    work.keptLines += 1
  }

  /// What the reader keeps at the top edge; nil where no words stand there.
  private func held(in frame: PictureRows.Frame) -> Held? {
    guard let first = frame.visible.first,
      let word = frame.text(onLine: 0).split(separator: " ").first(where: {
        $0.hasPrefix("p") && $0.contains("w")
      })
    else { return nil }
    return Held(row: first.id, word: word)
  }
}
