import Pictures
import TerminalApp

struct Message: Identifiable {
  let id: Int
  let author, text: String
  var picture: String?
}

final class MessageCell: ItemCell<Message> {
  let author = Label(numberOfLines: 1), text = Label(), picture = ImageView()

  override func setUp() {
    author.style = Style(foreground: .palette(5), attributes: .bold)
    for view in [author, text, picture] as [View] {
      addSubview(view)
      view.leading(offset: 2)
      view.trailing(offset: -1, relation: view === picture ? .lessThanOrEqual : .equal)
    }
    author.top()
    text.top(to: author, edge: .bottom)
    picture.top(to: text, edge: .bottom)
    bottom(to: picture, offset: 1)
  }

  override func show(_ message: Message) {
    author.text = StyledText(message.author)
    text.text = StyledText(message.text)
    picture.load(message.picture)
  }
}

/// One message over the others, which stay to be seen around it.
final class MessagePanel: View, Responder {
  let text = Label()

  lazy var commands: CommandTable = CommandTable(
    of: self,
    [
      Command("close", "q", "escape", "enter", help: "") { panel, _ in
        panel.application?.window.dismiss(panel)
      }
    ])

  init(_ message: Message) {
    super.init(name: "message")
    text.text = StyledText(message.text)
    addSubview(text)
    text.edgesToSuperview()
  }
}

/// Messages, and a field to write one in.
final class Chat: View, Responder {
  let messages = List(cell: MessageCell.self)
  let field = TextField(placeholder: "Write, and press Enter; Tab goes to the messages")

  lazy var commands: CommandTable = CommandTable(
    of: self,
    [
      Command("page-up", "page-up", help: "a page up, from the field, too") { chat, _ in
        chat.messages.pane.listView.scroll(byPages: -1)
      },
      Command("page-down", "page-down", help: "a page down") { chat, _ in
        chat.messages.pane.listView.scroll(byPages: 1)
      },
    ])

  init() {
    super.init(name: "chat")
    let stack = Stack(.vertical, [messages, Border(field, title: "you")])
    addSubview(stack)
    stack.edgesToSuperview()
    field.onSubmit = { [unowned self] text in
      say(text, as: "you")
      messages.scrollToEnd()
    }
    messages.onActivate = { [unowned self] message in
      application?.window.present(
        MessagePanel(message), at: .centered(Size(width: 44, height: 6)), title: message.author)
    }
  }

  func say(_ text: String, as author: String, picture: String? = nil) {
    let id = messages.items.count
    messages.append([Message(id: id, author: author, text: text, picture: picture)])
  }
}

let chat = Chat()
for hour in 1...30 { chat.say("Hour \(hour): the water stands at \(hour % 6 + 1) m.", as: "gauge") }
chat.say("This is what it looks like from here:", as: "pier", picture: sunset)

/// Rows arrive while one reads: as often as the first argument says, in seconds.
let interval = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let others = Task {
  for number in 1... {
    try await Task.sleep(for: .seconds(interval))
    chat.say("Ship number \(number) is passing.", as: "lighthouse")
  }
}

chat.messages.scrollToEnd()
try await TerminalApplication.run(
  chat, focus: chat.field, configuration: ConfigurationFile(of: "tideline-chat"))
others.cancel()
