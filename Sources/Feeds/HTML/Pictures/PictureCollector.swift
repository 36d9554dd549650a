import HTTP

/// Collects a post's pictures from all places in which a feed names them, each once.
///
/// Pictures in the text come first, in its order, then those that only the feed names. A thumbnail
/// is used only if there is no other picture. Of one picture in several widths ``PictureChoice``
/// chooses one. Two addresses are the same picture if they differ only in scheme, in the query
/// after a picture's name, or in the size that WordPress writes into the name (`-300x200.jpg`).
struct PictureCollector {
  private(set) var pictures: [Post.Picture] = []
  private var thumbnails: [Post.Picture] = []
  /// The index of each picture by its key; filled once there is a second one to compare.
  private var places: [String: Int] = [:]

  mutating func add(_ picture: Post.Picture) {
    guard let first = pictures.first else { return pictures.append(picture) }
    if places.isEmpty { places[Self.key(of: first.url)] = 0 }
    let key = Self.key(of: picture.url)
    // An address reduced to its scheme (`FeedAddress.picture`) identifies no picture.
    guard !key.isEmpty, let place = places[key] else {
      places[key] = pictures.count
      pictures.append(picture)
      return
    }
    pictures[place].place = pictures[place].place ?? picture.place
    if pictures[place].alternativeText.isEmpty {
      pictures[place].alternativeText = picture.alternativeText
    }
    if pictures[place].width != nil,
      PictureChoice.rank(picture.width) < PictureChoice.rank(pictures[place].width)
    {
      pictures[place].url = picture.url
      (pictures[place].width, pictures[place].height) = (picture.width, picture.height)
    }
    if pictures[place].width == nil, pictures[place].height == nil,
      pictures[place].url == picture.url
    {
      pictures[place].width = picture.width
      pictures[place].height = picture.height
    }
  }

  mutating func addThumbnail(_ picture: Post.Picture) { thumbnails.append(picture) }

  /// All pictures, or one of the thumbnails if there is no other picture.
  ///
  /// - Complexity: O(n log n).
  var result: [Post.Picture] {
    guard !pictures.isEmpty else {
      let usable = thumbnails.filter { FeedAddress.isWeb($0.url) }
      let best = PictureChoice.best(of: usable, width: \.width) ?? thumbnails.first
      return [best].compactMap(\.self)
    }
    guard pictures.count > 1 else { return pictures }
    // Pictures at the same place keep their order.
    return pictures.enumerated().sorted {
      ($0.element.place ?? .max, $0.offset) < ($1.element.place ?? .max, $1.offset)
    }.map(\.element)
  }

  private static func key(of url: String) -> String {
    var key = url[...]
    if let scheme = URLReference.scheme(of: url) { key = key.dropFirst(scheme.utf8.count + 1) }
    guard FeedAddress.pictureType(of: url) != nil else { return String(key) }
    let path = key.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: "."), let dash = path[..<dot].lastIndex(of: "-") else {
      return String(path)
    }
    let sides = path[path.index(after: dash)..<dot].split(
      separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ Int($0) != nil }) else { return String(path) }
    return String(path[..<dash] + path[dot...])
  }
}
