/// Where a dissector's findings go.
public protocol Sink {
  /// Whether fields are wanted at all: if not, their work is removed at compile time.
  static var wantsFields: Bool { get }

  /// Opens a layer, group or list; `close` with the returned token ends it.
  mutating func open(_ field: Field, at offset: Int, isLayer: Bool) -> Int
  mutating func close(_ token: Int, at offset: Int)
  mutating func found(_ field: Field, _ value: UInt64, at range: Range<Int>, isPart: Bool)
  mutating func inferred(_ field: Field, _ value: UInt64, at offset: Int)
  /// Bytes that no field claims; `isSecret` if they may be part of a key.
  mutating func undecoded(_ range: Range<Int>, isSecret: Bool)
  /// A one-line summary of the layer that was opened last, before anything in it is found.
  mutating func summary(_ text: [UInt8])
  mutating func note(_ note: Note)
  mutating func failed(_ failure: Malformed)
  static func run(_ entry: Entry.Reference, _ pdu: inout PDU<Self>)
}

/// A remark about a PDU that can be read but is wrong, or that the reader should know.
public struct Note: Sendable {
  public enum Severity: UInt8, Comparable, Sendable {
    case info, warning, error

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
  }

  public let severity: Severity
  public let text: StaticString
  public let range: Range<Int>
  /// The clause of the specification, or empty.
  public let clause: StaticString

  public init(
    severity: Severity, text: StaticString, range: Range<Int>, clause: StaticString = ""
  ) {
    (self.severity, self.text, self.range, self.clause) = (severity, text, range, clause)
  }
}

/// The sink of the index pass: fields cost nothing.
public struct Summary: Sink {
  public static var wantsFields: Bool { false }

  public init() {}
  @inline(__always)
  public mutating func open(_ field: Field, at offset: Int, isLayer: Bool) -> Int { 0 }
  @inline(__always)
  public mutating func close(_ token: Int, at offset: Int) {}
  @inline(__always)
  public mutating func found(
    _ field: Field, _ value: UInt64, at range: Range<Int>, isPart: Bool
  ) {}
  @inline(__always)
  public mutating func inferred(_ field: Field, _ value: UInt64, at offset: Int) {}
  @inline(__always)
  public mutating func undecoded(_ range: Range<Int>, isSecret: Bool) {}
  @inline(__always)
  public mutating func summary(_ text: [UInt8]) {}
  @inline(__always)
  public mutating func note(_ note: Note) {}
  @inline(__always)
  public mutating func failed(_ failure: Malformed) {}

  @inline(__always)
  public static func run(_ entry: Entry.Reference, _ pdu: inout PDU<Summary>) {
    entry.summarize(&pdu)
  }
}
