import CNcurses
import System

/// What ncurses writes, held back until the frame it belongs to is whole.
///
/// ncurses writes whenever it has moved the cursor, six times a frame and more. Each write wakes
/// the terminal, which may show what it has so far, and costs ten times what writing to memory
/// does. So ncurses is given a file in memory, and a frame goes to the terminal in one piece.
struct CursesOutput {
  let descriptor: Int32

  init() throws(TerminalError) {
    descriptor = curses_memory_file()
    guard descriptor >= 0 else { throw .system(call: "memfd_create", errno: errno) }
  }

  /// What was written since this was last called.
  ///
  /// - Complexity: O(n) in the bytes, and three calls of the system.
  func take() -> [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_CUR))
    guard count > 0 else { return [] }
    lseek(descriptor, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = pread(descriptor, rest.baseAddress, rest.count, filled)
        if got > 0 {
          filled += got
        } else if !(got < 0 && errno == EINTR) {
          break
        }
      }
    }
  }

  func close() { Glibc.close(descriptor) }
}
