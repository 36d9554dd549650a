import Feeds
import Terminal
import TerminalViews
import Testing

@testable import TimelineUI

/// What stands for authors without a picture.
@Suite struct InitialsTests {
  @Test(arguments: [
    ("John Gruber", "JG"), ("scripting news", "SN"), ("Ada", "A"), ("Anna Maria van Gogh", "AG"),
    ("@gauge@tideline.example", "G"), ("Émile Zola", "ÉZ"), ("Σωκράτης Πλάτων", "ΣΠ"),
    ("山田 太郎", "山"), ("김철수", "김"), ("שלום עולם", "ש"), ("  ", nil), ("", nil),
    ("🦊 Fox", "F"), ("🦊", "🦊"), ("ßtein Groß", "ßG"), ("3 Points", "3"), ("e\u{301}mile", "É"),
    ("\u{1B}[31mRed Herring", "RH"),
  ])
  func ofOneOrTwoLetters(name: String, letters: String?) {
    #expect(Initials.letters(of: name) == letters)
  }

  @Test func aColourIsTheAuthorsOwn() throws {
    let a = try #require(Initials.badge(of: Post.Author(name: "Ann Lee", handle: "@a@x.example")))
    let b = try #require(Initials.badge(of: Post.Author(name: "Ann Lee", handle: "@b@x.example")))
    let again = try #require(
      Initials.badge(of: Post.Author(name: "Ann Lee", handle: "@a@x.example")))
    #expect(a == again && a.text == "AL" && a.number != b.number)
    // The same in every run.
    let hash: UInt64 = 0xAF63_DC4C_8601_EC8C
    #expect(Initials.badge(ofName: "a")?.number == hash ^ hash >> 32)
    let authors = (0..<40).compactMap { Initials.badge(ofName: "Author \($0)") }
    let grounds = authors.map { Theme.standard.block($0.number).background }
    #expect(Set(grounds).count >= 6)
    #expect(Initials.badge(of: Post.Author(name: "", handle: "")) == nil)
  }
}
