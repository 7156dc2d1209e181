import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

/// Puts together values that come in several PDUs, each of which has a part of one: advertising data in
/// fragments, and attributes that are read or written part by part.
/// Core Specification, Vol 4, Part E, 7.7.65.13, 7.8.54; Vol 3, Part F, 3.4.4.5, 3.4.6.1.
struct LongValues {
  /// Whose value it is.
  enum Source: Hashable {
    /// What a Host sets, by the opcode of its command.
    case set(controller: UInt16, opcode: UInt64, handle: UInt64)
    case advertiser(controller: UInt16, address: UInt64, set: UInt64)
    case train(controller: UInt16, handle: UInt64)
    case attribute(link: LinkID?, channel: ChannelID?, opcode: UInt64, handle: UInt64)
  }

  enum Content {
    case advertisingData
    /// The value of an attribute, with its type, if that is known.
    case attribute(BluetoothUUID?)
  }

  /// A value as far as it was seen, and where its bytes are in the capture.
  struct Value {
    let content: Content
    var bytes: [UInt8]
    var pieces: [PDUPieces.Piece]
    /// Whether no PDU says what it is on its own.
    var isApart: Bool
    var isDoubtful: Bool

    /// Adds the part that begins at `offset`; false if something is missing in front of it.
    /// - Parameter range: Of the part in the PDU that is at `places`.
    mutating func add(
      _ part: [UInt8], at offset: Int, _ range: Range<Int>, _ places: PDUPieces
    ) -> Bool {
      guard offset <= bytes.count, offset + part.count <= LongValues.longest else { return false }
      let shared = min(bytes.count - offset, part.count)
      guard bytes[offset..<(offset + shared)].elementsEqual(part[..<shared]) else { return false }
      bytes += part[shared...]
      pieces += places.part(range, at: offset)
      isApart = true
      return true
    }
  }

  private static let longest = 1 << 16

  private var open: [Source: Value] = [:]
  /// Those that are whole, or of which no more comes.
  private(set) var ended: [Value] = []

  mutating func begin(_ value: Value, of source: Source) {
    end(source)
    open[source] = value
  }

  func isOpen(_ source: Source) -> Bool { open[source] != nil }

  /// Whether `body`, which adds to the value of a source, could.
  mutating func add(
    to source: Source, _ body: (inout Value) -> Bool
  ) -> Bool {
    guard var value = open.removeValue(forKey: source) else { return false }
    let isAdded = body(&value)
    open[source] = value
    return isAdded
  }

  /// How long the value of a source is so far.
  func count(of source: Source) -> Int { open[source]?.bytes.count ?? 0 }

  mutating func end(_ source: Source) {
    guard let value = open.removeValue(forKey: source) else { return }
    // One that came in one PDU was taken with that.
    if value.isApart { ended.append(value) }
  }

  mutating func endAll() {
    let first = { (value: Value) in value.pieces.first?.place ?? 0 }
    ended += open.values.filter(\.isApart).sorted { first($0) < first($1) }
    open = [:]
  }
}
