// What programs name that import this module alone.
@_exported import ConstraintLayout
@_exported import Geometry
@_exported import Terminal
@_exported import TerminalViews
@_exported import TextLayout
