import ConstraintLayout

/// A text given by its number of letters, wrapped at any column. A real one would measure its string.
final class Note: LayoutItem {
  var letters = 0 { didSet { invalidateIntrinsicContentSize() } }

  override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: Double(letters)) }

  override func intrinsicHeight(forWidth width: Int) -> Int? {
    width > 0 ? (letters + width - 1) / width : 0
  }
}

/// A picture with a note right of it: never lower than the picture, and as high as the note needs.
final class NoteCell: LayoutItem {
  let picture = LayoutItem(name: "picture")
  let note = Note(name: "note")

  init(note letters: Int) {
    super.init(name: "cell")
    addSubitem(picture)
    addSubitem(note)
    note.letters = letters

    // The builder: active at once, each returns the constraint it made.
    picture.top(offset: 1)
    picture.leading(offset: 1)
    picture.width(8)
    picture.aspectRatio(1)  // A square in pixels, not in cells.
    note.top(to: picture)
    note.trailing(offset: -1)
    note.leading(to: picture, edge: .trailing, offset: 1)

    // Anchors: made inactive, then activated together.
    LayoutConstraint.activate([
      bottomAnchor.constraint(greaterThanOrEqualTo: picture.bottomAnchor, constant: 1),
      bottomAnchor.constraint(greaterThanOrEqualTo: note.bottomAnchor, constant: 1),
      bottomAnchor.constraint(equalTo: topAnchor).withPriority(.defaultLow - 1)
        .labeled("no higher than that"),
    ])
  }
}

/// The height, in rows, of a cell with a note of `letters` letters at a width of `width` columns.
@MainActor func rows(note letters: Int, width: Int) -> Int {
  let cell = NoteCell(note: letters)
  cell.layoutIfNeeded(width: width)
  return cell.frame.height
}
