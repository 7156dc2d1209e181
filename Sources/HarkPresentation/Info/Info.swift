import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

/// What a capture holds and what it cannot show, gathered while it is read.
public struct CaptureReport: Sendable {
  /// Facts from events that the session does not keep.
  struct Tally: Sendable {
    var messages = 0
    /// Messages that a key decrypted.
    var opened = 0
    /// Messages that are not encrypted.
    var plain = 0
    /// Messages that no key decrypted, and those that are no longer in the capture.
    var locked: Int { messages - opened - plain }
    var lockedReasons: [String: Int] = [:]
    var incompleteMessages = 0
    var incompletePDUs = 0
    var orphanFragments = 0
    var paired: Set<LinkID> = []
    var discoveries: Set<LinkID> = []
    var encrypted: Set<LinkID> = []
    var values: Set<LinkID> = []
    var exposedPrivateKeys = 0
    /// Comments of packets that look as if they held a key.
    var commentedKeys = 0
    /// Whether input reports of HID devices are in it.
    /// Links on which this host, or a Central on the air, asked for attributes by their handles.
    var uses: Set<LinkID> = []
    var hasInput = false
    var vendorFramings: Set<String> = []
    /// What data links carry, by their streams.
    var dataLinks: [StreamID: String] = [:]
    /// Links with the detection or synchronization of iAP2, and with frames of iAP1.
    var iap2: Set<LinkID> = []
    var iap1: Set<LinkID> = []
    /// Attributes with a key that no profile describes.
    var unframedKeys: Set<UInt16> = []
    /// Channels with one.
    var unframedChannels: [ChannelEvent.Data.Place] = []
    /// Of each log of the app's side.
    var appClocks: [AppEvent] = []
    var appEvents = 0
    /// The link of the value that changed `values` or `uses` last, and whether it is in both.
    private var lastValue: (link: LinkID, isUse: Bool)?

    /// Most values come over the same link as the one before.
    mutating func noteValue(on link: LinkID, isUse: Bool) {
      if let lastValue, lastValue.link == link, lastValue.isUse || !isUse { return }
      lastValue = (link, isUse)
      values.insert(link)
      if isUse { uses.insert(link) }
    }
  }

  var tally = Tally()
  /// Whether key files are named with the folders that they are in.
  private(set) var showsFolders = true

  public init() {}

  package init(showsFolders: Bool) { self.showsFolders = showsFolders }

  /// Takes an event of the capture; call it with each.
  public mutating func note(_ event: Event) {
    switch event.content {
    case .security(.pairing(.complete)), .security(.pairing(.simple(.ended(0)))),
      .security(.pairing(.linkKey)):
      if let link = event.link { tally.paired.insert(link) }
    case .attribute(.discovery(let it)):
      if let link = event.link, !it.isLocal { tally.discoveries.insert(link) }
    case .attribute(.unframedKey(let key)): tally.unframedKeys.insert(key.handle)
    case .channel(.unframedKey(let key)): tally.unframedChannels.append(key.place)
    case .security(.encryption(let encryption)):
      if let link = event.link, encryption.isOn { tally.encrypted.insert(link) }
    case .attribute(.value(let value)):
      note(value)
      if let link = event.link, !value.isLocal {
        tally.noteValue(on: link, isUse: !value.isPushed)
      }
    case .attribute(.repeated(let it)): note(it.value)
    case .attribute(.subscription(let it)):
      guard let link = event.link, !it.isLocal else { break }
      tally.values.insert(link)
      tally.uses.insert(link)
    case .capture(.incompletePDU(let pdu)) where pdu.cut == 0: tally.incompletePDUs += 1
    case .mesh(.incomplete(let pdu)) where !pdu.hasWrongFCS: tally.incompletePDUs += 1
    case .capture(.orphanFragment): tally.orphanFragments += 1
    case .rfcomm(.opened(let opened)):
      let link = opened.link
      let entries = link.service?.classes.lazy.compactMap {
        Catalog.shared.entry(at: .service($0))
      }
      if let stream = link.stream, let entry = entries?.first {
        tally.dataLinks[stream] = entry.name.description
      }
    case .rfcomm(.recognized(let it)):
      if let stream = it.link.stream { tally.dataLinks[stream] = it.protocolName }
    case .iap2(.iap1): if let link = event.link { tally.iap1.insert(link) }
    case .iap2(.synchronization): if let link = event.link { tally.iap2.insert(link) }
    case .capture(.note(let note)) where note.source == "comment":
      if KeysInText.holds(note.text) { tally.commentedKeys += 1 }
    case .accessory(let event): note(event)
    case .app(let event):
      if event.kind == .clock { tally.appClocks.append(event) } else { tally.appEvents += 1 }
    default: break
    }
  }

