import Pictures
import TerminalApp

struct Photo: Identifiable {
  let id: Int
  let title, url: String
}

final class PhotoCell: ItemCell<Photo> {
  let title = Label(numberOfLines: 1), picture = ImageView()

  override func setUp() {
    for view in [title, picture] as [View] {
      addSubview(view)
      view.leading(offset: 2)
      view.trailing(offset: -1, relation: view === picture ? .lessThanOrEqual : .equal)
    }
    title.top()
    picture.top(to: title, edge: .bottom)
    bottom(to: picture, offset: 1)
  }

  override func show(_ photo: Photo) {
    title.text = StyledText(photo.title)
    picture.load(photo.url)
  }
}

let urls = CommandLine.arguments.dropFirst()
let photos = urls.enumerated().map { Photo(id: $0, title: "Photo \($0 + 1)", url: $1) }
try await TerminalApplication.run(List(photos, cell: PhotoCell.self))
