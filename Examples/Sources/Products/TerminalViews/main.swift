import Geometry
import Terminal
import TerminalViews
import TextLayout

let tide = Label()
tide.text = StyledText("High water at dusk, 4.1 m above the gauge's zero")
let gauge = ProgressView(0.7)
let frame = Border(Stack(.vertical, [tide, gauge]), title: "Harbour")

frame.layoutIfNeeded(width: 24)
var canvas = Canvas(size: frame.frame.size)
frame.render(into: &canvas, origin: .zero)
for row in 0..<canvas.size.height { print(canvas.text(row: row)) }
