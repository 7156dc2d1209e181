import HarkCore
import HarkDissection
import HarkPresentation
import HarkSelection
import HarkSession

/// Packets that were read and wait to be written, with everything a writer needs. Batches are reused.
@safe final class PacketBatch {
  /// Enough that passing a batch on costs little, and so few that its packets stay in a processor's cache.
  static let capacity = 128

  private let packets: UnsafeMutablePointer<PacketReading>
  private(set) var count = 0
  /// The bytes of all packets, and where those of each one end. One thread at a time has a batch, and
  /// nothing calls back while these change: to check that for each packet takes longer than the change.
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private var ends: [Int] = []
  /// The names of the packets' links.
  var names = LinkNames()
  /// Whether `text` has the text of all packets.
  var isWritten = false
  /// The text of the packets.
  var text = TextPen(reserving: Output.size)

  init(_ messages: MessageMarks?) {
    unsafe packets = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity {
      var packet = PacketReading()
      packet.messages = messages
      unsafe (packets + index).initialize(to: packet)
    }
    unsafe ends.reserveCapacity(Self.capacity)
  }

  deinit {
    unsafe packets.deinitialize(count: Self.capacity)
    unsafe packets.deallocate()
  }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == Self.capacity }

  /// Adds the packet that `read` reads, unless it returns false. The batch must not be full.
  /// - Parameter bytes: Those of the packet's record.
  func add(_ bytes: RawSpan, _ read: (inout PacketReading) -> Bool) -> Bool {
    precondition(!isFull, "a batch was not passed on")
    guard unsafe read(&packets[count]) else { return false }
    unsafe bytes.withUnsafeBytes { unsafe self.bytes += $0 }
    unsafe ends.append(self.bytes.count)
    count += 1
    return true
  }

  /// Writes all packets to `text`.
  /// - Parameter spare: See `PacketReading.withFields`.
  func write(with writer: inout some PacketWriter, _ spare: inout Tree) {
    unsafe write(bytes, ends, names, with: &writer, &spare, to: &text)
  }

  /// With everything that is the same for all packets, so that it is looked up once.
  private func write(
    _ bytes: [UInt8], _ ends: [Int], _ names: LinkNames, with writer: inout some PacketWriter,
    _ spare: inout Tree, to text: inout TextPen
  ) {
    var start = 0
    for (index, end) in ends.enumerated() {
      let own = bytes.raw.extracting(start..<end)
      unsafe packets[index].withFields(own, in: &spare) { packet in
        writer.write(packet, own, names, to: &text)
      }
      start = end
    }
  }

  /// Removes all packets and their text.
  func clear() {
    count = 0
    unsafe bytes.removeAll(keepingCapacity: true)
    unsafe ends.removeAll(keepingCapacity: true)
    text.clear()
    isWritten = false
  }
}
