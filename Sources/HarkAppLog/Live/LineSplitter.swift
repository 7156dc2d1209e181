/// Cuts what comes in pieces into lines, in bounded memory.
struct LineSplitter: Sendable {
  private var line: [UInt8] = []
  private var isWhole = true
  private var isBegun = false

  /// Calls `body` with each line that ends in `bytes`, without its end, and whether all of it is there.
  mutating func take(_ bytes: [UInt8], _ body: ([UInt8], Bool) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
      add(rest[..<end])
      give(body)
      rest = rest[(end + 1)...]
    }
    add(rest)
  }

  /// The same of the last line, which nothing ended.
  mutating func finish(_ body: ([UInt8], Bool) -> Void) {
    if !line.isEmpty || !isWhole { give(body) }
  }

  private mutating func add(_ part: ArraySlice<UInt8>) {
    let room = LogLines.longest - line.count
    line += part.prefix(room)
    if part.count > room { isWhole = false }
  }

  private mutating func give(_ body: ([UInt8], Bool) -> Void) {
    if line.last == 0x0D { line.removeLast() }
    // A byte order mark of UTF-8.
    if !isBegun, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isBegun = true
    body(line, isWhole)
    line.removeAll(keepingCapacity: true)
    isWhole = true
  }
}
