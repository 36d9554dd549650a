import HTTP
import Testing

@testable import Feeds

/// Usual forms of paths and dates are read by a fast path, with the result of the general one.
@Suite struct PlainFormsTests {
  @Test(arguments: [
    "/", "/a", "/a/b.html", "/a?b=1&c=2#d", "/a/", "/a.", "/a..b", "//h.example/a", "/a//b", "/./a",
    "/a/../b", "/a b", "/%41", "/a?", "/a#", "/a@b", "/é", "a", "", "/a;b=c&amp;d", "/a:b",
  ])
  func pathsFromTheRoot(_ path: String) {
    for base in [
      "https://x.example", "http://x.example:8080/a/b?c", "https://x.example?d",
      "http://X.Example/",
      "http://me:hunter2@x.example/a", "https://[::1]/a", "ftp://x.example/", "https://",
    ] {
      let expected = URLReference(URLReference.encoded(path) { $0 <= 32 || $0 >= 127 })
        .resolved(against: URLReference(base)).description
      let found = FeedAddress.resolve(path, base: base)
      let address = URLReference.separatingUserInfo(expected).address
      #expect(found == (path.isEmpty || address.isEmpty ? nil : address), "\(path) in \(base)")
    }
  }

  @Test func datesOfMail() {
    for day in ["Mon", "Sun", "Sat", "Xyz"] {
      for text in [
        "09 Mar 2024 08:05:00 GMT", "31 Dec 1999 23:59:59 +0100", "29 Feb 2024 24:00:00 -1130",
        "30 Feb 2024 08:05:00 GMT", "01 May 2024 08:60:00 GMT", "01 Jun 2024 08:59:60 +0000",
        "01 Jul 2024 08:59:00 -0000", "01 Aug 2024 08:59:00 +9900", "01 Sep 0000 00:00:00 +0100",
        "01 Oct 2024 25:59:00 GMT", "0a Nov 2024 08:59:00 GMT", "01 Abc 2024 08:59:00 GMT",
        "01 Jan 2024 08:59:00 +01a0", "01 Apr 2024 08:59:00 XYZ",
      ] {
        // A second blank prevents the fast path.
        let plain = DateParser.moment("\(day), \(text)")
        #expect(plain == DateParser.moment("\(day),  \(text)"), "\(day), \(text)")
      }
    }
  }
}
