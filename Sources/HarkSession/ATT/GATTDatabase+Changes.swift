import HarkCore
import HarkDissection

// A server may get other attributes: by an update of its firmware, or while it runs. What a later discovery shows
// replaces what an earlier one showed. Core Specification, Vol 3, Part G, 2.5.2, 7.1.
extension GATTDatabase {
  /// Handles whose attributes the server said it changed.
  struct Change: Sendable {
    let handles: ClosedRange<UInt16>
    let packet: PacketID

    /// More than servers announce before a client discovers them again.
    static let most = 16
  }

  /// The attributes in `handles` may be others from now on.
  mutating func invalidate(_ handles: ClosedRange<UInt16>, _ packet: PacketID) {
    if changes.count == Change.most { changes.removeFirst() }
    changes.append(Change(handles: handles, packet: packet))
    hasAnnouncedChange = true
  }

  /// A client read the Database Hash. Another hash than before shows a change, of unknown handles unless Service Changed
  /// named them since. 7.3
  mutating func tookHash(isOther: Bool, _ packet: PacketID) {
    if isOther, !hasAnnouncedChange { invalidate(1...UInt16.max, packet) }
    hasAnnouncedChange = false
  }

  /// Whether the entry that `packet` shows was invalidated after that, and not discovered again.
  public func isInvalidated(_ handle: UInt16, discovered packet: PacketID) -> Bool {
    packet != .borrowed
      && changes.contains { $0.handles.contains(handle) && packet.number < $0.packet.number }
  }

  /// What is discovered at a handle after a change need not be what was used there before it.
  mutating func dropUse(beforeChangeOf handle: UInt16) {
    guard !changes.isEmpty, knownType(of: handle) == nil, let slot = find(handle),
      let use = attributes[slot].use, isInvalidated(handle, discovered: use.firstFrame)
    else { return }
    clear(handle)
  }

  // MARK: What discovery shows

  /// Services do not overlap: those that were discovered before, in handles of this one, are no more.
  mutating func replace(by service: Service) {
    guard !service.isBorrowed, service.start <= service.end else { return }
    if service.start > 0, let before = starts.last(through: service.start - 1),
      let other = services[before], !other.isBorrowed, other.end >= service.start
    {
      services[before]?.end = service.start - 1
      removeContents(service.start...other.end)
    }
    for start in starts.handles(in: service.start...service.end) {
      guard let other = services[start], !other.isBorrowed else { continue }
      let isSame = start == service.start && (other.uuid ?? service.uuid) == service.uuid
      if !isSame { remove(other) }
    }
  }

  /// Another attribute at one of its handles is no more.
  mutating func replace(by characteristic: Characteristic) {
    guard !characteristic.isBorrowed else { return }
    let handle = characteristic.handle
    if let other = characteristics[handle], isDiscovered(other), other.uuid != characteristic.uuid {
      remove(other)
    }
    if let other = characteristics[characteristic.declaration], isDiscovered(other) {
      remove(other)
    }
    if let other = descriptors[handle], !other.isBorrowed {
      // Find Information shows all attributes: the same one.
      if other.uuid == characteristic.uuid {
        descriptors[handle] = nil
      } else {
        removeContent(handle)
      }
    }
    if let other = descriptors[characteristic.declaration], !other.isBorrowed {
      removeContent(characteristic.declaration)
    }
  }

  mutating func replace(by descriptor: Descriptor) {
    guard !descriptor.isBorrowed else { return }
    let handle = descriptor.handle
    if let other = characteristics[handle], isDiscovered(other), other.uuid != descriptor.uuid {
      remove(other)
    }
    if declarations.contains(handle), handle < .max, let other = characteristics[handle + 1],
      other.declaration == handle, isDiscovered(other)
    {
      remove(other)
    }
    if let other = descriptors[handle], !other.isBorrowed, other.uuid != descriptor.uuid {
      removeContent(handle)
    }
  }

  /// What searches find.
  enum Searched {
    case primaryServices, secondaryServices, characteristics, descriptors
    /// Primary services of one type.
    case services(BluetoothUUID)
  }

  /// A search of these handles found nothing but what `packet` shows.
  mutating func limit(
    _ searched: Searched, in handles: ClosedRange<UInt16>, to packet: PacketID
  ) {
    switch searched {
    case .primaryServices, .secondaryServices, .services:
      for start in starts.handles(in: handles) {
        guard let service = services[start], !service.isBorrowed, service.frame != packet,
          searched.finds(service)
        else { continue }
        remove(service)
      }
    case .characteristics:
      // The value has the handle after the declaration. 3.3.2
      let last = handles.upperBound < .max ? handles.upperBound + 1 : .max
      for handle in contents.handles(in: handles.lowerBound...last) {
        guard let one = characteristics[handle], isDiscovered(one), one.frame != packet,
          handles.contains(one.declaration)
        else { continue }
        remove(one)
      }
    case .descriptors:
      for handle in contents.handles(in: handles) {
        guard let one = descriptors[handle], !one.isBorrowed, one.frame != packet else { continue }
        removeContent(handle)
      }
    }
  }

