import TextLayout

var text = StyledText("High water ", style: TextStyle(traits: .bold))
text.append("4.1 m at dusk, ")
text.append("潮が満ちる", style: TextStyle(role: .link, link: text.addLink("https://tideline.example")))
// What a terminal could obey is taken out.
text.append(".\u{1B}[2J")

let frame = TextFrame(text, width: 16)
for line in frame.lines.indices {
  print(frame.fragments(ofLine: line).map(\.text).joined())
}
