/// The page that `?` opens over the list.
extension ListScreen {
  func openHelp() {
    helpView.text = HelpText.page(title: content.title, notes: content.notes)
    helpView.scrollToTop()
    isHelpOpen = true
  }

  /// - Returns: false for what the help page leaves to the screen.
  func performInHelp(_ command: Command) -> Bool {
    let page = max(1, helpView.frame.height - 2)
    switch command {
    case .selectNext(let lines): helpView.scroll(by: lines)
    case .selectPrevious(let lines): helpView.scroll(by: -lines)
    case .scrollLines(let lines): helpView.scroll(by: lines)
    case .halfPages(let count): helpView.scroll(by: count * page / 2)
    case .pages(let count): helpView.scroll(by: count * page)
    case .goToTop: helpView.scrollToTop()
    case .goToEnd: helpView.scroll(by: .max / 2)
    case .help, .back, .dismiss:
      isHelpOpen = false
    case .redraw, .suspend, .interrupt: return false
    default: break
    }
    return true
  }
}
