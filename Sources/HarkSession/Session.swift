import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection

/// The state of a capture as the index pass has read it so far.
///
/// `index` takes every record once, in order; it alone changes state, and writes what it finds down
/// as rows, links, channels, databases and events. What is shown later reads those.
public struct Session: ~Copyable {
  public let catalog: Catalog
  /// Makes the compiler pass a session by its address; it copies structures of known layout, here
  /// more than a kilobyte, for each call that borrows them.
  private let isInPlace: any Sendable = ()
  public internal(set) var packets = PacketTable()
  public internal(set) var channels: [Channel] = []
  public internal(set) var streams: [Stream] = []
  /// Of CIDs that no request in the capture has opened.
  var unknownStreams: [MediaCID: StreamID] = [:]
  /// Whether frames are read again that came before their protocol was known.
  var isRetelling = false
  /// The stream whose data is wanted, and the pieces of it that the record indexed last holds.
  public var followed: StreamID?
  public internal(set) var pieces: [StreamPiece] = []
  public internal(set) var completed = CompletedPDUs()
  /// What has happened since the caller last took the events.
  public internal(set) var events: [Event] = []
  /// The latest packet that was told of, and its time.
  private var lastTold = (packet: PacketID(0), time: Timestamp(nanoseconds: 0))
  /// The latest time of what the app's side told.
  var appTime: Timestamp?
  var appConfigurations = AppConfigurations()
  /// What CoreBluetooth calls devices, as far as the app's side told; in upper case.
  var identifiers: [(address: BluetoothAddress, identifier: String)] = []
  public internal(set) var counts = Counts()
  /// The keys given, and those the capture shows.
  public internal(set) var keys: KeyRing
  /// Is told how many percent of the passkeys of a pairing were tried, as that takes its time; then nil.
  public var onKeySearch: (@Sendable (Int?) -> Void)?
  var keySearches = 0

