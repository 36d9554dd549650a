/// The headings of the help page, in their order. Commands without one come first.
package enum HelpHeading: String, CaseIterable, Sendable {
  case move = "Move"
  case read = "Read"
  case find = "Find"
  case feeds = "Feeds"
  case screen = "Screen"
  case settings = "Settings"
  case inspector = "Inspector"
}
