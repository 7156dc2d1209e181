import HarkCore
import HarkDissection

/// A server's HID Services: their reports. HID Service 1.0, 2.5, 2.6.
struct HIDAttributes: Sendable {
  private struct Reference {
    let type: UInt8
    let id: UInt8
  }

  private var maps: [(handle: UInt16, reports: HIDReports)] = []
  /// The parts of Report Maps read so far, by their handles.
  private var parts: [UInt16: [UInt8]] = [:]
  /// By the handle of the Report's value.
  private var references: [UInt16: Reference] = [:]

  /// Real devices have one, or two.
  private static let mostMaps = 16
  private static let mostReferences = 512
  /// The longest value of an attribute. Core Specification, Vol 3, Part F, 3.2.9
  private static let longest = 512

  /// Takes a part of the Report Map at `handle`; returns the complete map with the last part.
  mutating func add(_ part: RawSpan, _ offset: Int, at handle: UInt16, isLast: Bool) -> [UInt8]? {
    let before = offset == 0 ? [] : parts[handle] ?? []
    parts[handle] = nil
    guard before.count == offset, offset + part.byteCount <= Self.longest else { return nil }
    let bytes = before + part.array
    if isLast { return bytes }
    if parts.count < Self.mostMaps { parts[handle] = bytes }
    return nil
  }

  /// Takes a Report Map; false if it was already known.
  mutating func learn(_ reports: HIDReports, at handle: UInt16) -> Bool {
    if let index = maps.firstIndex(where: { $0.handle == handle }) {
      guard maps[index].reports !== reports else { return false }
      maps[index].reports = reports
      return true
    }
    guard maps.count < Self.mostMaps else { return false }
    maps.append((handle, reports))
    return true
  }

  /// Takes the Report Reference of the Report at `handle`.
  mutating func learn(type: UInt8, id: UInt8, at handle: UInt16) {
    guard references.count < Self.mostReferences else { return }
    references[handle] = Reference(type: type, id: id)
  }

  /// What is known about the Report at `handle`.
  /// - Parameter isSibling: Whether a Report Map, by its handle, is in the same service.
  func report(at handle: UInt16, isSibling: (UInt16) -> Bool) -> HIDReportContext {
    let reference = references[handle]
    let map = maps.count > 1 ? maps.first { isSibling($0.handle) } : maps.first
    return HIDReportContext(map?.reports, type: reference?.type ?? 0, id: reference?.id ?? 0)
  }

  /// The attribute at `handle` is another one now.
  mutating func forget(_ handle: UInt16) {
    guard !isEmpty else { return }
    maps.removeAll { $0.handle == handle }
    parts[handle] = nil
    references[handle] = nil
  }

  private var isEmpty: Bool { maps.isEmpty && parts.isEmpty && references.isEmpty }

  mutating func absorb(_ newer: HIDAttributes) {
    for map in newer.maps { _ = learn(map.reports, at: map.handle) }
    for (handle, reference) in newer.references {
      learn(type: reference.type, id: reference.id, at: handle)
    }
  }
}

extension GATTDatabase {
  /// The report of a HID device that the characteristic at `handle` is.
  func report(at handle: UInt16) -> HIDReportContext {
    hid.report(at: handle) { map in
      guard let service = service(containing: map) else { return false }
      return service.start <= handle && handle <= service.end
    }
  }
}
