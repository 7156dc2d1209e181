import HarkCore
import HarkPlatform

/// What the index pass writes down of one packet: where its bytes are and what it belongs to.
/// 40 bytes, no strings, no copies of packet bytes.
public struct PacketRow: Sendable {
  public var offset: Int64
  public var time: Timestamp
  public var count: UInt32
  /// The channel, as index + 1; 0 if there is none.
  var channelNumber: UInt32 = 0
  /// In the last fragment of a PDU the number of the first; in all others that of the last, or 0
  /// while it has not come.
  public var chain: UInt32 = 0
  /// The number of the packet this one answers, or of the one that answers it; 0 for none.
  public var related: UInt32 = 0
  /// The link, as index + 1; 0 if there is none.
  var linkNumber: UInt16 = 0
  public var controller: UInt16
  /// How many bytes of the packet the recorder cut off, saturated.
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
    /// The format did not record the direction, and nothing shows it.
    public static let directionUnknown = Flags(rawValue: 16)
    /// Carries a private key in a place where values are mostly none, or a piece of one.
    public static let secret = Flags(rawValue: 32)
    /// The format did not record the direction; the data shows it.
    public static let directionInferred = Flags(rawValue: 64)
    /// The value continues with a message that an earlier value began.
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

  /// Which of the link's assemblies its fragments go to.
  public var stream: Int {
    flags.contains(.directionUnknown) ? PDUAssembly.undirected : Int(direction.rawValue)
  }
}

/// The rows of all packets, in blocks: growing never copies what is there.
///
/// Rows hold no references, so that they are kept in plain memory: an array would be asked for each
/// packet whether somebody else sees it.
@safe public struct PacketTable: ~Copyable, @unchecked Sendable {
  /// The size of a huge page.
  private static let blockBytes = 1 << 21
  static let blockSize = blockBytes / MemoryLayout<PacketRow>.stride

  // Only the first `count` rows are read, and those are initialised.
  private var blocks: [UnsafeMutablePointer<PacketRow>] = unsafe []
  public private(set) var count = 0
  /// How many rows there is room for.
  private var room = 0
  /// How many blocks were let go of, and the rows that were in them.
  private var blocksGone = 0
  private var gone: Int { blocksGone &* Self.blockSize }
  /// Of those, the rows that something may still ask for, in their order.
  private var remembered: [(number: UInt32, row: PacketRow)] = []
  private static let mostRemembered = 1 << 19

  deinit {
    for index in unsafe blocksGone..<blocks.count { unsafe blocks[index].deallocate() }
  }

  /// Lets go of all rows but the last `kept`, as far as they fill whole blocks, and those of the packets
  /// `named`: they are outside the capture from then on.
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
    var (low, high) = (0, remembered.count)
    while low < high {
      let middle = (low + high) / 2
      if remembered[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < remembered.count && remembered[low].number == number ? remembered[low].row : nil
  }

  @inline(__always)
  mutating func append(_ row: PacketRow) {
    if count == room { grow() }
    unsafe place(count).initialize(to: row)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    // Small captures take a small block: who frees a large one may have to clear it.
    if room < Self.blockSize { return growFirst() }
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: Self.blockBytes, alignment: Self.blockBytes)
    // In long captures, getting small pages from the system takes longer than filling them.
    if unsafe !blocks.isEmpty { unsafe Platform.preferLargePages(block, count: Self.blockBytes) }
    unsafe blocks.append(block.bindMemory(to: PacketRow.self, capacity: Self.blockSize))
    room += Self.blockSize
  }

  /// Makes the first block: a small one, and then one of the size of all others.
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
