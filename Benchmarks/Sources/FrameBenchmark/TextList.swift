/// A list on a canvas, whole: a cell, where its rows come from, and a frame. Nothing of it needs a
/// terminal; with one, `Screen` shows the canvas.

import Geometry
import Terminal
import TerminalViews
import TextLayout
import VirtualList

/// A row of wrapped text, laid out by constraints.
@MainActor final class TextCell: ListViewCell {
  private let label = Label(name: "label")

  init() {
    super.init(name: "cell")
    addSubview(label)
    label.topAnchor.constraint(equalTo: topAnchor).isActive = true
    label.leadingAnchor.constraint(equalTo: leadingAnchor, constant: 2).isActive = true
    label.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -1).isActive = true
    label.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -1).isActive = true
  }

  func show(_ text: String) { label.text = StyledText(text) }
}

/// Rows of one to ten sentences, the same for the same row.
@MainActor final class TextRows: ListViewDataSource {
  let count: Int

  init(count: Int) { self.count = count }

  func numberOfRows(in listView: ListView) -> Int { count }

  func listView(_ listView: ListView, rowIDForRowAt indexPath: IndexPath) -> RowID {
    RowID(UInt64(indexPath.row))
  }

  func listView(_ listView: ListView, cellForRowAt indexPath: IndexPath) -> ListViewCell {
    let cell = listView.dequeueReusableCell(
      TextCell.self, withIdentifier: "text", for: indexPath)
    let sentence = "The harbour gauge reads the water every six minutes, row \(indexPath.row). "
    cell.show(String(repeating: sentence, count: 1 + indexPath.row * 7 % 10))
    return cell
  }
}

/// A list of such rows that fills a canvas of 200x50 cells, two lines at the bottom left free.
@MainActor final class TextList {
  static let size = Size(width: 200, height: 50)

  let view = ListView(name: "list")
  private let rows: TextRows

  init(count: Int) {
    rows = TextRows(count: count)
    view.register({ TextCell() }, forCellReuseIdentifier: "text")
    view.dataSource = rows
    view.frame = Rect(x: 0, y: 0, width: Self.size.width, height: Self.size.height - 2)
  }

  /// What the list shows now.
  func frame() -> Canvas {
    view.layoutList()
    var canvas = Canvas(size: Self.size)
    view.render(into: &canvas, origin: .zero)
    return canvas
  }
}
