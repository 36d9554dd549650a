import Testing

@testable import TextLayout

@Suite struct NaturalOrderTests {
  @Test func numbersAreSortedByTheirValues() {
    let sorted = [
      "", "1", "02", "10", "99999999999999999999999", "100000000000000000000000", "Ape", "feed",
      "Feed 2", "feed 2 b", "Feed 10", "feed 10b", "zoo", "Äpfel",
    ]
    for (index, name) in sorted.enumerated() {
      #expect(!NaturalOrder.areInOrder(name, name))
      for later in sorted[(index + 1)...] {
        #expect(NaturalOrder.areInOrder(name, later), "\(name) before \(later)")
        #expect(!NaturalOrder.areInOrder(later, name), "\(later) after \(name)")
      }
    }
  }

  @Test func caseAndZerosMakeNoOrder() {
    for (a, b) in [("Tide 07", "tIDE 7"), ("É", "é"), ("0", "000")] {
      #expect(!NaturalOrder.areInOrder(a, b) && !NaturalOrder.areInOrder(b, a))
    }
  }
}
