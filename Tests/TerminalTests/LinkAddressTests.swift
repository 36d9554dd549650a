import Testing

@testable import Terminal

/// Which addresses are followed, and their normalized form.
@Suite struct LinkAddressTests {
  private func address(_ text: String) -> String? { try? LinkAddress(text).text }

  private func reason(_ text: String) -> String {
    do throws(LinkAddress.Refusal) {
      return "opens \(try LinkAddress(text))"
    } catch {
      return error.reason
    }
  }

  @Test(
    arguments: [
      ("https://example.org", "https://example.org/"),
      ("HTTP://Example.ORG:8080/A?b=c#d", "http://example.org:8080/A?b=c#d"),
      ("  https://example.org/a b\"<>", "https://example.org/a%20b%22%3C%3E"),
      ("https://example.org/ü/日", "https://example.org/%C3%BC/%E6%97%A5"),
      ("https://example.org/100%25", "https://example.org/100%25"),
      ("https://bücher.example/", "https://xn--bcher-kva.example/"),
      ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"),
      // With letters of two alphabets, and of one that resembles another.
      ("https://аpple.com/", "https://xn--pple-43d.com/"),
      ("https://аррӏе.com/", "https://xn--80ak6aa92e.com/"),
      ("https://faß.example/", "https://xn--fa-hia.example/"),
      // A user name and password that look like a host.
      ("https://bank.example@evil.example/", "https://evil.example/"),
      ("https://a:b@evil.example:81", "https://evil.example:81/"),
      // As browsers read a backslash.
      ("https://evil.example\\@bank.example/", "https://evil.example/@bank.example/"),
      ("https://[2001:DB8::1]:80/x", "https://[2001:db8::1]:80/x"),
      ("gemini://example.org/", "gemini://example.org/"),
      ("mailto:a@b.example?subject=Hi there", "mailto:a@b.example?subject=Hi%20there"),
      ("https://example.org./", "https://example.org/"),
    ])
  func followedAddressesAreNormalized(text: String, shown: String) {
    #expect(address(text) == shown)
    #expect(address(shown) == shown, "and again")
  }

  @Test(
    arguments: [
      ("", "it leads nowhere"), ("   ", "it leads nowhere"),
      ("javascript:alert(1)", "javascript: addresses are not followed"),
      ("JavaScript:alert(1)", "javascript: addresses are not followed"),
      ("data:text/html,x", "data: addresses are not followed"),
      ("file:///etc/passwd", "file: addresses are not followed"),
      ("ftp://example.org/", "ftp: addresses are not followed"),
      ("vbscript:x", "vbscript: addresses are not followed"),
      ("java\nscript:alert(1)", "its address has a control character, U+A"),
      ("https://example.org/\u{1B}]0;x\u{7}", "its address has a control character, U+1B"),
      ("https://example.org/\u{9B}2J", "its address has a control character, U+9B"),
      ("https://example.org/\u{202E}gpj.exe", "its address has a control character, U+202E"),
      ("https://exa\u{2066}mple.org/", "its address has a control character, U+2066"),
      ("/relative", "'/relative' is not a complete address"),
      ("//example.org", "'//example.org' is not a complete address"),
      ("www.example.org", "'www.example.org' is not a complete address"),
      ("https:example.org", "'https:example.org' is not a complete address"),
      ("--new-window", "'--new-window' is not a complete address"),
      ("https://", "'' is not a valid host"), ("https:///x", "'' is not a valid host"),
      ("https://exa mple.org/", "'exa mple.org' is not a valid host"),
      ("https://exa%2fmple.org/", "'exa%2fmple.org' is not a valid host"),
      ("https://example.org:99999/", "'example.org:99999' is not a valid host"),
      ("https://example.org:x/", "'example.org:x' is not a valid host"),
      ("https://a..b/", "'a..b' is not a valid host"),
      ("https://[::1", "'[::1' is not a valid host"),
      ("https://exa\u{200B}mple.org/", "'exa?mple.org' is not a valid host"),
      ("https://example.org\u{2044}evil/", "'example.org?evil' is not a valid host"),
      ("mailto:", "it leads nowhere"),
      ("mailto:a@b?attach=/etc/passwd", "a mail with 'attach' is not written"),
    ])
  func otherAddressesAreRefused(text: String, why: String) {
    #expect(reason(text) == why)
  }

