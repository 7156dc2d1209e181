/// What precedes each file in a tar archive: IEEE Std 1003.1-2017, pax; GNU tar, "Basic Tar Format".
struct TarHeader {
  static let size = 512

  enum Kind {
    case file
    /// Records of pax for the next file.
    case extended
    /// The name of the next file, where it is too long for its header.
    case longName
    /// A file with holes, whose bytes are not in one piece.
    case sparse
    /// Folders, links, devices, and what concerns the whole archive.
    case other
  }

  let kind: Kind
  let name: String
  /// How many bytes follow, without those that fill the last block.
  let count: Int64

  /// - Parameter block: Of `size` bytes.
  /// - Returns: Nil if the checksum does not fit.
  init?(_ block: [UInt8]) {
    guard block.count == Self.size, let sum = Self.number(block[148..<156]),
      let count = Self.number(block[124..<136])
    else { return nil }
    let found = block.indices.reduce(0) { $0 + (148..<156 ~= $1 ? 0x20 : Int64(block[$1])) }
    guard found == sum else { return nil }
    switch block[156] {
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): kind = .file
    case UInt8(ascii: "x"): kind = .extended
    case UInt8(ascii: "L"): kind = .longName
    case UInt8(ascii: "S"): kind = .sparse
    default: kind = .other
    }
    let hasBytes = !(UInt8(ascii: "1")...UInt8(ascii: "6") ~= block[156])
    self.count = hasBytes ? count : 0
    // GNU's header has times where that of POSIX has the front of the name.
    let isPOSIX = block[257..<263].elementsEqual("ustar\0".utf8)
    let front = isPOSIX ? Self.text(block[345..<500]) : ""
    let last = Self.text(block[0..<100])
    name = front.isEmpty ? last : "\(front)/\(last)"
  }

  /// Whether an archive begins with these bytes.
  static func begins(_ block: [UInt8]) -> Bool {
    block.count >= size && block[257..<262].elementsEqual("ustar".utf8)
      && TarHeader(Array(block[..<size])) != nil
  }

  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Octal digits, or, as GNU writes large ones, a number of base 256 after a byte with its highest bit set.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    guard let first = bytes.first else { return nil }
    var value: Int64 = 0
    if first & 0x80 != 0 {
      guard first == 0x80 else { return nil }
      for byte in bytes.dropFirst() {
        guard value <= Int64.max >> 9 else { return nil }
        value = value << 8 | Int64(byte)
      }
      return value
    }
    for byte in bytes.drop(while: { $0 == 0x20 }) {
      if byte == 0 || byte == 0x20 { break }
      guard 0x30...0x37 ~= byte, value <= Int64.max >> 4 else { return nil }
      value = value << 3 | Int64(byte - 0x30)
    }
    return value
  }
}

/// The records of pax that change how the next file is read.
struct TarRecords {
  private(set) var name: String?
  private(set) var count: Int64?
  private(set) var isSparse = false

  init() {}

  /// - Parameter bytes: Records such as `30 path=logs/Bluetooth/a.pklg⏎`; anything else ends them.
  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let blank = rest.prefix(20).firstIndex(of: 0x20),
      let length = Int(String(decoding: rest[..<blank], as: UTF8.self)),
      length <= rest.count, length > blank - rest.startIndex + 1
    {
      let record = rest[(blank + 1)..<(rest.startIndex + length)]
      rest = rest.dropFirst(length)
      guard let sign = record.firstIndex(of: UInt8(ascii: "=")), record.last == 0x0A else { break }
      let key = String(decoding: record[..<sign], as: UTF8.self)
      let value = record[(sign + 1)...].dropLast()
      switch key {
      case "path", "GNU.sparse.name": name = TarHeader.text(value)
      case "size":
        guard let given = Int64(String(decoding: value, as: UTF8.self)), given >= 0 else { break }
        count = given
      case let key where key.hasPrefix("GNU.sparse."): isSparse = true
      default: break
      }
    }
  }

  init(name: String) { self.name = name }
}
