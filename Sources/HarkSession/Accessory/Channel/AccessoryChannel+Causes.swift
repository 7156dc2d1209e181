import HarkCore
import HarkCrypto

/// A write that the accessory refused, which the phone may send again.
struct RefusedWrite: Sendable {
  let link: UInt32
  let packet: PacketID
  let bytes: [UInt8]
}

extension AccessoryChannel {
  private static let mostRefusals = 16

  func encapsulatedKey(_ message: SecurityMessage, _ origin: MessageOrigin) -> EncapsulatedKey {
    EncapsulatedKey(
      message.key, suite: message.cipherSuite, packet: origin.frames.last ?? PacketID(0),
      identifier: message.identifier, suiteSpelling: message.cipherSuiteToken,
      version: message.version, peer: peer)
  }

  /// Remembers a refused write until it is sent again, and an encapsulated key that it would have completed.
  mutating func noteRefusal(_ value: VendorValue, _ assembler: any VendorAssembler) {
    guard case .refused = value.operation else {
      if !refusals.isEmpty {
        refusals.removeAll { $0.link == value.link && $0.bytes == value.bytes }
      }
      return
    }
    var write = value
    write.operation = .write
    // The last packet is the response.
    if write.frames.count > 1 { write.frames.removeLast() }
    guard let packet = write.frames.first else { return }
    if refusals.count >= Self.mostRefusals { refusals.removeFirst() }
    refusals.append(RefusedWrite(link: value.link, packet: packet, bytes: value.bytes))
    var trial = assembler
    for part in trial.receive(write) {
      guard case .security(let step) = part.content, step.message.keyType == .encapsulatedKey
      else { continue }
      _ = refusedKeys.encapsulatedKey(encapsulatedKey(step.message, part.origin))
    }
  }

  /// Finds out whether a message can be read without a value that was sent twice, or without those of another message.
  mutating func explain(
    _ contents: inout [AccessoryEvent.Content], _ origin: MessageOrigin,
    _ alternative: SuspiciousValues.Alternative, _ keys: inout KeyRing
  ) {
    let others = alternative.framed.filter { $0.origin.frames.last == origin.frames.last }
    guard !others.isEmpty else { return }
    for index in contents.indices {
      switch contents[index] {
      case .message(var message):
        guard message.verdict?.isWrongTag == true else { continue }
        let opens = others.contains { other in
          guard case .transport(let frame) = other.content else { return false }
          return decryptor.opens(sealed(frame.message, other.origin), with: &keys)
        }
        guard opens else { continue }
        message.outcome = .locked(alternative.verdict)
        contents[index] = .message(message)
      case .unreadable(var message):
        guard others.contains(where: { $0.isReadable }) else { continue }
        message.cause = alternative.verdict
        contents[index] = .unreadable(message)
      default: continue
      }
    }
  }

  private func sealed(_ message: TransportMessage, _ origin: MessageOrigin) -> SealedMessage {
    SealedMessage(
      message.data, session: message.sessionID.isEmpty ? nil : message.sessionID,
      direction: origin.direction, packet: origin.frames.last ?? PacketID(0),
      isLinkWhole: isLinkWhole)
  }

  /// Finds out whether something refused is why a message stays locked.
  func explain(
    _ event: inout TransportedMessage, _ origin: MessageOrigin, _ link: UInt32,
    _ keys: inout KeyRing
  ) {
    guard let verdict = event.verdict, verdict.mayOpenLater else { return }
    if verdict.isWrongTag, let first = origin.frames.first, let last = origin.frames.last,
      let part = refusals.first(where: { $0.link == link && first < $0.packet && $0.packet < last })
    {
      event.outcome = .locked(.partRefused(part.packet))
    } else if let packet = refusedKeys.exchange(opening: event.sealedMessage(origin), with: &keys) {
      event.outcome = .locked(.keysRefused(exchange: packet))
    }
  }
}

extension TransportedMessage {
  fileprivate func sealedMessage(_ origin: MessageOrigin) -> SealedMessage {
    SealedMessage(
      sealed, session: sessionID.isEmpty ? nil : sessionID, direction: origin.direction,
      packet: origin.frames.last ?? PacketID(0), isLinkWhole: false)
  }
}

extension Accessories {
  /// Other accessories whose keys are tried for a message, at most.
  private static let mostOthers = 8

  /// Looks for the accessory and its keys among those of other addresses: addresses change, and programs mix up two
  /// accessories.
  mutating func compare(_ events: inout [AccessoryEvent], _ key: Key, _ keys: inout KeyRing) {
    for index in events.indices {
      if case .publicKey(let announced) = events[index].content, announced.defect == nil {
        inherit(announced.fingerprint, key)
      } else if case .message(var message) = events[index].content,
        message.verdict?.mayOpenLater == true
      {
        let sealed = message.sealedMessage(events[index].origin)
        for other in exchanged(besides: key) {
          let packet = channels[other]?.decryptor.exchange(opening: sealed, with: &keys)
          guard let packet else { continue }
          message.outcome = .locked(.keysOfOther(exchange: packet))
          events[index].content = .message(message)
          break
        }
      }
    }
  }

  /// An accessory that announces a known public key, while no accessory with that key is connected, is known under another
  /// address: a public key is random.
  private mutating func inherit(_ publicKey: Fingerprint, _ key: Key) {
    guard key.owner.isPeer, channels[key]?.decryptor.exchange.generations.isEmpty == true,
      let other = exchanged(besides: key).first(where: { other in
        guard other.framing == key.framing, let channel = channels[other] else { return false }
        return other.owner.isPeer && !channel.isConnected
          && channel.decryptor.exchange.generations.contains { $0.publicKey == publicKey }
      }), let known = channels[other]
    else { return }
    channels[key]?.decryptor.inherit(known.decryptor)
  }

  /// The other channels with a key exchange, the newest exchange first.
  private func exchanged(besides key: Key) -> [Key] {
    let others = channels.compactMap { other, channel -> (key: Key, packet: PacketID)? in
      guard other != key, let last = channel.decryptor.exchange.generations.last else { return nil }
      return (other, last.key.packet)
    }
    return others.sorted { $1.packet < $0.packet }.prefix(Self.mostOthers).map(\.key)
  }
}

extension SuspiciousValues.Alternative {
  fileprivate var verdict: Verdict {
    switch cause {
    case .repeated(let repetition): .partRepeated(repetition)
    case .interleaved(let packet): .partsInterleaved(packet)
    }
  }
}
