import Feeds
import TestSupport
import Testing
import TextLayout

@testable import TimelineUI

@MainActor @Suite struct PostTimesTests {
  private static let now = 1_713_600_000.0

  /// As long as the times are current, the texts are the same.
  @Test func currentTimesMeanEqualTexts() {
    var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    let seed = random.seed
    for _ in 0..<500 {
      let post = post(with: &random)
      let isRevealed = Bool.random(using: &random)
      let hidden = isRevealed ? nil : PostCover(of: post)
      let times = PostTimes(of: post, hidden: hidden, isRevealed: isRevealed, now: Self.now)
      func texts(at time: Double) -> [StyledText] {
        [
          PostText.time(of: post, isAlone: false, showsEdits: true, now: time),
          PostFooter(
            of: post, namedPictures: [], hidden: hidden, isRevealed: isRevealed, now: time
          ).text,
        ]
      }
      #expect(times.areCurrent(by: .fixed(at: Self.now)), "seed \(seed)")
      for _ in 0..<20 {
        let later = Self.now + distance(with: &random)
        // The end of the times is exact to some milliseconds.
        guard [later, later + 0.01].allSatisfy({ times.areCurrent(by: .fixed(at: $0)) }) else {
          continue
        }
        #expect(texts(at: later) == texts(at: Self.now), "seed \(seed)")
      }
      let end = times.nextChange ?? .infinity
      if end < .infinity { #expect(!times.areCurrent(by: .fixed(at: end)), "seed \(seed)") }
    }
  }

  @Test func textsWithoutTimesStayCurrent() {
    let times = PostTimes(of: Post(id: "a"), hidden: nil, isRevealed: false, now: Self.now)
    #expect(times.nextChange == nil)
    #expect(times.areCurrent(by: .fixed(at: 0)) && times.areCurrent(by: .fixed(at: 1e12)))
  }

  @Test func aClockSetBackMakesTimesOutdated() {
    var post = Post(id: "a")
    post.published = Self.now - 30
    let times = PostTimes(of: post, hidden: nil, isRevealed: false, now: Self.now)
    #expect(!times.areCurrent(by: .fixed(at: Self.now - 1)))
  }

  /// A distance of seconds to years.
  private func distance(with random: inout SeededGenerator) -> Double {
    let scale = [10.0, 100, 5_000, 100_000, 5_000_000, 50_000_000].randomElement(using: &random)
    return Double.random(in: 0..<(scale ?? 1), using: &random)
  }

  private func time(with random: inout SeededGenerator) -> Double {
    let distance = distance(with: &random)
    return Self.now + (Int.random(in: 0..<3, using: &random) == 0 ? distance : -distance)
  }

  private func post(with random: inout SeededGenerator, depth: Int = 0) -> Post {
    var post = Post(id: "\(depth)")
    if Bool.random(using: &random) { post.published = time(with: &random) }
    if Bool.random(using: &random) { post.author = Post.Author(name: "Gauge") }
    if Int.random(in: 0..<4, using: &random) == 0 { post.contentWarning = "storms" }
    if depth == 0, Bool.random(using: &random) {
      post.poll = Post.Poll(options: [Post.Poll.Option(title: "ebb", votes: 1)])
      if Bool.random(using: &random) { post.poll?.closes = time(with: &random) }
    }
    if depth < 2, Bool.random(using: &random) {
      post.quotes = [self.post(with: &random, depth: depth + 1)]
    }
    return post
  }
}
