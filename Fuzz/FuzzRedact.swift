import HarkCapture
import HarkCore
import HarkDissection
import HarkProfile

@testable import HarkRedact

/// Redacts any packets, with half of all fields declared personal: none of their bytes stays, nothing that no
/// field explains stays, and the file keeps its size.
///
/// Two bytes pick the fields, one the level. Each record has its kind and direction, its length, and its bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRedact(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let choice = UInt64(input.byte()) | UInt64(input.byte()) << 8
  let level: RedactionLevel = input.byte() & 1 == 0 ? .strict : .share
  var file = Array("btsnoop".utf8) + [0, 0, 0, 0, 1, 0, 0, 3, 0xEA]
  var records = 0
  while !input.isEmpty, records < 512 {
    let kind = input.byte()
    records += 1
    append(h4: 1 + kind & 3, isReceived: kind & 0x80 != 0, records, input.bytes(), to: &file)
  }
  // Vendor-specific: no field explains its parameters. Core Specification, Vol 4, Part E, 5.4.4.
  append(h4: 4, isReceived: true, records + 1, [0xFF, UInt8(secret.count)] + secret, to: &file)
  var redaction = Redaction(level: level, map: map, framings: .known)
  redaction.withheld = Set(
    fields.enumerated().lazy
      .filter { (UInt64($0.offset) &+ choice) &* 0x9E37_79B9_7F4A_7C15 >> 63 == 1 }.map(\.element))
  // What cannot be redacted is refused.
  guard let redacted = try? redaction.redact(CaptureBytes(file, name: "fuzz")) else { return 0 }
  #if !FAST
    precondition(redacted.bytes.count == file.count, "the file keeps its size")
    precondition(
      redacted.list.bytes.reduce(0) { $0 + $1.count } == file.count, "each byte is accounted for")
    if level == .strict {
      precondition(!contains(redacted.bytes, secret), "what no field explains is removed")
    }
    check(file, redacted.bytes, redaction.withheld)
  #endif
  return 0
}

private let map = RedactionMap()
private let secret = Array("a secret that stands nowhere else".utf8)

private let fields: [Field] = Catalog.shared.paths.map(\.field).filter {
  if case .group = $0.definition.form { return false }
  if case .list = $0.definition.form { return false }
  return $0.definition.personal == nil
}

/// RFC 1761: a record of btsnoop with an H4 packet.
private func append(
  h4 type: UInt8, isReceived: Bool, _ number: Int, _ bytes: [UInt8], to file: inout [UInt8]
) {
  func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
  let flags = (isReceived ? 1 : 0) | (type == 1 || type == 4 ? 2 : 0)
  file += big(bytes.count + 1, 4) + big(bytes.count + 1, 4) + big(flags, 4) + big(0, 4)
  file += big(0x00E1_24AB_4A67_6000 + number * 1_000, 8) + [type] + bytes
}

private func check(_ old: [UInt8], _ new: [UInt8], _ withheld: Set<Field>) {
  guard let capture = try? Capture(bytes: old, name: "fuzz") else { return }
  _ = capture.forEachRecord { record, bytes in
    guard record.kind == .command || record.kind == .event else { return true }
    var tree = Tree()
    Catalog.shared.describe(bytes, .record(record.kind), Context(), into: &tree)
    for node in tree.nodes
    where node.kind == .value && node.count > 0 && withheld.contains(node.field) {
      // Some bytes are those of another field, too.
      let isShared = tree.nodes.contains {
        !withheld.contains($0.field) && $0.count > 0 && $0.range.overlaps(node.range)
          && ($0.kind == .value || $0.kind == .part)
      }
      if isShared { continue }
      let start = Int(record.offset) + node.range.lowerBound
      precondition(
        new[start..<(start + Int(node.count))].allSatisfy { $0 == 0 },
        "\(node.field.name) of packet \(record.number) stays")
    }
    return true
  }
}

private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  guard bytes.count >= part.count else { return false }
  return (0...(bytes.count - part.count)).contains { start in
    bytes[start] == part[0] && bytes[start..<(start + part.count)].elementsEqual(part)
  }
}
