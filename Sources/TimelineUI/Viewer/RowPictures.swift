import Feeds
import HTTP
import Pictures

/// A picture to view by itself.
struct ViewedPicture: Hashable {
  var url: String
  /// The addresses from which pictures of the post may be fetched.
  var reach: RequestScope
  /// The description; empty if there is none.
  var alternativeText: String
  /// The page that contains the picture, if known.
  var page: String?
}

/// The pictures of a row that can be viewed in full size.
@MainActor public enum RowPictures {
  /// There is none.
  case none
  /// All pictures are behind a warning.
  case hidden
  /// These pictures, and the store that fetches them for the list, too.
  case shown(ViewedPictures, PictureStore)

  /// - Parameter isRevealed: whether content that the post hides is shown.
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

/// One or more pictures to view one at a time.
public struct ViewedPictures: Hashable {
  let all: [ViewedPicture]

  fileprivate init(_ all: [ViewedPicture]) { self.all = all }
}
