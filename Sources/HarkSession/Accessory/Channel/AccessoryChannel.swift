import HarkCore
import HarkCrypto

/// One accessory's vendor channel: assembles its messages, follows its keys, decrypts what it can, and reports why it
/// cannot decrypt the rest.
/// It lives as long as the device. Key generations, sessions and earlier messages survive a reconnect; partial
/// messages end with the link.
public struct AccessoryChannel: Sendable {
  public let framing: any VendorFraming
  /// Partial messages, by link.
  private var assemblers: [UInt32: any VendorAssembler] = [:]
  /// The clients of those links, if the server has several.
  private var clients: [UInt32: VendorClient] = [:]
  /// Open links that carried an encapsulated key, limited to those in `assemblers`. While one of them is open, the
  /// accessory has not restarted.
  var keyedLinks: Set<UInt32> = []
  var decryptor = Decryptor()
  var memories = ClientMemories()
  /// What is remembered of the client of the last value.
  var memory: AccessoryMemory {
    get { memories.current }
    _modify { yield &memories.current }
  }
  /// Whether the last value continues a message that began in an earlier one.
  private(set) var continuesMessage = false

  /// The content of the messages that the last value completes, if requested.
  private(set) var messageValues: [MessageValues] = []
  private var keepsMessages = false

  private struct BlankPlace: Hashable {
    let link: UInt32
    let channel: VendorChannel
    let toServer: Bool
  }

  /// Where values of zeros occurred.
  private var blanks: Set<BlankPlace> = []
  private static let mostBlanks = 256

  /// Whether messages that stay locked are kept for keys that arrive later.
  var keepsLocked = false
  var lockedMessages = LockedMessages()

  /// Whether the link of the last value is in the capture from its beginning.
  var isLinkWhole = false

  /// The transport of the last value; nil if it is unknown.
  var transport: Link.Transport?

  /// The client of the last value, if the server has several.
  var peer: UInt32?

  private var suspicious = SuspiciousValues()

  /// Writes that the accessory refused, and the encapsulated keys among them.
  var refusals: [RefusedWrite] = []
  var refusedKeys = Decryptor()

  /// Whether an open link of the current client carried an encapsulated key.
  func isKeyed(_ link: UInt32) -> Bool { keyedLinks.contains { clients[$0] == clients[link] } }

  /// Whether the accessory has an open link.
  var isConnected: Bool { !assemblers.isEmpty }

  /// The most links whose partial messages are kept; beyond that, the oldest counts as closed.
  private static let mostLinks = 32

  public init(_ framing: any VendorFraming) { self.framing = framing }

  /// Takes the next value.
  /// - Parameter keys: The keys of the capture; keys that the value exposes are added.
  public mutating func receive(
    _ value: VendorValue, keys: inout KeyRing
  ) -> [AccessoryEvent] {
    var events: [AccessoryEvent] = []
    (isLinkWhole, transport, peer) = (value.isLinkWhole, value.transport, value.peer)
    keepsMessages = value.keepsMessage
    if !messageValues.isEmpty { messageValues.removeAll() }
    if assemblers[value.link] == nil {
      if assemblers.count >= Self.mostLinks, let oldest = assemblers.keys.min() {
        events = linkClosed(.linkClosed, link: oldest, keys: &keys)
      }
      assemblers[value.link] = framing.makeAssembler()
    }
    note(value.client, on: value.link)
    if let direction = assemblers[value.link]?.direction(ofBlank: value) {
      continuesMessage = false
      return events + interpret(blank(value, direction), value.link, &keys)
    }
    if let assembler = assemblers[value.link] { noteRefusal(value, assembler) }
    let before =
      suspicious.needsCopy(value)
      ? assemblers[value.link].flatMap { $0.keepsValues ? nil : $0 } : nil
    let alternative = suspicious.receive(value, before)
    var framed = assemblers[value.link]?.receive(value) ?? []
    if !framed.isEmpty { note(value, alternative, before, &framed) }
    continuesMessage = assemblers[value.link]?.continuesMessage ?? false
    if keepsMessages || value.treePackets != nil {
      messageValues = assemblers[value.link]?.messageValues ?? []
    }
    return events + interpret(framed, value.link, &keys, alternative)
  }

  /// Notes that a value ends a message or begins another one.
  /// - Parameter before: The assembler before the value, if it was copied.
  private mutating func note(
    _ value: VendorValue, _ alternative: SuspiciousValues.Alternative?,
    _ before: (any VendorAssembler)?, _ framed: inout [Framed]
  ) {
    suspicious.end(value)
    let isMark = framing.sentinels.contains { $0.start == value.bytes }
    for index in framed.indices {
      guard case .incomplete(let gap) = framed[index].content else { continue }
      let origin = framed[index].origin
      if gap.isRest, let alternative, case .interleaved(let packet) = alternative.cause,
        alternative.framed.contains(where: { $0.isReadable })
      {
        framed[index].content = .incomplete(.interleaved(packet))
      }
      guard gap.isInterruptedByNext else { continue }
      if let packet = alternative?.beginningAgain(origin, by: value, isMark: isMark) {
        framed[index].content = .incomplete(.begunAgain(packet))
        suspicious.begin(value)
      } else if let before, let newer = assemblers[value.link], let first = origin.frames.first {
        suspicious.begin(value, newer, before: before, begunIn: first)
      } else {
        suspicious.begin(value)
      }
    }
  }

