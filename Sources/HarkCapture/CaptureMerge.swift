import HarkCore

/// Several captures read as one, in the order of their times. Each keeps its own order.
///
/// Captures whose times overlap were made at different places: where they use the same numbers for
/// controllers, those of the later one get others. A capture that begins when the others have ended
/// continues with theirs.
public final class CaptureMerge {
  /// A controller that got another number.
  public struct Renumbering: Equatable, Sendable {
    /// The capture's place among them.
    public var capture: Int
    public var from: UInt16
    public var to: UInt16
  }

  public let captures: [Capture]
  public private(set) var renumberings: [Renumbering] = []
  /// The capture of the record that was handed out last, and the number its controller has there.
  public private(set) var current = 0
  public private(set) var controller: UInt16 = 0

  /// The next record of each; empty if there is one capture only.
  private var heads: [Head]
  /// Captures with one number share their controllers.
  private var groups: [Int?]
  private var numbers: [Controller: UInt16] = [:]
  private var owners: [UInt16: Int] = [:]

  private struct Controller: Hashable {
    var group: Int
    var number: UInt16
  }

  /// One record that was read ahead.
  private struct Head {
    var record = CaptureRecord()
    var bytes: [UInt8] = []
    var comments: [String] = []
    var damage: CaptureDamage?
    /// How the capture ended; nil while there is a record.
    var end: CaptureEnd?
  }

  /// HCI_DEV_NONE: records of no controller.
  private static let none: UInt16 = .max

  public init(_ captures: [Capture]) {
    self.captures = captures
    heads = []
    groups = [Int?](repeating: nil, count: captures.count)
  }

  /// The comments on the record that was handed out last, and what is wrong before or in it.
  public var comments: [String] { heads.isEmpty ? captures[0].comments : heads[current].comments }
  public var damage: CaptureDamage? { heads.isEmpty ? captures[0].damage : heads[current].damage }

  /// Calls `body` once per record with its bytes, which are valid during the call, until the end or
  /// until `body` returns false. A second call continues there.
  /// - Returns: How each capture ended.
  public func forEachRecord<E: Error>(
    _ body: (CaptureRecord, RawSpan) throws(E) -> Bool
  ) throws(E) -> [CaptureEnd] {
    guard captures.count > 1 else {
      return try [
        captures[0].forEachRecord { (record, bytes) throws(E) in
          controller = record.controller
          return try body(record, bytes)
        }
      ]
    }
    if heads.isEmpty {
      heads = captures.map { _ in Head() }
      for index in captures.indices { advance(index) }
    }
    while let next = earliest {
      current = next
      var record = heads[next].record
      controller = record.controller
      // A network is no controller.
      if !record.kind.isNetwork { record.controller = number(of: record.controller, next) }
      // Taken out, so that they are not copied.
      var bytes: [UInt8] = []
      swap(&bytes, &heads[next].bytes)
      let goesOn = try body(record, bytes.raw)
      swap(&bytes, &heads[next].bytes)
      advance(next)
      if !goesOn { break }
    }
    return heads.indices.map { index in
      heads[index].end
        ?? CaptureEnd(
          status: .stopped, records: heads[index].record.number, damages: [], damageCount: 0)
    }
  }

  private var earliest: Int? {
    heads.indices.filter { heads[$0].end == nil }
      .min { (heads[$0].record.time, $0) < (heads[$1].record.time, $1) }
  }

  /// Reads the next record of a capture.
  private func advance(_ index: Int) {
    let capture = captures[index]
    var head = Head()
    swap(&head, &heads[index])
    head.bytes.removeAll(keepingCapacity: true)
    var isThere = false
    let end = capture.forEachRecord { record, bytes in
      isThere = true
      head.record = record
      head.bytes.append(bytes)
      head.comments = record.flags.contains(.commented) ? capture.comments : []
      head.damage = capture.damage
      return false
    }
    if !isThere { head.end = end }
    swap(&head, &heads[index])
  }

  // MARK: Controllers

  /// The number that a controller of a capture has among all.
  private func number(of own: UInt16, _ capture: Int) -> UInt16 {
    guard own != Self.none else { return own }
    let group = group(of: capture)
    let controller = Controller(group: group, number: own)
    if let number = numbers[controller] { return number }
    var number = own
    if let owner = owners[own], owner != group {
      number = (0..<Self.none).first { owners[$0] == nil } ?? own
    }
    numbers[controller] = number
    owners[number] = group
    if number != own {
      renumberings.append(Renumbering(capture: capture, from: own, to: number))
    }
    return number
  }

  private func group(of capture: Int) -> Int {
    if let group = groups[capture] { return group }
    // Who has begun and not ended is somebody else.
    let isAlone = !heads.indices.contains { groups[$0] != nil && heads[$0].end == nil }
    let group = isAlone ? groups.compactMap { $0 }.first ?? capture : capture
    groups[capture] = group
    return group
  }
}
