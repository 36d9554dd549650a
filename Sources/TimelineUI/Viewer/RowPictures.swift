import Feeds
import HTTP
import Pictures

/// A picture that is looked at by itself.
struct ViewedPicture: Hashable {
  var url: String
  /// How far whoever names it may lead.
  var reach: HTTPReach
  /// What it shows, in words; empty where nobody says.
  var alternativeText: String
  /// The page it is on; nil where that is not known.
  var page: String?
}

/// What of a row can be looked at in full size.
@MainActor public enum RowPictures {
  /// There is none.
  case none
  /// What there is lies behind a warning.
  case hidden
  /// These, fetched as the list's are.
  case shown(ViewedPictures, PictureStore)

  /// - Parameter isRevealed: whether what the post hides is shown.
  /// - Complexity: O(pictures).
  init(of post: Post, isRevealed: Bool, store: PictureStore) {
    var all: [ViewedPicture] = []
    var isHidden = false
    Self.add(post, isRevealed: isRevealed, page: nil, to: &all, &isHidden)
    self = all.isEmpty ? (isHidden ? .hidden : .none) : .shown(ViewedPictures(all), store)
  }

  private static func add(
    _ post: Post, isRevealed: Bool, page: String?, to all: inout [ViewedPicture],
    _ isHidden: inout Bool
  ) {
    let page = post.url ?? page
    if !isRevealed, let cover = PostCover(of: post), cover.hides(.pictures) {
      isHidden = isHidden || !post.pictures.isEmpty || !post.quotes.isEmpty
      return
    }
    all += post.pictures.map {
      ViewedPicture(
        url: $0.url, reach: post.reach, alternativeText: $0.alternativeText, page: page)
    }
    for quote in post.quotes {
      add(quote, isRevealed: isRevealed, page: page, to: &all, &isHidden)
    }
  }
}

/// Pictures that are looked at one after the other: one or more.
public struct ViewedPictures: Hashable {
  let all: [ViewedPicture]

  fileprivate init(_ all: [ViewedPicture]) { self.all = all }
}