  @Test func longAddressesAreRefusedUnread() {
    let long = "https://example.org/" + String(repeating: "a", count: 10_000_000)
    #expect(reason(long) == "its address has 10000020 bytes")
    #expect(
      reason("https://example.org/" + String(repeating: "日", count: 2_000)).hasSuffix("bytes"))
    #expect(
      reason("https://" + String(repeating: "é", count: 300) + "/").hasSuffix("not a valid host"))
    #expect(reason(String(repeating: "x", count: 5_000) + ":y").utf8.count < 100)
  }

  @Test func isNamedComparesTextAndAddress() throws {
    let address = try LinkAddress("https://www.example.org/a/long/path?x=1")
    for text in [
      "https://www.example.org/a/long/path?x=1", "www.example.org/a/long/path?x=1",
      "example.org/a/long/path?x=1", "example.org/a/lo…", "https://example.org/a/long/\npath?x=1",
    ] {
      #expect(address.isNamed(by: text), "\(text)")
    }
    for text in [
      "", "read on", "example.org", "example.or…", "https://example.com/a/long/path?x=1",
      "https://www.example.org", "e…",
    ] {
      #expect(!address.isNamed(by: text), "\(text)")
    }
    #expect(try LinkAddress("https://bücher.example/é").isNamed(by: "https://bücher.example/é"))
    #expect(try !LinkAddress("https://аpple.com/").isNamed(by: "https://apple.com/"))
    #expect(try LinkAddress("mailto:a@b.example").isNamed(by: "a@b.example"))
  }

  // MARK: Numbers of links

  @Test func linkNumbersEndWithTheirText() {
    var group: LinkGroup? = LinkGroup(["a", "b"])
    let first = group?.number(of: 0) ?? 0
    let second = group?.number(of: 1) ?? 0
    #expect(
      first != 0 && second != first && group?.number(of: 2) == 0 && group?.number(of: -1) == 0)
    #expect(LinkGroup.address(of: first) == "a" && LinkGroup.address(of: second) == "b")
    let other = LinkGroup(["c"])
    #expect(other.number(of: 0) != first && other.number(of: 0) != second)
    group = nil
    #expect(LinkGroup.address(of: first) == nil && LinkGroup.address(of: second) == nil)
    #expect(LinkGroup.address(of: other.number(of: 0)) == "c")
    #expect(LinkGroup.address(of: 0) == nil)
    let many = LinkGroup((0..<20_000).map(String.init))
    #expect(LinkGroup.address(of: many.number(of: LinkGroup.maximumCount - 1)) == "9999")
    #expect(many.number(of: LinkGroup.maximumCount) == 0)
  }

  /// When all numbers have been assigned, those without a text are assigned again.
  @Test func numbersInUseAreNotReused() {
    let last = CanvasCell.maximumLink
    var table = LinkTable(next: 1)
    let early = table.add(["a", "b"])
    let gone = table.add(["c"])
    let kept = table.add(["d"])
    #expect((early, gone, kept) == (1, 3, 4))
    table.remove(gone)
    for number in 5..<20 { #expect(table.add(["\(number)"]) == number) }
    // As after very many groups that were added and removed.
    var late = LinkTable(next: last - 4)
    let beyond = late.add(["x", "y", "z"])
    #expect(beyond == last - 4)
    let first = late.add(["e", "f"])
    #expect(first == 1)
    #expect(late.address(of: last - 2) == "z" && late.address(of: 2) == "f")
    late.remove(first)
    var held: [UInt32] = []
    for index in 0..<200 {
      let number = late.add(["\(index)"])
      #expect(number <= last && !held.contains(number) && !(beyond...beyond + 2).contains(number))
      held.append(number)
    }
    for (index, number) in held.enumerated() { #expect(late.address(of: number) == "\(index)") }
  }
}
