import HarkCore

/// What a capture says about itself.
public struct CaptureInfo: Sendable, Equatable {
  public enum ByteOrder: Sendable {
    case bigEndian
    case littleEndian
  }

  /// The format with its variant: `btsnoop 1002 (H4)`, `PacketLogger`, `pcap`, `pcapng`.
  public var format = ""
  /// Whether the capture is compressed with gzip.
  public var isCompressed = false
  public var byteOrder = ByteOrder.bigEndian
  /// The sources of the packets; formats without interfaces have one, without a name.
  public var interfaces: [Interface] = []
  /// The sections of a pcapng file with what they say about their making.
  public var sections: [Section] = []
  /// How many Interface Statistics Blocks a pcapng file has, and how many other blocks that are no section, interface
  /// or packet.
  public var statisticsBlocks = 0
  public var otherBlocks = 0
  /// The Interface Statistics Blocks, as far as they were read.
  public var statistics: [InterfaceStatistics] = []
  /// Of those, the Custom Blocks that a copy may contain, as far as they were read, and how many Custom Blocks must not
  /// be copied.
  public var customBlocks: [CustomBlock] = []
  public var uncopiedBlocks = 0
  /// How many transfers of a USB were read, also of devices other than controllers.
  public var usbTransfers = 0
  /// What the format's times leave open, for people.
  public var clockRemark: String?
  /// The zone given for its clock; its times are then shown in UTC.
  public var zone: Zone?
  /// When the file was written last, by this machine's clock; nil for pipes.
  public var modified: Timestamp?
  /// The size of the file in bytes, before decompression; nil for pipes.
  public var size: Int64?

  public init() {}

  /// Whether records of the Linux monitor are among them: of btsnoop 2001 or link type 254.
  public var isOfMonitor: Bool {
    switch format {
    case StreamFormat.monitor.name, StreamFormat.tty.name: true
    default:
      interfaces.contains { $0.linkType == (format.hasPrefix("btsnoop") ? 2001 : 254) }
    }
  }

  /// An Interface Statistics Block. pcapng, 4.6
  public struct InterfaceStatistics: Sendable, Equatable {
    /// The number of its interface in its section.
    public var interface: UInt32
    public var time: Timestamp
    /// When the capture began and ended.
    public var start: Timestamp?
    public var end: Timestamp?
    /// How many packets were received and dropped, by the codes of the options.
    public var counts: [Count] = []

    public struct Count: Sendable, Equatable {
      public var code: UInt16
      public var packets: UInt64
    }
  }

  /// A Custom Block of the type 0x00000BAD. pcapng, 4.7
  public struct CustomBlock: Sendable, Equatable {
    /// The Private Enterprise Number, of the organization that defines it.
    public var enterprise: UInt32
    /// Its data and options, in little-endian byte order if they have one.
    public var data: [UInt8]
    /// The number of the record that follows it.
    public var record: UInt32
  }

  /// What the clock of a capture was said to show.
  public struct Zone: Sendable, Equatable {
    /// As it was given: `Europe/Berlin`.
    public var name: String
    /// How far it is from Greenwich, at the time of the last record.
    public var secondsEast: Int64
  }

  /// One source of packets.
  public struct Interface: Sendable, Equatable {
    /// The btsnoop datalink or pcap link type; nil for PacketLogger.
    public var linkType: UInt32?
    public var name: String?
    public var description: String?
    public var hardware: String?
    public var operatingSystem: String?
    /// The unit of the times, as text: `1 µs`, `1 ns`, `10^-3 s`.
    public var resolution: String
    /// Whether packets of this link type are decoded.
    public var isSupported: Bool
    /// The comments of a pcapng interface.
    public var comments: [String] = []
    /// How many packets it lost, according to its last Interface Statistics Block; nil if that does not say.
    public var dropped: UInt64?
  }

  /// One section of a pcapng file.
  public struct Section: Sendable, Equatable {
    public var comments: [String] = []
    public var hardware: String?
    public var operatingSystem: String?
    public var application: String?
  }
}

/// What is found out while reading: kept apart from the reader so that the receiver of a record can
/// ask for it.
final class Journal {
  /// How many findings, interfaces and sections are kept word for word.
  static let limit = 1_000

  var info = CaptureInfo()
  /// What distinguishes the times of the records from UTC.
  var zone: ClockZone?
  /// What the clock showed at the record that was handed out last; with a zone only.
  var shownTime = Timestamp(nanoseconds: 0)
  /// How many bytes of Custom Blocks may still be kept.
  var customRoom = 1 << 20
  var damages: [CaptureDamage] = []
  var damageCount = 0
  var limit: CaptureDamage.Reason?
  var damage: CaptureDamage?
  var comments: [String] = []
  /// Whether more is in memory after the record that was handed out last.
  var holdsMore = false
  /// Whether reading stops where the rest of a record has not come yet, instead of waiting for it.
  var stopsInsideRecords = false

  /// Notes something wrong before the record that is being read or, if nothing was left out, in it.
  func report(
    _ reason: CaptureDamage.Reason, _ record: inout CaptureRecord, at offset: Int64,
    resumedAt: Int64?
  ) {
    let found = CaptureDamage(
      record: record.number, offset: offset, reason: reason, resumedAt: resumedAt,
      isUnpacked: info.isCompressed)
    if damages.count < Self.limit { damages.append(found) }
    damageCount += 1
    damage = found
    record.flags.insert(resumedAt == offset ? .damaged : .afterDamage)
  }

  /// Notes where the capture comes from.
  func take(_ text: TextCapture.Found) {
    info.format += ", " + text.origin
    take(text.damages)
  }

  /// Notes what was wrong with the text that the capture was made of.
  func take(_ unread: [CaptureDamage]) {
    damages += unread.prefix(Self.limit - damages.count)
    damageCount += unread.count
  }

  /// Notes why the bytes ended at `offset`. A record that was found to be cut there is no finding of
  /// its own: this is what cut it.
  func reportEnd(
    _ reason: CaptureDamage.Reason, _ record: inout CaptureRecord, at offset: Int64
  ) {
    switch reason {
    case .memory, .time, .unpacked, .noRecord: limit = reason
    default: break
    }
    var offset = offset
    if let last = damages.last, last.isTruncation, last.resumedAt == nil,
      damages.count == damageCount
    {
      offset = last.offset
      damages.removeLast()
      damageCount -= 1
    }
    report(reason, &record, at: offset, resumedAt: nil)
  }

  /// The record with its time in UTC.
  func inUTC(_ record: CaptureRecord, _ zone: ClockZone) -> CaptureRecord {
    var record = record
    record.time = zone.utc(record.time)
    return record
  }

  /// Forgets what belonged to the record that was delivered.
  func clear() {
    damage = nil
    comments.removeAll()
  }

  func end(_ status: CaptureEnd.Status, records: UInt32) -> CaptureEnd {
    CaptureEnd(
      status: status, records: records, damages: damages, damageCount: damageCount, limit: limit)
  }

  /// The end of a capture that was read as far as it goes.
  func end(records: UInt32) -> CaptureEnd {
    let cuts = damages.count { $0.isTruncation }
    let status: CaptureEnd.Status =
      damageCount == 0 ? .complete : damageCount == cuts ? .truncated : .damaged
    return end(status, records: records)
  }
}
