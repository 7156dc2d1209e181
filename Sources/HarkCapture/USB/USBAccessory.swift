import HarkCore

/// The interface of a USB device over which Apple's devices and accessories speak iAP2: of the vendor's class, named
/// "iAP Interface", with a bulk endpoint in each direction. Where the capture does not have its descriptors, its data shows it.
struct USBAccessory {
  /// Which accessory it is, counted as they are recognized; nil before.
  var number: UInt16?
  /// What the host asked the device for last: the 8 bytes of a request.
  private var request: [UInt8] = []
  /// The bulk endpoints of interfaces of the vendor's class, by the number of the string that names the interface.
  private var candidates: [(name: UInt8, endpoint: UInt8)] = []
  /// The numbers of the strings that name such an interface.
  private var names: Set<UInt8> = []
  /// Endpoints identified by their data.
  private var recognized: Set<UInt8> = []

  private static let interfaceName = "iAP Interface"
  /// Descriptors are read again with each start of the device.
  private static let mostCandidates = 64

  /// The data of a transfer, if it is of such an interface.
  mutating func take(_ transfer: USBTransfer, _ record: [UInt8]) -> USBPacket? {
    if transfer.kind == .control {
      if let setup = transfer.setup { request = Array(record[setup]) }
      if transfer.isFromDevice, let data = transfer.data.first, !data.isEmpty {
        readDescriptor(record[data])
      }
      return nil
    }
    guard transfer.kind == .bulk, let data = transfer.data.first, !data.isEmpty else { return nil }
    let isDescribed = isDescribed(transfer.endpoint)
    if !isDescribed, !recognized.contains(transfer.endpoint) {
      guard Self.isIAP2(record[data]) else { return nil }
      recognized.insert(transfer.endpoint)
    }
    return USBPacket(accessory: transfer, bytes: Array(record[data]), isInferred: !isDescribed)
  }

  private func isDescribed(_ endpoint: UInt8) -> Bool {
    candidates.contains { $0.endpoint == endpoint && names.contains($0.name) }
  }

  /// Reads a configuration descriptor, or a string that the host asked for. USB 2.0 Specification, 9.4.3, 9.6.
  private mutating func readDescriptor(_ data: ArraySlice<UInt8>) {
    let bytes = Array(data)
    guard bytes.count > 2 else { return }
    if bytes[0] == 9, bytes[1] == 2 {
      readConfiguration(bytes)
    } else if bytes[1] == 3, Int(bytes[0]) == bytes.count, request.count == 8, request[1] == 6,
      request[3] == 3
    {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
      if String(decoding: units, as: UTF16.self) == Self.interfaceName { names.insert(request[2]) }
    }
  }

  private mutating func readConfiguration(_ bytes: [UInt8]) {
    var place = 0
    var name: UInt8?
    while place + 2 <= bytes.count {
      let length = Int(bytes[place])
      guard length >= 2, place + length <= bytes.count else { break }
      if bytes[place + 1] == 4, length >= 9 {
        name = bytes[place + 5] == 0xFF && bytes[place + 8] != 0 ? bytes[place + 8] : nil
      } else if bytes[place + 1] == 5, length >= 7, let name, bytes[place + 3] & 3 == 2,
        candidates.count < Self.mostCandidates
      {
        candidates.append((name, bytes[place + 2]))
      }
      place += length
    }
  }

  /// Whether data begins with the detection of iAP2 or with a link packet whose header has the right checksum: all of its
  /// nine bytes add up to 0.
  private static func isIAP2(_ data: ArraySlice<UInt8>) -> Bool {
    if data.elementsEqual([0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]) { return true }
    let header = data.prefix(9)
    guard header.count == 9, header.starts(with: [0xFF, 0x5A]) else { return false }
    let length = Int(header[header.startIndex + 2]) << 8 | Int(header[header.startIndex + 3])
    return length >= 9 && header.reduce(0, &+) == 0
  }
}
