import HarkCore
import HarkDissection

/// Reads any bytes at any place where bytes come in: nothing may trap, and the laws that the tests
/// check hold. The first byte picks the place, the second what is known about the packet.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDissect(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count >= 2 else { return 0 }
  let input = [UInt8](UnsafeBufferPointer(start: start + 2, count: count - 2))
  let place = places[Int(start[0]) % places.count]
  var context = context(start[1])
  if case .attribute(let type) = place {
    context.attributeType = type
    context.continuesMessage = start[1] & 2 != 0
  }
  #if FAST
    _ = Catalog.shared.describe(input.raw, Catalog.shared.entry(at: place), context, into: &tree)
  #else
    let broken = Laws.violations(
      input.raw, Catalog.shared.entry(at: place), context, &tree)
    precondition(broken.isEmpty, "\(place): \(broken.joined(separator: "; "))")
    precondition(Catalog.shared.lines(tree, of: input.raw).count == tree.nodes.count)
  #endif
  return 0
}

// libFuzzer calls from one thread.
nonisolated(unsafe) private var tree = Tree()

/// `seeds.py` counts in this order: new places go to the end.
private let places: [AttachmentPoint] =
  PacketKind.allCases.map { .record($0) } + [.l2cap]
  + [1, 4, 5, 6, 7].map { .channel($0) } + [.advertisingData, .company(0x004C)]
  + Catalog.shared.entries.flatMap(\.places).filter { place in
    switch place {
    case .attribute, .serviceData, .company(0x0006): true
    default: false
    }
  }
  + Catalog.shared.entries.flatMap(\.places).filter { place in
    switch place {
    case .service, .iap2, .iap1: true
    default: false
    }
  }
  + Catalog.shared.entries.flatMap(\.places).filter { if case .psm = $0 { true } else { false } }

private let types: [BluetoothUUID?] = [
  nil, BluetoothUUID(0x2800 as UInt16), BluetoothUUID(0x2801 as UInt16),
  BluetoothUUID(0x2802 as UInt16), BluetoothUUID(0x2803 as UInt16),
  BluetoothUUID(0x2A00 as UInt16), BluetoothUUID(0x0001_2803 as UInt32),
  BluetoothUUID(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF),
]

/// Of dynamic channels, as a session knows them: none, one without a dissector, and ATT twice.
private let psms: [UInt16?] = [nil, 0x0080, 0x001F, 0x0027]
private let channels = psms.map { $0.flatMap(Catalog.shared.entry(forPSM:)) }

private func context(_ byte: UInt8) -> Context {
  var context = Context()
  context.isTruncated = byte & 2 != 0
  context.requestedType = types[Int(byte >> 2 & 7)]
  context.psm = psms[Int(byte >> 5 & 3)]
  unsafe context.channel = channels[Int(byte >> 5 & 3)]
  return context
}
