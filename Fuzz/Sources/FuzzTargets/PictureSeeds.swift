import Pixels

/// Small pictures of every kind that the decoders know.
enum PictureSeeds {
  static let all: [[UInt8]] =
    SamplePictures.encoded.map(\.bytes) + [
      SamplePictures.png, SamplePictures.gif, SamplePictures.gifWithoutScreen,
      SamplePictures.withEXIF(SamplePictures.grayJPEG, orientation: 6, isBig: true),
      SamplePictures.withEXIF(SamplePictures.grayJPEG, orientation: 3, isBig: false),
      SamplePictures.animatedWebP(
        SamplePictures.lossyWebP, canvas: PixelSize(width: 40, height: 30), at: (2, 4)),
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 2, 0x45, 0x78, 0x69, 0x66, 0, 0],
    ]
}
