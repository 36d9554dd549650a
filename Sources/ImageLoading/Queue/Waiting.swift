/// Jobs that wait, a first-in-first-out line for each priority. Leaving a line early costs nothing:
/// the entry stays behind and is passed over when its turn comes.
struct Waiting {
  struct Entry: Hashable {
    let job: UInt64
    /// The job's stamp when it joined; where it differs the job has left this place.
    let stamp: UInt64
  }

  private struct Line {
    var entries: [Entry] = []
    var head = 0
  }

  private var lines = [Line](repeating: Line(), count: ImagePriority.allCases.count)
  private var firstLine: Int?

  /// - Complexity: O(1) amortized.
  mutating func append(_ entry: Entry, _ priority: ImagePriority) {
    lines[priority.rawValue].entries.append(entry)
  }

  /// The job whose turn it is; entries that are not live are dropped on the way.
  ///
  /// - Complexity: O(1) amortized over appends.
  mutating func first(where isLive: (Entry) -> Bool) -> UInt64? {
    for line in lines.indices.reversed() {
      while lines[line].head < lines[line].entries.count {
        let entry = lines[line].entries[lines[line].head]
        if isLive(entry) {
          firstLine = line
          return entry.job
        }
        drop(line)
      }
    }
    firstLine = nil
    return nil
  }

  /// Takes away what `first(where:)` last returned.
  mutating func removeFirst() {
    guard let line = firstLine else { return }
    drop(line)
    firstLine = nil
  }

  private mutating func drop(_ line: Int) {
    lines[line].head += 1
    // The dead prefix goes when it is the larger half, which keeps the line as long as what waits.
    if lines[line].head * 2 > lines[line].entries.count, lines[line].head > 16 {
      lines[line].entries.removeFirst(lines[line].head)
      lines[line].head = 0
    } else if lines[line].head == lines[line].entries.count {
      lines[line] = Line()
    }
  }
}
