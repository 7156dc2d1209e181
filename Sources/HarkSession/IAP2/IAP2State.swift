import HarkCore
import HarkDissection

/// The reader of the data in streams of iAP.
struct IAP2Entries: Sendable {
  private static let catalog = Catalog.shared
  let link = catalog.entry(at: .service(IAP2LinkPacket.service))
  let iap1 = catalog.entry(at: .iap1)
  /// By the type of the session.
  private let sessions = (0...2).map { catalog.entry(at: .iap2(UInt8($0))) }

  /// The reader of the session's data; nil if nothing reads it.
  subscript(type: IAP2LinkPacket.SessionType) -> Entry? {
    Int(type.rawValue) < sessions.count ? sessions[Int(type.rawValue)] : nil
  }
}

/// What the index pass keeps of one stream of iAP.
struct IAP2State: Sendable {
  let link: LinkID
  /// By direction.
  var sides = [Side(), Side()]
  /// Whether a link packet was seen: then it is no iAP1.
  var isIAP2 = false
  var isIAP1 = false
  /// The types of the sessions, by identifier: what the SYN packets declared.
  var sessions = IAP2State.noSessions
  /// Sessions that were reported as undeclared.
  var undeclared: Set<UInt8> = []
  /// The index of the direction in which the accessory sends.
  var accessorySide: Int?
  /// What shows that.
  var sideEvidence = SideEvidence.message
  /// Whether the data that waits in one direction is being delivered early.
  var isFlushing = false
  var identification = IAP2Identification()
  var externalAccessories: [UInt16: ExternalAccessory] = [:]
  /// External Accessory sessions that are not open, but whose data was reported.
  var strays: Set<UInt16> = []
  /// External Accessory sessions that were stopped or replaced on this link.
  var closed: Set<UInt16> = []
  /// Whether the link was reset and not synchronized again.
  var isReset = false
  /// How many packets the capture was known to lack when the link began; nil if the capture does not show that, or
  /// lacks packets of the link.
  var lostAtBeginning: Int?

  /// Whether all open External Accessory sessions are known.
  func knowsSessions(_ lost: Int) -> Bool {
    isWhole(lost) && externalAccessories.count < Self.mostExternalAccessories
  }

  /// Whether the capture has the link from its beginning and lacks no packet.
  func isWhole(_ lost: Int) -> Bool { lostAtBeginning == lost }
  var fileTransfers: [UInt8: UInt64] = [:]
  /// What was asked for and has not been answered yet.
  var questions: Set<IAP2Event.Unanswered.Question> = []

  static let noSessions = [IAP2LinkPacket.SessionType?](repeating: nil, count: 256)
  /// The most External Accessory sessions that are kept at once: real accessories have a few.
  static let mostExternalAccessories = 256

  /// What shows which side is the accessory; the stronger one counts.
  enum SideEvidence: Int {
    case message, identification, synchronization
  }

  /// One direction.
  struct Side: Sendable {
    var buffer = IAP2Buffer()
    /// How many packets the capture was known to lack when the last bytes came.
    var lost = 0
    var hasAskedForIAP2 = false
    /// What this side asked the other one to observe.
    var parameters: IAP2LinkParameters?
    /// The sequence number of the last packet with a payload, or of the SYN.
    var sequence: UInt8?
    /// The last of them that the other side acknowledged.
    var acknowledged: UInt8?
    /// What the packets contained, by their sequence numbers, as far as the capture has them undamaged.
    var contents: [UInt8: UInt64] = [:]
    /// How many packets the capture was known to lack when `sequence` came.
    var lostAtSequence = 0
    /// The first and the last of the packets with numbers that were acknowledged before, but with other payloads: if the
    /// other side acknowledges these, more than 127 packets are missing before them.
    var reused: (first: UInt8, last: UInt8)?
    /// Sequence numbers that were left out, of the last 127.
    var holes: Set<UInt8> = []
    var isWindowExceeded = false
    /// Whether a packet was too long since the SYN.
    var hasExceededLength = false
    /// When it sent the last packet that the receiver allows.
    var windowFullAt: PacketTime?
    /// How long it then waited, and when that ended.
    var stall: (nanoseconds: Int64, ended: PacketTime)?
    /// Whether the recorder cut data in which whole packets may have been.
    var isCut = false
    var message = Message()
    var early = EarlyData()
    /// Whether a message is under way that may hold a key, or of which that is not known yet.
    var mayGoOnWithKey = false
  }

  /// A control session message that is not whole yet.
  struct Message: Sendable {
    var bytes: [UInt8] = []
    var packets: [UInt32] = []

    mutating func removeAll() {
      bytes.removeAll(keepingCapacity: true)
      packets.removeAll(keepingCapacity: true)
    }

    /// The identifier, if that much is there.
    var identifier: UInt16? { IAP2ControlMessage.identifier(of: bytes.raw) }
  }

  struct ExternalAccessory: Sendable {
    var session: EASession
    let stream: StreamID
    /// The reader of its data; nil if no protocol is known for its name.
    let entry: Entry?
    /// How many of its bytes the recorder did not keep.
    var cut = 0
    var isAccepted = false
    /// Whether the accessory ever accepted it.
    var wasAccepted = false
    /// Whether the accessory's last answer was that it refuses or ends it.
    var isRefused = false
    /// By direction.
    var hasData = [false, false]

    mutating func answered(isAccepted: Bool) {
      (self.isAccepted, isRefused) = (isAccepted, !isAccepted)
      wasAccepted = wasAccepted || isAccepted
    }
  }
}