  /// Of the packet that is being read: appended when all is known.
  var row = PacketRow(
    offset: 0, time: Timestamp(nanoseconds: 0), count: 0, controller: 0, cut: 0, kind: .other,
    flags: [])
  var linkTable = Links()
  /// By the index of the channel.
  var channelStates: [ChannelState] = []
  /// Whether the frame indexed last begins an SDU, where its bytes do not say so.
  var beginsSDU = false
  /// What the channel of the record indexed last carries inside its own protocol.
  var inner: Entry?
  /// By the L2CAP channel.
  var sdpStates: [ChannelID: SDPState] = [:]
  var services = ServiceRecords()
  /// Where the RFCOMM session of an L2CAP channel is in the list.
  var multiplexerAt: [ChannelID: Int] = [:]
  var multiplexers: [Multiplexer] = []
  var dataLinks: [DataLink] = []
  var handsFrees: [HandsFree] = []
  /// Streams of audio and their signaling, by link.
  var audio = AudioStates()
  var mediaSuspects: [MediaCID: MediaSuspect] = [:]
  /// The last command of each link on a CID that nobody has opened.
  var signalSuspects: [LinkID: SignalSuspect] = [:]
  /// Channels that may be of AVCTP, with the packet that showed it.
  var controlSuspects: [MediaCID: PacketID] = [:]
  /// Remote control, by its channel.
  var remotes: [ChannelID: AVCTPState] = [:]
  /// Where the state of a stream of iAP is in the list.
  var iap2StateAt: [StreamID: Int] = [:]
  var iap2States: [IAP2State] = []
  /// What is begun in streams whose protocols are cut into messages.
  var messageBuffers: [StreamSide: MessageBuffer] = [:]
  let iap2Entries = IAP2Entries()
  /// By the L2CAP channel.
  var aapStates: [ChannelID: AAPState] = [:]
  var aapSuspects: [CIDOfLink: AAPSuspect] = [:]
  var fastPairStates: [LinkID: FastPairState] = [:]
  var hid = HIDState()
  /// By the stream.
  var obexStates: [StreamID: OBEXState] = [:]
  var leAudioStates: [LinkID: LEAudioState] = [:]
  var isochronousStates: [IsochronousKey: IsochronousState] = [:]
  var isochronousStreams = IsochronousStreams()
  var periodic = PeriodicTrains()
  /// The batteries that were told last of those advertised, by the key that opened them.
  var proximityTold: [Fingerprint: [ProximityPlaintext.Battery]] = [:]
  var deviceTable = Devices()
  var accessories: Accessories
  /// Whether the capture's clock went back: how long something took is not known then.
  var isClockSetBack = false
  /// By controller.
  var audioSources: [UInt16: AudioSources] = [:]
  var advertisements = VendorAdvertisements()
  /// Nil where nobody asks for them.
  public internal(set) var advertisers: Advertisers?
  var activity = Activity()
  /// Packets that could not be read and were not told of.
  var unreadable = UnreadablePackets()
  /// Links on which a discovery may be under way.
  var discoveringLinks: [LinkID] = []
  /// What is followed on the air.
  var air = AirState()
  var commands = PendingCommands()
  var connections = PendingConnections()
  var tree = Tree()
  /// Whether every record's fields are wanted: then the index pass takes its facts from reading
  /// them, and the record is not read twice. See `takeFields`.
  public var keepsFields = false
  /// Whether each value of an attribute is an event of its own; else those of a kind that follow the
  /// first are counted, so that a stream of notifications costs nothing.
  public var keepsValues = false
  /// Whether what vendors' messages say is wanted value by value: see `messages`.
  public var keepsMessages = false
  /// What was read of the messages that the record indexed last, or one before it, completes.
  public internal(set) var messages: [MessageValues] = []
  /// Whether `tree` is that of the record indexed last.
  var isRecordInTree = false
  /// What was known when it was read, if it is ACL data.
  var treeContext = Context()
  var controllerTable = Controllers { _ in Controller() }
  var databaseTable = Databases { _ in GATTDatabase() }
  /// Of controllers that said how much they take.
  var hostBuffers = Slots<UInt16, HostBuffers> { _ in HostBuffers() }
  /// The UUID asked for by the request that the record indexed last answers.
  var requestedType: BluetoothUUID?
  /// That request.
  var answeredRequest: (handle: UInt16, type: BluetoothUUID?)?
  /// Those that it is about, where it has several values.
  var attributeTypes = AttributeTypes()
  var hasAttributeTypes = false
  /// The attribute that the record indexed last is about.
  var attribute: AttributeAddress?
  /// Where the data link is in the list that the packet indexed last belongs to.
  var dataLink: Int?
  /// The names of the External Accessory protocols that the packet indexed last is about: it begins or
  /// ends a session, or completes a link packet with data of one.
  public internal(set) var accessoryProtocols: [String] = []

  /// The GATT databases, by whose they are.
  public var databases: [DatabaseKey: GATTDatabase] { databaseTable.all }
  /// One of the databases, without gathering them all.
  public func database(for key: DatabaseKey) -> GATTDatabase? {
    var key = key
    if case .device(let device) = key { key = .device(deviceTable.current(device)) }
    return databaseTable.find(key).map { databaseTable.values[$0] }
  }
  public var controllers: [UInt16: Controller] { controllerTable.all }
  public var links: [Link] { linkTable.all }
  public var devices: [Device] { deviceTable.all }

  /// Keys the session may use come with it; keys the capture shows are added to them.
  /// - Parameters:
  ///   - framings: How vendors carry Apple's messages.
  ///   - catalog: Who reads the packets: the shared one, or that with some more.
  public init(
    keys: KeyRing = KeyRing(), framings: VendorFramings = .builtIn, catalog: Catalog = .shared
  ) {
    (self.keys, self.catalog) = (keys, catalog)
    accessories = Accessories(framings)
    for key in keys.bondingKeys where key.kind == .identityResolvingKey {
      if let address = key.address { _ = deviceTable.learn(key, of: .identity(address)) }
    }
  }

  /// Whose database it is: a peer's, or that of a controller's own host.
  public enum DatabaseKey: Hashable, Sendable {
    case device(DeviceID)
    case link(LinkID)
    case local(UInt16)
  }

