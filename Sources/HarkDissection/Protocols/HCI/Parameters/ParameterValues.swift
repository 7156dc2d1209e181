import HarkCore

/// The sink of messages that tables of parameters give: it keeps the values of the first few fields,
/// without allocating.
struct ParameterValues: Sink {
  static var wantsFields: Bool { true }
  /// Events and commands that are followed have fewer parameters in front of their lists.
  private static let most = 32

  private var fields = InlineArray<32, UInt16>(repeating: 0)
  private var values = InlineArray<32, UInt64>(repeating: 0)
  private var starts = InlineArray<32, UInt32>(repeating: 0)
  private var ends = InlineArray<32, UInt32>(repeating: 0)
  private var count = 0

  /// The parameters of groups that repeat, of which each value is kept.
  private let listed: InlineArray<3, Field>?
  private(set) var list: [(field: Field, value: UInt64, range: Range<Int>)] = []

  init() { listed = nil }

  /// - Parameter first: A parameter of groups that repeat, as are the others.
  init(listing first: Field, _ second: Field? = nil, _ third: Field? = nil) {
    listed = [first, second ?? first, third ?? first]
  }

  mutating func found(_ field: Field, _ value: UInt64, at range: Range<Int>, isPart: Bool) {
    if let listed, field == listed[0] || field == listed[1] || field == listed[2] {
      list.append((field, value, range))
    }
    keep(field, value, range)
  }

  private mutating func keep(_ field: Field, _ value: UInt64, _ range: Range<Int>) {
    guard count < Self.most else { return }
    fields[count] = field.id
    values[count] = value
    starts[count] = UInt32(truncatingIfNeeded: range.lowerBound)
    ends[count] = UInt32(truncatingIfNeeded: range.upperBound)
    count += 1
  }

  /// - Returns: The place of the part, from 1; 0 if there is no more room.
  mutating func open(_ field: Field, at offset: Int, isLayer: Bool) -> Int {
    guard count < Self.most, !isLayer else { return 0 }
    keep(field, 0, offset..<offset)
    return count
  }

  mutating func close(_ token: Int, at offset: Int) {
    if token > 0 { ends[token - 1] = UInt32(truncatingIfNeeded: offset) }
  }

  mutating func inferred(_ field: Field, _ value: UInt64, at offset: Int) {}
  mutating func undecoded(_ range: Range<Int>, isSecret: Bool) {}
  mutating func summary(_ text: [UInt8]) {}
  mutating func note(_ note: Note) {}
  mutating func failed(_ failure: Malformed) {}

  /// What parameters carry is no parameter.
  static func run(_ entry: Entry.Reference, _ pdu: inout PDU<ParameterValues>) {
    pdu.moveOn(to: pdu.end)
  }

  // MARK: Values

  private func place(_ field: Field) -> Int? {
    for index in 0..<count where fields[index] == field.id { return index }
    return nil
  }

  /// The first value of a field; nil if the packet does not have it.
  subscript(field: Field) -> UInt64? { place(field).map { values[$0] } }

  func u8(_ field: Field) -> UInt8? { self[field].map { UInt8(truncatingIfNeeded: $0) } }
  func u16(_ field: Field) -> UInt16? { self[field].map { UInt16(truncatingIfNeeded: $0) } }
  func u32(_ field: Field) -> UInt32? { self[field].map { UInt32(truncatingIfNeeded: $0) } }

  func range(_ field: Field) -> Range<Int>? { place(field).map { Int(starts[$0])..<Int(ends[$0]) } }

  /// An address with the field of its type; without one, an address of BR/EDR.
  func address(_ field: Field, type: Field? = nil) -> BluetoothAddress? {
    self[field].map { BluetoothAddress($0, hciType: type.flatMap { u8($0) } ?? 0) }
  }

  /// The values of `field` in the groups that repeat.
  func each(_ field: Field) -> [UInt64] { list.filter { $0.field == field }.map(\.value) }
}
