import HarkCore
import HarkPlatform

/// What the index pass stores about one packet: where its bytes are and what it belongs to. 40 bytes, no strings, no
/// copies of packet bytes.
public struct PacketRow: Sendable {
  public var offset: Int64
  public var time: Timestamp
  public var count: UInt32
  /// The channel, as index + 1; 0 without one.
  var channelNumber: UInt32 = 0
  /// In the last fragment of a PDU, the number of the first one; in all others, the number of the last one, or 0
  /// until it arrives.
  public var chain: UInt32 = 0
  /// The number of the packet that this one answers, or of its answer; 0 without one.
  public var related: UInt32 = 0
  /// The link, as index + 1; 0 without one.
  var linkNumber: UInt16 = 0
  public var controller: UInt16
  /// How many bytes of the packet the recorder cut, saturated.
  public var cut: UInt16
  public var kind: PacketKind
  public var flags: Flags

  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let received = Flags(rawValue: 1)
    public static let malformed = Flags(rawValue: 2)
    /// A piece of a longer PDU.
    public static let fragment = Flags(rawValue: 4)
    /// The piece that completes a longer PDU.
    public static let completes = Flags(rawValue: 8)
    /// The format does not record the direction, and nothing else shows it.
    public static let directionUnknown = Flags(rawValue: 16)
    /// Carries a private key, or part of one, in a place where values are usually not keys.
    public static let secret = Flags(rawValue: 32)
    /// The format does not record the direction, but the data shows it.
    public static let directionInferred = Flags(rawValue: 64)
    /// The value continues a message that began in an earlier value.
    public static let continuesMessage = Flags(rawValue: 128)
  }

  public var link: LinkID? { linkNumber == 0 ? nil : LinkID(Int(linkNumber) - 1) }
  public var channel: ChannelID? {
    channelNumber == 0 ? nil : ChannelID(Int(channelNumber) - 1)
  }
  /// Meaningless with `.directionUnknown`.
  public var direction: Direction {
    flags.contains(.received) ? .controllerToHost : .hostToController
  }

  /// Which of the link's assemblies takes its fragments.
  public var stream: Int {
    flags.contains(.directionUnknown) ? PDUAssembly.undirected : Int(direction.rawValue)
  }
}

/// The rows of all packets, in blocks, so that growing never copies rows.
/// Rows contain no references, so they are in plain memory: an array would check for each packet whether it is
/// shared.
@safe public struct PacketTable: ~Copyable, @unchecked Sendable {
  /// The size of a huge page.
  private static let blockBytes = 1 << 21
  static let blockSize = blockBytes / MemoryLayout<PacketRow>.stride

  // Only the first `count` rows are read, and these are initialized.
  private var blocks: [UnsafeMutablePointer<PacketRow>] = unsafe []
  public private(set) var count = 0
  /// The number of rows for which there is room.
  private var room = 0
  /// Where the next row goes, if there is room for it.
  private var next: UnsafeMutablePointer<PacketRow>?
  /// The number of released blocks, and the rows they contained.
  private var blocksGone = 0
  private var gone: Int { blocksGone &* Self.blockSize }
  /// The released rows that may still be requested, in order.
  private var remembered: [(number: UInt32, row: PacketRow)] = []
  private static let mostRemembered = 1 << 19

  deinit {
    for index in unsafe blocksGone..<blocks.count { unsafe blocks[index].deallocate() }
  }

  /// Releases all rows except the last `kept` ones, as far as they fill whole blocks, and except those of the packets
  /// in `named`. Released rows count as outside the capture.
  mutating func forget(allBut kept: Int, named: some Sequence<UInt32>) {
    let last = max(0, count - kept) / Self.blockSize
    guard last > blocksGone else { return }
    var wanted = Set(named)
    wanted.formUnion(remembered.lazy.map(\.number).suffix(Self.mostRemembered))
    remembered = wanted.sorted().compactMap { number in
      number > last * Self.blockSize ? nil : self[number].map { (number, $0) }
    }
    while blocksGone < last {
      unsafe blocks[blocksGone].deallocate()
      blocksGone += 1
    }
  }

  @inline(never)
  private func remembered(_ number: UInt32) -> PacketRow? {
    let index = remembered.partitioningIndex { $0.number >= number }
    guard index < remembered.count, remembered[index].number == number else { return nil }
    return remembered[index].row
  }

  @inline(__always)
  mutating func append(_ row: PacketRow) {
    if count == room { grow() }
    let place = unsafe next.unsafelyUnwrapped
    unsafe place.initialize(to: row)
    unsafe next = place + 1
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    defer { unsafe next = place(count) }
    // Small captures use a small block: releasing a large one may mean clearing it.
    if room < Self.blockSize { return growFirst() }
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: Self.blockBytes, alignment: Self.blockBytes)
    // In long captures, obtaining small pages from the system takes longer than filling them.
    if unsafe !blocks.isEmpty { unsafe Platform.preferLargePages(block, count: Self.blockBytes) }
    unsafe blocks.append(block.bindMemory(to: PacketRow.self, capacity: Self.blockSize))
    room += Self.blockSize
  }

  /// Makes the first block, a small one, and later one of the common size.
  private mutating func growFirst() {
    let larger = room == 0 ? Self.blockSize / 32 : Self.blockSize
    let block = UnsafeMutablePointer<PacketRow>.allocate(capacity: larger)
    if let first = unsafe blocks.first {
      unsafe block.moveInitialize(from: first, count: count)
      unsafe first.deallocate()
    }
    unsafe blocks = [block]
    room = larger
  }

  @inline(__always)
  private func place(_ index: Int) -> UnsafeMutablePointer<PacketRow> {
    let (block, row) = index.quotientAndRemainder(dividingBy: Self.blockSize)
    return unsafe blocks[block] + row
  }

  /// The row of packet `number`, counted from 1; nil outside the capture.
  public subscript(number: UInt32) -> PacketRow? {
    guard number > gone, number <= count else { return number > gone ? nil : remembered(number) }
    return unsafe place(Int(number) - 1).pointee
  }

  public subscript(packet: PacketID) -> PacketRow? { self[packet.number] }

  /// Changes the row of packet `number`, if there is one.
  @inline(__always)
  mutating func update(_ number: UInt32, _ change: (inout PacketRow) -> Void) {
    guard number > gone, number <= count else { return }
    unsafe change(&place(Int(number) - 1).pointee)
  }
}
