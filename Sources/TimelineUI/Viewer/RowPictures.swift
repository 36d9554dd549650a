import Feeds
import HTTP

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
enum RowPictures {
  /// There is none.
  case none
  /// All pictures are behind a warning.
  case hidden
  case shown([ViewedPicture])

  /// - Parameter isRevealed: whether content that the post hides is shown.
  /// - Complexity: O(pictures).
  init(of post: Post, isRevealed: Bool) {
    var all: [ViewedPicture] = []
    var isHidden = false
    Self.add(post, isRevealed: isRevealed, page: nil, to: &all, &isHidden)
    self = all.isEmpty ? (isHidden ? .hidden : .none) : .shown(all)
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
