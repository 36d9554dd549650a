import CNcurses
import System

/// Holds ncurses' output back until a frame is complete.
///
/// ncurses writes after every cursor movement, six times a frame and more. Each write wakes the
/// terminal, which may show an incomplete frame, and costs ten times as much as writing to memory.
/// So ncurses writes to a file in memory, and a frame goes to the terminal in one piece.
struct CursesOutput {
  let descriptor: Int32

  init() throws(TerminalError) {
    descriptor = curses_memory_file()
    guard descriptor >= 0 else { throw .system(call: "memfd_create", errno: errno) }
  }

  /// The bytes written since the last call.
  ///
  /// - Complexity: O(n) in the bytes, and three system calls.
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
