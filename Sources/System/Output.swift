import Glibc

/// Writing to descriptors.
package enum Output {
  /// Writes all of `bytes`; waits for a nonblocking descriptor to become writable.
  ///
  /// - Parameter write: writes as many bytes as possible and returns their number, like `write(2)`.
  package static func write(
    _ bytes: some Sequence<UInt8>, to descriptor: Int32,
    by write: (Int32, UnsafeRawPointer?, Int) -> Int = Glibc.write
  ) throws(SystemFailure) {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        done += count
      } else if count < 0, errno == EAGAIN {
        // The parent process may have made the descriptor nonblocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } else if !(count < 0 && errno == EINTR) {
        throw SystemFailure(code: count < 0 ? errno : EIO)
      }
    }
  }
}
