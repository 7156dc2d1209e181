extension PDU {
  /// A text with the NUL that ends it; all that is left where none does.
  mutating func terminated(_ field: @autoclosure () -> Field) throws(Malformed) {
    var count = 0
    while count < remaining, peek(count) != 0 { count += 1 }
    try bytes(min(count + 1, remaining), field())
  }
}