  public struct Controller: Sendable {
    public internal(set) var name: String?
    public internal(set) var address: BluetoothAddress?
    public internal(set) var version: UInt8?
    public internal(set) var company: UInt16?
    /// What this host says that it is, to BR/EDR devices.
    public internal(set) var classOfDevice: UInt32?
    /// What a scan under way has heard.
    var scan: Scan?
    /// What an inquiry under way has found.
    var inquiry: Inquiry?
    /// Whether the capture tells that none is, where `inquiry` is nil.
    var isInquiryKnown = false
    /// Whether the capture tells that none is, where `scan` is nil.
    var isScanKnown = false
    var advertising = AdvertisedServices()
    var sets = AdvertisingSets(isKnown: false)
    /// The kinds of links on which the host begins its PDUs in a way that no controller may.
    var marksOwnData: Set<Link.Transport> = []

    struct Scan {
      var devices = 0
      var reports = 0
    }
  }

  /// One packet on its way through the index pass.
  struct PacketContext {
    let packet: PacketID
    let time: Timestamp
    /// Where nothing tells it, what reads best.
    var direction: Direction
    var isUndirected = false
    /// Of what was heard on the air: whether nothing but habit shows who sent it.
    var isSenderGuessed = false
    var controller: UInt16
    /// How many bytes the recorder cut off.
    var cut: Int
    var link: LinkID?
    /// The command that it answers, while what this has done is told.
    var command: PacketID?
    /// Whether it ends a PDU in fragments that the recorder cut.
    var endsFragments = false

    /// The index of the direction in arrays kept per direction.
    var side: Int { Int(direction.rawValue) }
    /// Which of the link's assemblies its fragments go to.
    var stream: Int { isUndirected ? PDUAssembly.undirected : side }
    var isTruncated: Bool { cut > 0 }
    var isSenderKnown: Bool { !isUndirected && !isSenderGuessed }
  }

  // MARK: The index pass

  /// Reads one record. Records come in the order of the capture.
  public mutating func index(_ record: borrowing CaptureRecord, _ bytes: RawSpan) {
    let number = UInt32(truncatingIfNeeded: packets.count + 1)
    let cut = max(0, record.originalCount - record.count)
    var moment = PacketContext(
      packet: PacketID(number), time: record.time, direction: record.direction,
      controller: record.controller, cut: cut)
    row = PacketRow(
      offset: record.offset, time: record.time, count: UInt32(clamping: record.count),
      controller: record.controller, cut: UInt16(clamping: cut), kind: record.kind,
      flags: record.direction == .controllerToHost ? .received : [])
    count(record, cut, &moment)
    requestedType = nil
    answeredRequest = nil
    isRecordInTree = false
    if !completed.all.isEmpty { completed.removeAll() }
    if inner != nil { inner = nil }
    if !pieces.isEmpty { pieces.removeAll(keepingCapacity: true) }
    if !messages.isEmpty { messages.removeAll(keepingCapacity: true) }
    attribute = nil
    dataLink = nil
    if !accessoryProtocols.isEmpty { accessoryProtocols.removeAll(keepingCapacity: true) }
    if hasAttributeTypes { (attributeTypes, hasAttributeTypes) = (AttributeTypes(), false) }
    switch record.kind {
    case .acl: acl(bytes, &moment)
    case .event: event(bytes, &moment)
    case .command: command(bytes, &moment)
    case .sco, .iso: streamData(bytes, record.kind, &moment)
    case .leLinkLayer, .leRadio, .nordicBLE, .ppi, .basebandRadio:
      heard(bytes, record.kind, &moment)
    default: otherRecord(bytes, record.kind, moment)
    }
    if let link = moment.link {
      linkTable[link].packets += 1
      row.linkNumber = link.index + 1
    }
    packets.append(row)
  }

