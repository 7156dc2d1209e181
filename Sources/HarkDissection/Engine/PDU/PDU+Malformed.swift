/// Violations of the specification in a PDU.
extension PDU {
  /// Marks the `count` bytes just read; `clause` is the place of the rule.
  public mutating func note(
    _ severity: Note.Severity, _ text: StaticString, over count: Int, clause: StaticString = ""
  ) {
    if Out.wantsFields {
      out.note(
        Note(
          severity: severity, text: text, range: max(0, position - count)..<position,
          clause: clause))
    }
  }

  /// Whether bytes are missing only because the recorder truncated the record: no length in it ends the window.
  package func isCut(_ reason: Malformed.Reason) -> Bool {
    guard case .truncated = reason else { return false }
    return isEndOfTruncated
  }

  /// Whether the window ends where the recorder truncated the record.
  package var isEndOfTruncated: Bool { context.isTruncated && end == bytes.byteCount }

  private var limitName: StaticString {
    limit?.name ?? (context.isTruncated ? "the cut of the capture" : "the record")
  }

  @inline(never)
  public func invalid(_ field: Field, _ why: StaticString) -> Malformed {
    Malformed(
      reason: .invalid(why), layer: layer?.name ?? "Record", field: field.name, offset: position,
      limit: limitName)
  }

  @inline(never)
  func truncated(_ needed: Int, _ field: Field) -> Malformed {
    Malformed(
      reason: .truncated(needed: needed, available: remaining), layer: layer?.name ?? "Record",
      field: field.name, offset: position, limit: limitName, isSecret: field.definition.secret)
  }
}
