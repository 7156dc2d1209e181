/// Whether messages can be of Protocol Buffers: tags and values to their ends, and each field always
/// of one wire type. https://protobuf.dev/programming-guides/encoding
enum ProtobufTrial {
  private static let highestField: UInt64 = 64

  static func fits(_ messages: [[UInt8]], tags fewest: Int) -> Bool {
    var types: [UInt64: UInt64] = [:]
    var tags = 0
    for message in messages {
      var place = 0
      while place < message.count {
        guard let tag = varint(message, &place) else { return false }
        let (field, type) = (tag >> 3, tag & 7)
        guard (1...highestField).contains(field), types[field] ?? type == type,
          skip(type, message, &place)
        else { return false }
        types[field] = type
        tags += 1
      }
    }
    return tags >= fewest
  }

  private static func skip(_ type: UInt64, _ bytes: [UInt8], _ place: inout Int) -> Bool {
    let count: Int
    switch type {
    case 0: return varint(bytes, &place) != nil
    case 1: count = 8
    case 2:
      guard let length = varint(bytes, &place), length <= UInt64(bytes.count) else { return false }
      count = Int(length)
    case 5: count = 4
    default: return false
    }
    guard count <= bytes.count - place else { return false }
    place += count
    return true
  }

  private static func varint(_ bytes: [UInt8], _ place: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, through: 63, by: 7) {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
