import Pixels
import Testing

@testable import ImageLoading

@Suite struct DataURLTests {
  private func read(_ url: String, maximum: Int = 100) throws(ImageError) -> DataURL {
    try DataURL(url, maximumBytes: maximum)
  }

  @Test func readsBothEncodings() throws {
    let base64 = try read("data:image/png;base64,AAEC/w==")
    #expect(base64.bytes == [0, 1, 2, 255] && base64.mediaType == "image/png")
    #expect(try read("data:;base64,AAEC%2Fw").bytes == [0, 1, 2, 255])
    #expect(try read("DATA:text/plain;charset=utf-8;BASE64,AA\n EC /w").bytes == [0, 1, 2, 255])
    let plain = try read("data:,a%20b%FF")
    #expect(plain.bytes == [97, 32, 98, 255] && plain.mediaType == nil)
    #expect(DataURL.isDataURL("Data:,") && !DataURL.isDataURL("http://data:"))
  }

  @Test(arguments: ["data:image/png", "data:,%4", "data:,%zz", "data:;base64,A", "data:;base64,*"])
  func brokenOnesAreErrors(url: String) {
    #expect {
      try read(url)
    } throws: { error in
      guard case ImageError.invalidDataURL = error else { return false }
      return true
    }
  }

  @Test func sizeIsLimited() throws {
    #expect(try read("data:,0123456789", maximum: 10).bytes.count == 10)
    #expect(throws: ImageError.http(.tooLarge(limit: 9))) {
      try read("data:,0123456789", maximum: 9)
    }
    #expect(throws: ImageError.http(.tooLarge(limit: 2))) {
      try read("data:;base64,AAEC", maximum: 2)
    }
  }

  @Test func headLengthIsLimited() throws {
    #expect(try read("data:" + String(repeating: ";", count: 8_192) + ",a").bytes == [97])
    #expect(throws: ImageError.invalidDataURL(reason: "its media type is too long")) {
      try read("data:" + String(repeating: ";", count: 8_193) + ",a")
    }
  }

  /// Memory by address is bounded in the bytes of the addresses, too.
  @Test func longAddressesCountAsMemory() {
    var configuration = ImageLoaderConfiguration()
    configuration.memoryCacheBytes = 10_000_000
    var memory = ImageMemoryCache(configuration)
    let size = PixelSize(width: 1, height: 1)
    let rest = String(repeating: "a", count: 4_000_000)
    func url(_ number: Int) -> String { "data:,\(number)" + rest }
    for number in 0..<9 {
      memory.note(size, of: url(number))
      let pixels = PixelBuffer(size: size, red: 1, green: 2, blue: 3)
      let image = LoadedImage(id: UInt64(number), size: size, pixels: pixels, damage: .empty)
      memory.keep(image, for: url(number))
    }
    #expect(memory.count == 2 && memory.image(for: url(8)) != nil)
    #expect(memory.size(of: url(0)) == nil && memory.size(of: url(8)) == size)
    #expect(memory.damage(of: url(0)) == nil && memory.damage(of: url(8)) == .empty)
  }
}
