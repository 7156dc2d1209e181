import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection

/// The state after the records read so far, which every follower may read and extend, and the current record. State
/// that only one protocol needs belongs to its follower.
struct Tables: ~Copyable {
  let catalog: Catalog
  let framings: VendorFramings
  /// The given keys, and those in the capture.
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
  /// For CIDs that no request in the capture opened.
  var unknownStreams: [LinkCID: StreamID] = [:]
  var devices: Devices
  var databases: Databases
  var services = ServiceRecords()
  var hid = HIDState()
  var advertising = AdvertisingState()
  /// Links on which a discovery may be in progress.
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

/// What is advertised, by peers and by this host.
struct AdvertisingState {
  var fragments = AdvertisingFragments()
  /// Nil unless requested.
  var advertisers: Advertisers?
}

extension Tables {
  var numbered: NumberedPlaces { devices.borrowing.numbered }

  /// Whether a link was received over the air: sniffers miss packets.
  func isOnAir(_ link: LinkID?) -> Bool { link.map { links[$0].air != nil } ?? false }

  /// Whether the capture may lack packets of a link.
  func mayLackPackets(of link: LinkID?) -> Bool { counts.lost > 0 || isOnAir(link) }
}

extension Session {
  public var catalog: Catalog { tables.catalog }
  /// The given keys, and those in the capture.
  public var keys: KeyRing { tables.keys }
  public var counts: Counts { _read { yield tables.counts } }
  /// Over-the-air packets of connections that were not received. Each event needs them; passing all counts would take
  /// longer.
  public var unheardPackets: Int { tables.counts.air.missing }
  /// The last packet at which the clock was set, back or forward; 0 if there is none. Each event needs it, too.
  package var lastClockStep: PacketID { tables.counts.clock.lastStep }
  /// That packet's time, by the new clock.
  package var lastClockStepTime: Timestamp { tables.counts.clockStepTime }
  /// The last packet that shows that a link had ended unseen before it; 0 if there is none.
  package var lastUnseenEnd: PacketID { tables.counts.lastUnseenEnd }
  /// The nanoseconds from one packet to another, in whatever order they are in the capture; nil if the clock was set
  /// between them.
  package func elapsed(
    from start: Timestamp, in first: PacketID, to end: Timestamp, in last: PacketID
  ) -> Int64? {
    tables.counts.elapsed(from: start, in: first, to: end, in: last)
  }

  /// The last packet until `packet` at which the clock was set; 0 if there is none.
  package func clockStep(until packet: PacketID) -> PacketID {
    tables.counts.clockSteps.last(until: packet)
  }
  public var packets: PacketTable { _read { yield tables.packets } }
  // Needed for each packet. Passing a whole table would allocate memory each time.
  public var packetCount: Int { tables.packets.count }
  public func row(of packet: UInt32) -> PacketRow? { tables.packets[packet] }
  public func row(of packet: PacketID) -> PacketRow? { tables.packets[packet] }
  /// The last indexed record.
  public var lastRow: PacketRow? { tables.packets.count > 0 ? tables.record.row : nil }
  /// The time of the previous packet; nil for the first packet, and if the previous one is no longer in memory.
  public func timeBefore(_ packet: UInt32) -> Timestamp? {
    packet > 1 ? row(of: packet - 1)?.time : nil
  }
  public var firstTime: Timestamp? { tables.counts.firstTime }
  /// By index: of several controllers that had an index, the last one.
  public var controllers: [UInt16: Controller] { tables.controllers.all }
  public var links: [Link] { _read { yield tables.links.all } }
  public var channels: [Channel] { _read { yield tables.channels } }
  public var streams: [Stream] { _read { yield tables.streams } }
  public var devices: [Device] { _read { yield tables.devices.all } }
  /// The GATT databases, by their owners.
  public var databases: [DatabaseKey: GATTDatabase] { tables.databases.all }
  /// One of the databases, without collecting all of them.
  public func database(for key: DatabaseKey) -> GATTDatabase? {
    var key = key
    if case .device(let device) = key { key = .device(tables.devices.current(device)) }
    return tables.databases.find(key).map { tables.databases.values[$0] }
  }
  /// What the values of an attribute show that it is, if the capture lacks its discovery.
  public func inferredType(of handle: UInt16, on link: LinkID, isServerLocal: Bool)
    -> BluetoothUUID?
  {
    let key = tables.database(
      link, clientDirection: isServerLocal ? .controllerToHost : .hostToController)
    return database(for: key)?.characteristics[handle].flatMap { $0.isRecognized ? $0.uuid : nil }
  }
  /// The library that supplies what the capture lacks for the database of `key`; nil if no library has it.
  public func lender(of key: DatabaseKey) -> GATTLibrary.Lender? {
    var key = key
    if case .device(let device) = key { key = .device(tables.devices.current(device)) }
    return tables.devices.borrowing.lenders[key]
  }
  /// The Database Hash that a client read last.
  public func hash(of key: DatabaseKey) -> [UInt8]? { tables.devices.borrowing.hashes[key] }
  /// Nil unless requested.
  public var advertisers: Advertisers? { tables.advertising.advertisers }

