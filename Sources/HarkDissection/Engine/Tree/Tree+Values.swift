/// A field's value that was not read by a dissector.
public struct FieldValue: Sendable {
  public let entry: Entry
  public let field: Field
  /// The value as a dissector would record it.
  public let value: UInt64
  /// Its range in the bytes of the tree.
  public let range: Range<Int>
  /// Whether it follows from others and has no bytes.
  public let isInferred: Bool

  public init(
    _ entry: Entry, _ field: Field, _ value: UInt64, at range: Range<Int>, isInferred: Bool = false
  ) {
    (self.entry, self.field, self.value) = (entry, field, value)
    (self.range, self.isInferred) = (range, isInferred)
  }
}

extension Tree {
  /// Makes the tree of values: a layer for each run of values of one protocol.
  public mutating func fill(_ values: [FieldValue]) {
    var pen = begin()
    var open: (entry: Entry, token: Int)?
    var end = 0
    for value in values {
      if let last = open, last.entry !== value.entry {
        pen.close(last.token, at: end)
        open = nil
      }
      if open == nil {
        open = (value.entry, pen.open(value.entry.layer, at: value.range.lowerBound, isLayer: true))
      }
      end = value.range.upperBound
      switch value.field.definition.form {
      case .group, .list:
        let token = pen.open(value.field, at: value.range.lowerBound, isLayer: false)
        pen.close(token, at: value.range.lowerBound)
      default:
        if value.isInferred {
          pen.inferred(value.field, value.value, at: value.range.lowerBound)
        } else {
          pen.found(value.field, value.value, at: value.range, isPart: false)
        }
      }
    }
    if let open { pen.close(open.token, at: end) }
    self.end(pen)
  }
}
