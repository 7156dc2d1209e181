import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection

/// What the capture has shown so far, which every follower may read and add to, and the record that is
/// being read. What only one protocol needs is its follower's.
struct Tables: ~Copyable {
  let catalog: Catalog
  let framings: VendorFramings
  /// The keys given, and those the capture shows.
  var keys: KeyRing

  // MARK: The capture

  var packets = PacketTable()
  var counts = Session.Counts()
  var controllers = Controllers { _ in Session.Controller() }
  var links = Links()
  var channels: [Channel] = []
  /// By the index of the channel.
  var channelStates: [ChannelState] = []
  var streams: [Stream] = []
  /// Of CIDs that no request in the capture has opened.
  var unknownStreams: [LinkCID: StreamID] = [:]
  var devices: Devices
  var databases: Databases
  var services = ServiceRecords()
  var hid = HIDState()
  /// Nil where nobody asks for them.
  var advertisers: Advertisers?
  /// Links on which a discovery may be under way.
  var discoveringLinks: [LinkID] = []

  var log = EventLog()
  var wanted = Wanted()
  var record = RecordBeingRead()

  init(
    _ keys: KeyRing, _ framings: VendorFramings, _ catalog: Catalog, _ library: GATTLibrary
  ) {
    (self.keys, self.framings, self.catalog) = (keys, framings, catalog)
    let numbered = NumberedPlaces(catalog, framings)
    databases = Databases { _ in GATTDatabase(numbered) }
    devices = Devices(borrowing: Borrowing(library: library, numbered: numbered))
  }
}

extension Tables {
  var numbered: NumberedPlaces { devices.borrowing.numbered }
}

extension Session {
  public var catalog: Catalog { tables.catalog }
  /// The keys given, and those the capture shows.
  public var keys: KeyRing { tables.keys }
  public var counts: Counts { _read { yield tables.counts } }
  /// Packets of connections on the air that were not heard. Asked for with each event: to lend out all counts takes
  /// longer.
  public var unheardPackets: Int { tables.counts.air.missing }
  public var packets: PacketTable { _read { yield tables.packets } }
  // What is asked for with each packet. The whole tables are lent out, for which memory is allocated each time.
  public var packetCount: Int { tables.packets.count }
  public func row(of packet: UInt32) -> PacketRow? { tables.packets[packet] }
  public func row(of packet: PacketID) -> PacketRow? { tables.packets[packet] }
  /// Of the record indexed last.
  public var lastRow: PacketRow? { tables.packets.count > 0 ? tables.record.row : nil }
  /// The time of the packet before; nil for the first, and if that packet has left memory.
  public func timeBefore(_ packet: UInt32) -> Timestamp? {
    packet > 1 ? row(of: packet - 1)?.time : nil
  }
  public var firstTime: Timestamp? { tables.counts.firstTime }
  public var controllers: [UInt16: Controller] { tables.controllers.all }
  public var links: [Link] { _read { yield tables.links.all } }
  public var channels: [Channel] { _read { yield tables.channels } }
  public var streams: [Stream] { _read { yield tables.streams } }
  public var devices: [Device] { _read { yield tables.devices.all } }
  /// The GATT databases, by whose they are.
  public var databases: [DatabaseKey: GATTDatabase] { tables.databases.all }
  /// One of the databases, without gathering them all.
  public func database(for key: DatabaseKey) -> GATTDatabase? {
    var key = key
    if case .device(let device) = key { key = .device(tables.devices.current(device)) }
    return tables.databases.find(key).map { tables.databases.values[$0] }
  }
  /// Who lends the database of `key` what the capture does not show; nil where nobody does.
  public func lender(of key: DatabaseKey) -> GATTLibrary.Lender? {
    var key = key
    if case .device(let device) = key { key = .device(tables.devices.current(device)) }
    return tables.devices.borrowing.lenders[key]
  }
  /// The Database Hash that a client read last.
  public func hash(of key: DatabaseKey) -> [UInt8]? { tables.devices.borrowing.hashes[key] }
  /// Nil where nobody asks for them.
  public var advertisers: Advertisers? { tables.advertisers }

  // MARK: What the caller wants

  /// Whether every record's fields are wanted: then the index pass takes its facts from reading
  /// them, and the record is not read twice. See `takeFields`.
  public var keepsFields: Bool {
    get { tables.wanted.fields }
    set { tables.wanted.fields = newValue }
  }
  /// Whether each value of an attribute is an event of its own; else those of a kind that follow the
  /// first are counted, so that a stream of notifications costs nothing.
  public var keepsValues: Bool {
    get { tables.wanted.values }
    set { tables.wanted.values = newValue }
  }
  /// Whether what vendors' messages say is wanted value by value: see `messages`.
  public var keepsMessages: Bool {
    get { tables.wanted.messages }
    set { tables.wanted.messages = newValue }
  }
  /// Packets for whose messages `messages` has trees, by their numbers; nil for none.
  public var treePackets: ClosedRange<UInt32>? {
    get { tables.wanted.trees }
    set { tables.wanted.trees = newValue }
  }
  /// The stream whose data is wanted.
  public var followed: StreamID? {
    get { tables.wanted.stream }
    set { tables.wanted.stream = newValue }
  }
  /// Is told how many percent of the passkeys of a pairing were tried, as that takes its time; then nil.
  /// Whether `clearedRecord` is wanted.
  public var keepsClearedRecords: Bool {
    get { tables.wanted.clearedRecords }
    set { tables.wanted.clearedRecords = newValue }
  }

  /// The record indexed last, if it was heard on the air and a key has opened what it encrypts: with that in the clear, without
  /// the MIC, and with the length and the CRC of what it says then. Nil for other records.
  public var clearedRecord: [UInt8]? { tables.record.cleared }

  public var onKeySearch: (@Sendable (Int?) -> Void)? {
    get { tables.wanted.onKeySearch }
    set { tables.wanted.onKeySearch = newValue }
  }

  // MARK: Of the record indexed last

  /// What has happened since the caller last took the events.
  public var events: [Event] { _read { yield tables.log.events } }
  public var completed: CompletedPDUs { _read { yield tables.record.completed } }
  /// The pieces of the followed stream that it holds.
  public var pieces: [StreamPiece] { tables.record.pieces }
  /// What was read of the messages that it, or one before it, completes.
  public var messages: [MessageValues] { _read { yield tables.record.messages } }
  /// The names of the External Accessory protocols that it is about: it begins or ends a session, or
  /// completes a link packet with data of one.
  public var accessoryProtocols: [String] { tables.record.accessoryProtocols }
  /// The channel index that it was heard on, if it is one from the air.
  public var airChannel: UInt8? { tables.record.airChannel }
}