  private mutating func count(
    _ record: borrowing CaptureRecord, _ cut: Int, _ moment: inout PacketContext
  ) {
    counts.kindTable[Int(record.kind.rawValue)] += 1
    if record.kind == .h4 {
      counts.h4Types[UInt8(truncatingIfNeeded: record.formatCode), default: 0] += 1
    }
    if counts.firstTime == nil { counts.firstTime = record.time }
    checkClock(record.time)
    counts.lastTime = record.time
    if record.flags.contains(.directionUnknown) {
      moment.isUndirected = true
      row.flags.insert(.directionUnknown)
      counts.directionUnknown += 1
      if counts.directionUnknown + counts.directionInferred == 1 {
        emit(.capture(.directionUnknown), moment, severity: .warning)
      }
    }
    if record.dropped > 0 {
      counts.dropped += Int(record.dropped)
      forgetBuffers()
      commands.forget()
      emit(.capture(.dropped(.init(count: record.dropped))), moment, severity: .warning)
    }
    if cut > 0 {
      counts.sliced += 1
      if counts.sliced == 1 {
        emit(.capture(.sliced(.init(count: cut))), moment, severity: .warning)
      }
    }
  }

  /// Call once after the last record: what was still open is told.
  public mutating func finish() {
    if !messages.isEmpty { messages.removeAll() }
    guard let row = packets[UInt32(truncatingIfNeeded: packets.count)] else { return }
    let end = PacketContext(
      packet: PacketID(UInt32(truncatingIfNeeded: packets.count)), time: row.time,
      direction: .hostToController, controller: row.controller, cut: 0)
    endIsochronous(end)
    endPeriodic(end)
    for link in linkTable.all where link.closed == nil {
      var end = end
      end.link = link.id
      endTransactions(link.id, end)
      expirePairing(link.id, end)
      for id in link.openChannels(channels) {
        giveUpWaiting(id, end)
      }
      endBearers(link.id, nil, end)
      endAudio(link.id, end, withCapture: true)
      leAudioStates[link.id] = nil
      let ids = Set(link.channels.values).sorted { $0.index < $1.index }
      for id in ids { endAAP(of: id, end) }
    }
    for stream in iap2StateAt.keys.sorted(by: { $0.index < $1.index }) { endIAP2(stream, end) }
    for stream in Set(messageBuffers.keys.map(\.stream)).sorted(by: { $0.index < $1.index }) {
      var end = end
      end.link = streams[Int(stream.index)].link
      endMessages(of: stream, end)
    }
    for stream in obexStates.keys.sorted(by: { $0.index < $1.index }) { endOBEX(of: stream, end) }
    flushAccessories(end)
    flushActivity()
    tellUnreadable()
  }

  // MARK: Events

  mutating func emit(
    _ content: Event.Content, _ moment: PacketContext, frames: Event.Frames? = nil,
    severity: Event.Severity = .info, device: DeviceID? = nil
  ) {
    if !discoveringLinks.isEmpty { endIdleDiscoveries(moment) }
    flushActivity()
    let frames =
      frames ?? moment.command.map { Event.Frames($0, moment.packet, count: 2) }
      ?? Event.Frames(moment.packet)
    tell(
      Event(
        // The packet that is being read has no row yet.
        time: packets[frames.last]?.time ?? moment.time, frames: frames,
        controller: moment.controller, link: moment.link,
        device: device ?? moment.link.flatMap { linkTable[$0].device }, severity: severity,
        content: content),
      as: frames.last)
  }

  /// Events are told in the order of their times, as far as the capture's clock goes forward: one
  /// that is only known when something later was told has the time of that.
  mutating func tell(_ event: Event, as packet: PacketID) {
    events.append(event)
    if packet < lastTold.packet {
      events[events.count - 1].lag = max(0, lastTold.time.since(event.time))
      events[events.count - 1].time = lastTold.time
    } else if let appTime, event.time < appTime, packet <= lastTold.packet {
      events[events.count - 1].lag = max(0, appTime.since(event.time))
      events[events.count - 1].time = appTime
    } else {
      lastTold = (packet, event.time)
    }
  }

  /// Takes the events that happened since the last call, in order.
  public mutating func takeEvents(_ body: (Event) throws -> Void) rethrows {
    guard !events.isEmpty else { return }
    // By its place: what an iterator gives is a copy.
    for index in events.indices { try body(events[index]) }
    events.removeAll(keepingCapacity: true)
  }

  /// Makes events of what was only counted so far: of a capture that goes on, when it pauses.
  public mutating func tellCounted() {
    tellActivity()
    tellUnreadable()
  }

  /// Forgets the events that happened since the last call.
  public mutating func dropEvents() {
    if !events.isEmpty { events.removeAll(keepingCapacity: true) }
  }
}
