import HarkCore
import HarkProfile

/// The entitlements in the code signature of a Mach-O executable: what the system grants, whatever a
/// provisioning profile would allow. Apple publishes the structures in cs_blobs.h of XNU.
enum CodeSignature {
  /// Executables that are read.
  static let largest = 1 << 26
  private static let mostSlots = 64

  /// The names of entitlements and their values; nil if there is no signature with entitlements.
  static func entitlements(of executable: [UInt8]) -> [(name: String, isTrue: Bool, isFalse: Bool)]?
  {
    for start in MachO.slices(of: executable) {
      guard let place = signature(in: executable, at: start) else { continue }
      if let found = rights(executable, at: place) { return found }
    }
    return nil
  }

  /// The place of the SuperBlob, which LC_CODE_SIGNATURE names.
  private static func signature(in file: [UInt8], at start: Int) -> Int? {
    MachO.commands(of: file, at: start)?.first { $0.code == 0x1D }
      .flatMap { MachO.little(file, $0.place + 8) }.map { start + Int($0) }
  }

  // MARK: What it says

  private static func rights(
    _ file: [UInt8], at place: Int
  ) -> [(name: String, isTrue: Bool, isFalse: Bool)]? {
    guard MachO.big(file, place) == 0xFADE_0CC0, let count = MachO.big(file, place + 8),
      count <= mostSlots
    else {
      return nil
    }
    var blobs: [UInt32: [UInt8]] = [:]
    for index in 0..<Int(count) {
      guard let slot = MachO.big(file, place + 12 + index * 8),
        let offset = MachO.big(file, place + 16 + index * 8)
      else { return nil }
      let start = place + Int(offset)
      guard let length = MachO.big(file, start + 4), length >= 8, start + Int(length) <= file.count
      else {
        continue
      }
      let magic = MachO.big(file, start)
      let isKnown =
        slot == 5 && magic == 0xFADE_7171 || slot == 7 && magic == 0xFADE_7172
      if isKnown { blobs[slot] = Array(file[(start + 8)..<(start + Int(length))]) }
    }
    // Systems of today read the DER; the XML is for older ones.
    if let der = blobs[7], let rights = DERRights.read(der) { return rights }
    guard let xml = blobs[5], case .object(let members)? = DataReading.propertyList(xml) else {
      return nil
    }
    return zip(members.names, members.values).map {
      ($0, $1 == .bool(true), $1 == .bool(false) || $1 == .null)
    }
  }
}

/// Entitlements in DER: an APPLICATION 16 of a version and a context 16 of pairs, each a sequence of a
/// UTF8String and a value.
private enum DERRights {
  private static let most = 4_096

  static func read(_ bytes: [UInt8]) -> [(name: String, isTrue: Bool, isFalse: Bool)]? {
    var outer = bytes[...]
    guard var content = element(&outer, 0x70), element(&content, 0x02) != nil,
      var pairs = element(&content, 0xB0)
    else { return nil }
    var rights: [(String, Bool, Bool)] = []
    while !pairs.isEmpty, rights.count < most {
      guard var pair = element(&pairs, 0x30), let name = element(&pair, 0x0C), let tag = pair.first
      else { return nil }
      var isTrue: Bool?
      if tag == 0x01 {
        guard let value = element(&pair, 0x01), value.count == 1 else { return nil }
        isTrue = value.first != 0
      }
      rights.append((String(decoding: name, as: UTF8.self), isTrue == true, isTrue == false))
    }
    return rights
  }

  /// The contents of an element with one tag, which is taken off the front.
  private static func element(_ bytes: inout ArraySlice<UInt8>, _ tag: UInt8) -> ArraySlice<UInt8>?
  {
    guard bytes.count >= 2, bytes.first == tag else { return nil }
    let first = bytes[bytes.startIndex + 1]
    var place = bytes.startIndex + 2
    var length = Int(first)
    if first & 0x80 != 0 {
      let count = Int(first & 0x7F)
      guard 1...4 ~= count, bytes.endIndex - place >= count else { return nil }
      length = bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
      place += count
    }
    guard bytes.endIndex - place >= length else { return nil }
    let content = bytes[place..<(place + length)]
    bytes = bytes[(place + length)...]
    return content
  }
}
