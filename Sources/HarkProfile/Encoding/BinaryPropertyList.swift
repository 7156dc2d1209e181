import HarkLayout
import HarkSession

/// The format as CoreFoundation's CFBinaryPList.c describes it: objects, a table of where they are,
/// and 32 bytes at the end that locate the table.
struct BinaryPropertyList {
  static let magic = Array("bplist0".utf8)
  private static let trailerSize = 32
  private static let headerSize = 8

  private var reader: ByteReader
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  /// Where the objects lie, in the order of reading; nil if not requested.
  private var places: [Range<Int>]?

  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    ByteReader.read(bytes, "property list") { (reader) throws(FramingProblem) in
      var (list, top) = try BinaryPropertyList.opened(reader)
      let value = try list.object(top, 0)
      reader.position = bytes.count
      return value
    }
  }

  /// The value of a whole list, and where its objects lie: each before those in it, keys before their
  /// values. Nil if it cannot be read.
  static func readWithPlaces(_ bytes: [UInt8]) -> (value: ProfileValue, places: [Range<Int>])? {
    guard let (opened, top) = try? Self.opened(ByteReader(bytes, "property list")) else {
      return nil
    }
    var list = opened
    list.places = []
    guard let value = try? list.object(top, 0) else { return nil }
    return (value, list.places ?? [])
  }

  private static func opened(
    _ start: ByteReader
  ) throws(FramingProblem) -> (BinaryPropertyList, top: Int) {
    var reader = start
    guard reader.remaining >= headerSize + trailerSize else {
      throw .tooShort(
        field: reader.encoding, needed: headerSize + trailerSize, available: reader.remaining)
    }
    // Five unused bytes, and one for sorting.
    reader.position = reader.bytes.count - trailerSize + 6
    let offsetSize = Int(try reader.byte())
    let referenceSize = Int(try reader.byte())
    let count = Int(clamping: try reader.number(8))
    let top = Int(clamping: try reader.number(8))
    let table = Int(clamping: try reader.number(8))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), table >= headerSize,
      table <= reader.bytes.count - trailerSize,
      count <= (reader.bytes.count - trailerSize - table) / offsetSize
    else { throw reader.wrong }
    return (
      BinaryPropertyList(
        reader: reader, offsetSize: offsetSize, referenceSize: referenceSize, count: count,
        table: table), top
    )
  }

  /// The object with that number. Objects that refer to themselves end with the depth, and those
  /// that many refer to with the number of values.
  private mutating func object(
    _ number: Int, _ depth: Int
  ) throws(FramingProblem) -> ProfileValue {
    try reader.enter(depth)
    guard number >= 0, number < count else { throw reader.wrong }
    reader.position = table + number * offsetSize
    let offset = Int(clamping: try reader.number(offsetSize))
    guard offset >= Self.headerSize, offset < table else { throw reader.wrong }
    reader.position = offset
    let place = places?.count
    places?.append(offset..<offset + 1)
    let marker = try reader.byte()
    let value = try content(marker, depth, place)
    if let place, marker >> 4 < 0xA { places?[place] = offset..<reader.position }
    return value
  }

  private mutating func content(
    _ marker: UInt8, _ depth: Int, _ place: Int?
  ) throws(FramingProblem) -> ProfileValue {
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return try simple(low)
    case 0x1: return try integer(low)
    case 0x2:
      switch low {
      case 2: return .float(Double(Float(bitPattern: UInt32(try reader.number(4)))))
      case 3: return .float(Double(bitPattern: try reader.number(8)))
      default: throw reader.wrong
      }
    case 0x3:
      guard low == 3 else { throw reader.wrong }
      return .float(Double(bitPattern: try reader.number(8)))
    case 0x4: return .bytes(Array(try reader.take(try length(low))))
    case 0x5, 0x7: return try reader.text(try length(low))
    case 0x6: return try wideText(try length(low))
    case 0x8:
      guard low < 8 else { throw reader.wrong }
      return .int(Integer(unsigned: try reader.number(low + 1)))
    case 0xA, 0xB, 0xC: return try array(try length(low), depth, place)
    case 0xD: return try dictionary(try length(low), depth, place)
    default: throw reader.wrong
    }
  }

  private func simple(_ low: Int) throws(FramingProblem) -> ProfileValue {
    switch low {
    case 0: return .null
    case 8: return .bool(false)
    case 9: return .bool(true)
    default: throw reader.wrong
    }
  }

  /// Of 1, 2 and 4 bytes without a sign; 8 have one; 16 are for what needs the highest bit of 8.
  private mutating func integer(_ low: Int) throws(FramingProblem) -> ProfileValue {
    switch low {
    case 0...2: return .int(Integer(unsigned: try reader.number(1 << low)))
    case 3: return .int(Integer(Int64(bitPattern: try reader.number(8))))
    case 4:
      let (high, rest) = (try reader.number(8), try reader.number(8))
      guard high == 0 else {
        guard high == .max, rest >> 63 == 1 else { throw reader.wrong }
        return .int(Integer(Int64(bitPattern: rest)))
      }
      return .int(Integer(unsigned: rest))
    default: throw reader.wrong
    }
  }

  /// The length in the marker, or as the number after it.
  private mutating func length(_ low: Int) throws(FramingProblem) -> Int {
    guard low == 0x0F else { return low }
    let marker = try reader.byte()
    guard marker >> 4 == 1, marker & 0x0F <= 3 else { throw reader.wrong }
    return Int(clamping: try reader.number(1 << Int(marker & 0x0F)))
  }

  private mutating func wideText(_ count: Int) throws(FramingProblem) -> ProfileValue {
    guard count <= reader.remaining / 2 else {
      throw .tooShort(
        field: reader.encoding, needed: count, available: reader.remaining / 2)
    }
    let octets = Array(try reader.take(count * 2))
    let units = stride(from: 0, to: octets.count, by: 2).map {
      UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
    }
    return .text(String(decoding: units, as: UTF16.self))
  }

  /// The numbers of objects that stand after a marker.
  private mutating func references(_ count: Int) throws(FramingProblem) -> [Int] {
    guard count <= min(ByteReader.mostValues, reader.remaining / referenceSize) else {
      throw reader.wrong
    }
    var references: [Int] = []
    for _ in 0..<count {
      references.append(Int(clamping: try reader.number(referenceSize)))
    }
    return references
  }

  private mutating func array(
    _ count: Int, _ depth: Int, _ place: Int?
  ) throws(FramingProblem) -> ProfileValue {
    var items: [ProfileValue] = []
    let all = try references(count)
    end(place)
    for reference in all { items.append(try object(reference, depth + 1)) }
    return .array(items)
  }

  /// A container ends after the numbers of its objects.
  private mutating func end(_ place: Int?) {
    guard let place, let start = places?[place].lowerBound else { return }
    places?[place] = start..<reader.position
  }

  private mutating func dictionary(
    _ count: Int, _ depth: Int, _ place: Int?
  ) throws(FramingProblem) -> ProfileValue {
    let keys = try references(count)
    let values = try references(count)
    end(place)
    var members = ProfileValue.Members()
    for (key, value) in zip(keys, values) {
      members.set(try object(key, depth + 1).text ?? "", try object(value, depth + 1))
    }
    return .object(members)
  }
}