  // MARK: Removal

  private func isDiscovered(_ one: Characteristic) -> Bool { !one.isBorrowed && !one.isRecognized }

  private mutating func remove(_ service: Service) {
    services[service.start] = nil
    starts.remove(service.start)
    clear(service.start)
    removals += 1
    if service.start <= service.end { removeContents(service.start...service.end) }
  }

  /// Removes a characteristic with its descriptors.
  private mutating func remove(_ one: Characteristic) {
    var handle = one.handle
    for _ in 0..<Self.mostDescriptors {
      guard handle < .max else { break }
      handle += 1
      guard characteristics[handle] == nil, services[handle] == nil,
        !declarations.contains(handle)
      else { break }
      if let descriptor = descriptors[handle], !descriptor.isBorrowed { removeContent(handle) }
    }
    removeContent(one.handle)
  }

  /// Removes everything in `handles` that is no service.
  private mutating func removeContents(_ handles: ClosedRange<UInt16>) {
    for handle in contents.handles(in: handles) { removeContent(handle) }
    for handle in usedHandles.handles(in: handles) where services[handle] == nil { clear(handle) }
  }

  /// Removes the value of a characteristic, or a descriptor.
  private mutating func removeContent(_ handle: UInt16) {
    if let one = characteristics.removeValue(forKey: handle) {
      counts[one.uuid, default: 1] -= 1
      if one.declaration != handle {
        declarations.remove(one.declaration)
        clear(one.declaration)
      }
    }
    descriptors[handle] = nil
    contents.remove(handle)
    clear(handle)
    removals += 1
  }

  /// Nothing is known of the attribute at `handle` any more.
  private mutating func clear(_ handle: UInt16) {
    if let slot = find(handle) {
      attributes[slot].type = given[handle]
      attributes[slot].use = nil
    }
    usedHandles.remove(handle)
    unansweredSubscriptions.remove(handle)
    configurations[handle] = nil
    hid.forget(handle)
  }
}

extension GATTDatabase.Searched {
  fileprivate func finds(_ service: GATTDatabase.Service) -> Bool {
    switch self {
    case .primaryServices: service.isPrimary
    case .secondaryServices: !service.isPrimary
    case .services(let uuid): service.isPrimary && service.uuid == uuid
    case .characteristics, .descriptors: false
    }
  }
}

/// Handles of attributes, one bit each: those of a range are found without looking at all others.
struct HandleSet: Sendable {
  private var words: [UInt64] = []

  mutating func insert(_ handle: UInt16) {
    let index = Int(handle >> 6)
    while words.count <= index { words.append(0) }
    words[index] |= 1 << UInt64(handle & 63)
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  mutating func remove(_ handle: UInt16) {
    let index = Int(handle >> 6)
    if index < words.count { words[index] &= ~(1 << UInt64(handle & 63)) }
  }

  func isSubset(of other: HandleSet) -> Bool {
    words.indices.allSatisfy { index in
      words[index] & ~(index < other.words.count ? other.words[index] : 0) == 0
    }
  }

  mutating func formUnion(_ other: HandleSet) {
    while words.count < other.words.count { words.append(0) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  /// Those in `range`, in order.
  func handles(in range: ClosedRange<UInt16>) -> [UInt16] {
    var found: [UInt16] = []
    let end = min(Int(range.upperBound >> 6) + 1, words.count)
    for index in min(Int(range.lowerBound >> 6), end)..<end {
      var bits = words[index]
      while bits != 0 {
        let handle = UInt16(truncatingIfNeeded: index << 6 | bits.trailingZeroBitCount)
        if range.contains(handle) { found.append(handle) }
        bits &= bits - 1
      }
    }
    return found
  }

  /// The last one up to `handle`.
  func last(through handle: UInt16) -> UInt16? {
    var index = min(Int(handle >> 6), words.count - 1)
    while index >= 0 {
      var bits = words[index]
      if index == Int(handle >> 6), handle & 63 < 63 {
        bits &= (1 << UInt64((handle & 63) + 1)) - 1
      }
      if bits != 0 {
        return UInt16(truncatingIfNeeded: index << 6 | (63 - bits.leadingZeroBitCount))
      }
      index -= 1
    }
    return nil
  }
}
