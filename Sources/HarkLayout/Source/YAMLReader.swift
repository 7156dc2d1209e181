import CYaml

/// Reads a YAML text event by event, with libyaml.
@safe final class YAMLReader {
  enum Event {
    case scalar(SourceNode.Scalar)
    case sequence
    case mapping
    /// The end of a sequence or mapping.
    case end
    case alias
    case streamEnd
    /// The beginning of the stream, the beginning and the end of a document.
    case boundary
  }

  struct Failure: Error {
    let message: String
    let location: SourceLocation
  }

  /// Where the last event begins.
  private(set) var location = SourceLocation(line: 1, column: 1)
  /// libyaml keeps its own address in it, so it must not move.
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  /// `text` must stay where it is as long as the reader.
  init(_ text: UnsafeBufferPointer<UInt8>) throws(Failure) {
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    guard unsafe yaml_parser_initialize(parser) == 1 else { throw failure() }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
  }

  func next() throws(Failure) -> Event {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { unsafe yaml_event_delete(&event) }
    location = unsafe Self.location(event.start_mark)
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return unsafe .scalar(
        SourceNode.Scalar(
          text: String(decoding: bytes, as: UTF8.self),
          isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE))
    case YAML_SEQUENCE_START_EVENT: return .sequence
    case YAML_MAPPING_START_EVENT: return .mapping
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
    case YAML_ALIAS_EVENT: return .alias
    case YAML_STREAM_END_EVENT: return .streamEnd
    default: return .boundary
    }
  }

  private func failure() -> Failure {
    let problem = unsafe parser.pointee.problem
    // What cannot be read at all has no line.
    let isRead = unsafe parser.pointee.error != YAML_READER_ERROR && problem != nil
    return unsafe Failure(
      message: problem.map { unsafe String(cString: $0) } ?? "not YAML",
      location: isRead
        ? Self.location(parser.pointee.problem_mark) : SourceLocation(line: 1, column: 1))
  }

  private static func location(_ mark: yaml_mark_t) -> SourceLocation {
    SourceLocation(line: mark.line + 1, column: mark.column + 1)
  }
}
