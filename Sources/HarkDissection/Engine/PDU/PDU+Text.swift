extension PDU {
  /// A text that ends with a NUL.
  mutating func terminated(_ field: @autoclosure () -> Field) throws(Malformed) {
    let count = countUpToNUL()
    guard count < remaining else { throw invalid(field(), "does not end with a NUL") }
    try bytes(count + 1, field())
  }

  /// A text with its terminating NUL; all remaining bytes if there is no NUL.
  mutating func upToNUL(_ field: @autoclosure () -> Field) throws(Malformed) {
    try bytes(min(countUpToNUL() + 1, remaining), field())
  }

  private func countUpToNUL() -> Int {
    var count = 0
    while count < remaining, peek(count) != 0 { count += 1 }
    return count
  }
}