  // MARK: What the caller wants

  /// Whether the fields of every record are requested: the index pass then takes its values from the tree, so that
  /// the record is not read twice. See `takeFields`.
  public var keepsFields: Bool {
    get { tables.wanted.fields }
    set { tables.wanted.fields = newValue }
  }
  /// Whether `completed` is requested also for records whose fields are not: for a record that may be shown, it
  /// cannot be made later.
  public var keepsCompleted: Bool {
    get { tables.wanted.completed }
    set { tables.wanted.completed = newValue }
  }
  /// Whether each value of an attribute is a separate event. Otherwise values of the same kind that follow the
  /// first are counted, so that a stream of notifications costs nothing.
  public var keepsValues: Bool {
    get { tables.wanted.values }
    set { tables.wanted.values = newValue }
  }
  /// Whether the values in vendors' messages are requested: see `messages`.
  public var keepsMessages: Bool {
    get { tables.wanted.messages }
    set { tables.wanted.messages = newValue }
  }
  /// The numbers of the packets for whose messages `messages` has trees; nil for none.
  public var treePackets: ClosedRange<UInt32>? {
    get { tables.wanted.trees }
    set { tables.wanted.trees = newValue }
  }
  /// The stream whose data is requested.
  public var followed: StreamID? {
    get { tables.wanted.stream }
    set { tables.wanted.stream = newValue }
  }
  /// Whether `clearedRecord` is wanted.
  public var keepsClearedRecords: Bool {
    get { tables.wanted.clearedRecords }
    set { tables.wanted.clearedRecords = newValue }
  }

  /// The last indexed record in the clear, if it was received over the air and a key decrypts it: without the MIC,
  /// with the length and CRC of the plaintext. Nil for other records.
  public var clearedRecord: [UInt8]? { tables.record.cleared }

  /// Receives the percentage of a pairing's passkeys that were tried, because that takes time; then nil.
  public var onKeySearch: (@Sendable (Int?) -> Void)? {
    get { tables.wanted.onKeySearch }
    set { tables.wanted.onKeySearch = newValue }
  }

  // MARK: The record indexed last

  /// The events since the caller last took them.
  public var events: [Event] { _read { yield tables.log.events } }
  public var completed: CompletedPDUs { _read { yield tables.record.completed } }
  /// The pieces of the followed stream that it contains.
  public var pieces: [StreamPiece] { tables.record.pieces }
  /// The trees of the messages that it, or an earlier record, completes.
  public var messages: [MessageValues] { _read { yield tables.record.messages } }
  /// The names of the External Accessory protocols that it concerns: it begins or ends a session, or
  /// completes a link packet with data of one.
  public var accessoryProtocols: [String] { tables.record.accessoryProtocols }
  /// The channel index on which it was received, if it was received over the air.
  public var airChannel: UInt8? { tables.record.airChannel }
}
