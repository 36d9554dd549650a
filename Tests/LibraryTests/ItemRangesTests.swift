@testable import Library
