import Synchronization

/// The content of a cell in one number: most cells hold one code point, and a canvas of small cells
/// is faster to copy and compare.
///
/// 1. Below 0x8000_0000 it is a code point; 0 for the second half of a wide character.
/// 2. From there on it is the index of a cluster, several code points, in a table that all canvases
///    share. Clusters are never removed: even a canvas that is not displayed may refer to them.
/// 3. From 0xC000_0000 on it is a row and a column of a picture that the terminal draws
///    (``PictureCell``).
struct CellCode: Hashable, Sendable {
  typealias Scalars = (UInt32, UInt32, UInt32, UInt32, UInt32)

  var rawValue: UInt32

  static let firstCluster: UInt32 = 0x8000_0000
  static let firstPicture: UInt32 = 0xC000_0000
  /// The maximum number of clusters, more than any text has. A cluster beyond the limit is reduced
  /// to its first code point.
  static let clusterLimit = 1 << 20

  init(scalar: UInt32) { rawValue = scalar & (Self.firstCluster - 1) }

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Up to five code points; the first zero ends them.
  init(_ scalars: Scalars) {
    self.init(scalar: scalars.0)
    guard scalars.1 != 0 else { return }
    let index = Self.clusters.withLock { $0.index(of: scalars) }
    if let index { rawValue = Self.firstCluster + index }
  }

  var isPicture: Bool { rawValue >= Self.firstPicture }

  /// The code points; a no-break space for a part of a picture.
  var scalars: Scalars {
    if rawValue < Self.firstCluster { return (rawValue, 0, 0, 0, 0) }
    if isPicture { return (0xA0, 0, 0, 0, 0) }
    return Self.clusters.withLock { $0[rawValue - Self.firstCluster] }
  }

  private struct Clusters {
    private var all: [Scalars] = []
    /// The index of each cluster by its code points, padded with zeros.
    private var indices: [SIMD8<UInt32>: UInt32] = [:]

    subscript(index: UInt32) -> Scalars { all[Int(index)] }

    mutating func index(of cluster: Scalars) -> UInt32? {
      let key = SIMD8(cluster.0, cluster.1, cluster.2, cluster.3, cluster.4, 0, 0, 0)
      if let known = indices[key] { return known }
      guard all.count < CellCode.clusterLimit else { return nil }
      let index = UInt32(all.count)
      all.append(cluster)
      indices[key] = index
      return index
    }
  }

  private static let clusters = Mutex(Clusters())
}
