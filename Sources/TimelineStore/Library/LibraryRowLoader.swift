import Library
import System

/// Reads the places of older items in the background, one request at a time.
@MainActor final class LibraryRowLoader {
  struct Piece: Sendable {
    let places: [ItemPlace]
    /// Whether no older ones follow.
    let isLast: Bool
  }

  typealias Outcome = Result<Piece, LibraryError>

  private let library: FeedLibrary
  private let scope: FeedScope
  private var task: Task<Void, Never>?
  private(set) var isLoading = false

  /// The places of the first piece, the largest one, and those of a piece that is read by itself.
  private static let (firstCount, maximumCount, someCount) = (1_000, 100_000, 5_000)

  init(of library: FeedLibrary, scope: FeedScope) {
    (self.library, self.scope) = (library, scope)
  }

  isolated deinit { task?.cancel() }

  /// Reads all places after one, in growing pieces.
  ///
  /// - Parameter take: called with each piece; after a failure nothing follows.
  func loadAll(after place: ItemPlace?, take: @escaping @MainActor (Outcome) -> Void) {
    isLoading = true
    task = Task { [weak self] in
      defer { self?.isLoading = false }
      var (last, size) = (place, Self.firstCount)
      var isLast = false
      while !isLast, !Task.isCancelled {
        guard let outcome = await self?.piece(after: last, count: size), !Task.isCancelled else {
          return
        }
        guard case .success(let piece) = outcome else { return take(outcome) }
        (isLast, last) = (piece.isLast, piece.places.last ?? last)
        take(outcome)
        size = min(size * 4, Self.maximumCount)
      }
    }
  }

  /// Reads some places after one, which are not taken for the last ones.
  func loadSome(after place: ItemPlace, take: @escaping @MainActor (Outcome) -> Void) {
    isLoading = true
    task = Task { [weak self] in
      let outcome = await self?.piece(after: place, count: Self.someCount)
      self?.isLoading = false
      guard let outcome, !Task.isCancelled else { return }
      take(outcome.map { Piece(places: $0.places, isLast: false) })
    }
  }

  private func piece(after place: ItemPlace?, count: Int) async -> Outcome {
    await WorkerThreads.sources.value { [library, scope] in
      Result { () throws(LibraryError) in
        let places = try library.places(in: scope, after: place, count: count)
        return Piece(places: places, isLast: places.count < count)
      }
    }
  }

  func stop() { task?.cancel() }
}
