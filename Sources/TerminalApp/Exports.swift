// The modules whose names are needed by programs that import only this module.
@_exported import ConstraintLayout
@_exported import Geometry
@_exported import Terminal
@_exported import TerminalViews
@_exported import TextLayout
