import HarkCore

/// Names of UUIDs, company identifiers and other codes. Bluetooth SIG, Assigned Numbers.
public enum AssignedNumbers {
  static let uuids = NameTable(uuidText)
  static let companies = NameTable(companyText)
  static let appearances = NameTable(appearanceText)
  static let uriSchemes = NameTable(uriSchemeText)

  /// The name of a service, characteristic, descriptor or any other thing with a UUID, or nil.
  public static func name(of uuid: BluetoothUUID) -> String? {
    if !given.isEmpty, let name = given[uuid] { return name }
    if let short = uuid.short { return uuids[short] }
    return vendorUUIDs[uuid]?.description ?? homeKitName(of: uuid)
  }

  /// All UUIDs that have a name.
  public static var named: [(uuid: BluetoothUUID, name: String)] {
    uuids.codes.compactMap { code in uuids[code].map { (BluetoothUUID(code), $0) } }
      + vendorUUIDs.filter { given[$0.key] == nil }.map { ($0.key, $0.value.description) }
      + given.map { ($0.key, $0.value) }
  }

  /// The name of the type of an attribute, or nil. Of 16-bit UUIDs only declarations, descriptors and
  /// characteristics are types: those of members and standards organisations are services.
  /// Assigned Numbers, 3.5 to 3.8, 3.10, 3.11.
  public static func name(ofAttributeType uuid: BluetoothUUID) -> String? {
    if !given.isEmpty, let name = given[uuid] { return name }
    guard let short = uuid.short else { return vendorUUIDs[uuid]?.description }
    return 0x2800...0x2FFF ~= short ? uuids[short] : nil
  }

  /// The type of attributes that has a name and begins with the 64 bits `high`, or nil.
  static func attributeType(high: UInt64) -> BluetoothUUID? {
    let short = BluetoothUUID(UInt16(truncatingIfNeeded: high >> 32))
    if short.high == high { return name(ofAttributeType: short) == nil ? nil : short }
    return vendorHighs[high]
  }

  /// A number that stands for a type of attributes with a name: its short UUID, or less than 0x2800 for a
  /// vendor's; 0 for all others.
  static func number(ofAttributeType uuid: BluetoothUUID) -> UInt16 {
    guard let short = uuid.short else { return vendorNumbers[uuid] ?? 0 }
    return short < 0x2800 || name(ofAttributeType: uuid) == nil ? 0 : short
  }

  /// The type of attributes that has this number; nil for 0.
  static func attributeType(number: UInt16) -> BluetoothUUID? {
    if number >= 0x2800 { return BluetoothUUID(number) }
    return number == 0 || number > vendorList.count ? nil : vendorList[Int(number) - 1]
  }

  /// The version of the Core Specification that a controller names, or nil: `5.4`. Assigned Numbers, 2.1
  public static func coreVersion(_ code: UInt8) -> String? {
    HCICodes.versions[UInt64(code)]?.description
  }

  /// The company with the identifier `code`, or nil.
  public static func company(_ code: UInt16) -> String? {
    // 7.1: this value "may be used in the internal and interoperability tests before a Company ID
    // has been assigned".
    code == 0xFFFF ? "internal use (0xffff)" : companies[code]
  }

  /// An Error Code of ATT in a response about an attribute of the type `type`, or nil.
  public static func attError(_ code: UInt8, of type: BluetoothUUID?) -> String? {
    ATT.errorField(of: type).definition.name(of: UInt64(code))
  }

  /// The name of an AttributeID of AMS, which depends on the EntityID.
  public static func amsAttribute(_ attribute: UInt8, of entity: UInt8) -> String? {
    AMSFields.shared.attribute(of: entity).definition.name(of: UInt64(attribute))
  }

  /// `Watch: Sports Watch`; the category alone where the subcategory is not known; or nil.
  public static func appearance(_ code: UInt16) -> String? {
    appearances[code] ?? appearances[code & ~0x3F]
  }

  /// The scheme name string of a URI's first code point, with its colon, or nil.
  public static func uriScheme(_ code: UInt16) -> String? { uriSchemes[code] }
}

/// Names by their code, kept as one text in the program with an index that is built on first use.
struct NameTable: Sendable {
  /// A line for each name: four hexadecimal digits, a space, the name; codes rise.
  private let text: StaticString
  let codes: [UInt16]
  private let starts: [Int]

  init(_ text: StaticString) {
    var codes: [UInt16] = []
    var starts: [Int] = []
    let bytes = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    var start = 0
    while start + 5 < bytes.count {
      let code = unsafe bytes[start..<start + 4].reduce(UInt16(0)) {
        $0 << 4 | UInt16(Hex.value(of: $1) ?? 0)
      }
      codes.append(code)
      starts.append(start)
      let end = unsafe bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      start = end + 1
    }
    starts.append(bytes.count + 1)
    (self.text, self.codes, self.starts) = (text, codes, starts)
  }

  var count: Int { codes.count }

  subscript(code: UInt16) -> String? {
    let index = codes.partitioningIndex { $0 >= code }
    guard index < codes.count, codes[index] == code else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return unsafe String(
      decoding: bytes[(starts[index] + 5)..<(starts[index + 1] - 1)], as: UTF8.self)
  }
}