  private mutating func note(_ value: AttributeEvent.Value) {
    // What a host writes to a report sets lamps, and reveals nothing about anyone.
    guard !value.pdu.isWrite, value.count > 0 else { return }
    if let uuid = value.uuid?.short, Self.inputs.contains(uuid) { tally.hasInput = true }
  }

  /// Report, Boot Keyboard Input Report, Boot Mouse Input Report.
  private static let inputs: Set<UInt16> = [0x2A4D, 0x2A22, 0x2A33]

  private mutating func note(_ event: AccessoryEvent) {
    tally.vendorFramings.insert(event.framing)
    switch event.content {
    case .message(let message):
      tally.messages += 1
      if let verdict = message.verdict {
        tally.lockedReasons[verdict.description, default: 0] += 1
      } else {
        tally.opened += 1
      }
    case .blank(let blank):
      guard case .message = blank.subject else { return }
      tally.messages += 1
      tally.lockedReasons["overwritten with zeros", default: 0] += 1
    case .plain:
      tally.messages += 1
      tally.plain += 1
    case .incomplete(.rest), .incomplete(.begunAgain), .incomplete(.repeated),
      .incomplete(.interleaved):
      break
    case .incomplete, .unreadable: tally.incompleteMessages += 1
    case .exposedKey: tally.exposedPrivateKeys += 1
    default: break
    }
  }

  /// Kinds of packets, as people call them.
  static let kinds: [(kind: PacketKind, one: String, many: String)] = [
    (.command, "HCI command", "HCI commands"), (.event, "HCI event", "HCI events"),
    (.acl, "ACL data packet", "ACL data packets"), (.sco, "SCO data packet", "SCO data packets"),
    (.iso, "ISO data packet", "ISO data packets"),
    (.threeWire, "frame of only the three-wire UART", "frames of only the three-wire UART"),
    (.bcsp, "frame of only BCSP", "frames of only BCSP"),
    (.leLinkLayer, "over-the-air LE packet", "over-the-air LE packets"),
    (.leRadio, "over-the-air LE packet", "over-the-air LE packets"),
    (.nordicBLE, "packet of the nRF Sniffer", "packets of the nRF Sniffer"),
    (.ppi, "packet of Ubertooth (PPI)", "packets of Ubertooth (PPI)"),
    (.basebandRadio, "over-the-air BR/EDR packet", "over-the-air BR/EDR packets"),
    (.ethernet, "Ethernet frame", "Ethernet frames"),
    (.linuxCooked, "network frame", "network frames"),
    (.linuxCooked2, "network frame", "network frames"),
    (.rawIP, "IP packet", "IP packets"), (.loopback, "loopback frame", "loopback frames"),
    (.usbAccessory, "USB transfer of an accessory", "USB transfers of accessories"),
  ]

  static func others(_ counts: Session.Counts) -> Int {
    let named = kinds.map { counts.kinds[Int($0.kind.rawValue)] }.reduce(0, +)
    return counts.kinds.reduce(0, +) - named
  }
}