  /// Ends the partial messages of a link, when the link or the capture ends.
  public mutating func linkClosed(
    _ reason: Interruption = .linkClosed, link: UInt32 = 0, keys: inout KeyRing
  ) -> [AccessoryEvent] {
    guard var assembler = assemblers.removeValue(forKey: link) else { return [] }
    defer {
      keyedLinks.remove(link)
      suspicious.end(link: link)
      clients[link] = nil
    }
    return interpret(assembler.reset(reason), link, &keys)
  }

  /// Ends the partial messages of a stream on that link.
  /// - Parameter toServer: Their direction; nil for both.
  mutating func interrupt(
    _ stream: StreamID, toServer: Bool?, _ reason: Interruption, link: UInt32,
    keys: inout KeyRing
  ) -> [AccessoryEvent] {
    let framed = assemblers[link]?.interrupt(stream, toServer: toServer, reason) ?? []
    return interpret(framed, link, &keys)
  }

  /// Notes whose link it is. The device of a link may become known only later.
  private mutating func note(_ client: VendorClient?, on link: UInt32) {
    let known = clients[link]
    guard client != known else { return }
    if case .link? = known, let known, let client { mergeClients(known, into: client) }
    clients[link] = client
  }

  func client(of link: UInt32) -> VendorClient? { clients[link] }

  /// Makes what is remembered of a client the memory that is used.
  mutating func select(_ client: VendorClient?) { memories.select(client) }

  /// Two devices turned out to be one.
  mutating func mergeClients(_ gone: VendorClient, into kept: VendorClient) {
    memories.merge(gone, into: kept)
    lockedMessages.merge(gone, into: kept)
    for (link, client) in clients where client == gone { clients[link] = kept }
  }

  /// Adds an identifier of the accessory from another source as a candidate.
  public mutating func note(identifier: String) { decryptor.identifier(identifier) }

  /// Takes the content of a plaintext that ends with the message of `origin`.
  mutating func keep(plaintext: [UInt8], _ origin: MessageOrigin) {
    guard keepsMessages, let packet = origin.frames.last else { return }
    let values = framing.values(plaintext: plaintext, direction: origin.direction)
    if !values.isEmpty { messageValues.append(MessageValues(of: packet, values)) }
  }

  /// Only the first one per link, channel and direction: if one value is overwritten, most are.
  private mutating func blank(_ value: VendorValue, _ direction: MessageDirection) -> [Framed] {
    let place = BlankPlace(link: value.link, channel: value.channel, toServer: value.toServer)
    guard blanks.count < Self.mostBlanks, blanks.insert(place).inserted else { return [] }
    let blank = BlankMessage(subject: .value, size: value.bytes.count)
    return [Framed(MessageOrigin(value, direction), .blank(blank))]
  }

  private mutating func interpret(
    _ framed: [Framed], _ link: UInt32, _ keys: inout KeyRing,
    _ alternative: SuspiciousValues.Alternative? = nil
  ) -> [AccessoryEvent] {
    var events: [AccessoryEvent] = []
    memories.select(clients[link])
    for part in framed {
      var contents: [AccessoryEvent.Content]
      if case .incomplete = part.content {} else { memory.interrupted.received(part.origin) }
      switch part.content {
      case .security(let step): contents = [security(step, part.origin, link, &keys)]
      case .transport(let frame): contents = transport(frame, part.origin, link, &keys)
      case .plain(var message):
        if !framing.checksResponses { memory.offers.follow(&message.contents, isWhole: true) }
        memory.complete(&message.contents, part.origin)
        contents = [.plain(message)]
      case .exposedKey(let key):
        let isNew = keys.add(key)
        contents = [
          .exposedKey(
            ExposedKeyEvent(fingerprint: key.fingerprint, suite: key.suite, isNew: isNew))
        ]
      case .accepted(let id): contents = accepted(id, part.origin, link)
      case .flowControl(let control): contents = [.flowControl(control)]
      case .incomplete(let gap):
        contents = memory.interrupted.revise(gap, part.origin).map { [.incomplete($0)] } ?? []
      case .unreadable(let message) where message.isBlank:
        contents = [.blank(BlankMessage(subject: .value, size: part.origin.size))]
      case .unreadable(let message): contents = [.unreadable(message)]
      case .blank(let message): contents = [.blank(message)]
      }
      if let alternative { explain(&contents, part.origin, alternative, &keys) }
      for content in contents {
        events.append(
          AccessoryEvent(framing: framing.name, origin: part.origin, content: content))
      }
    }
    return events
  }
}
