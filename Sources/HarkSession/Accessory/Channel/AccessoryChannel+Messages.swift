import HarkCore
import HarkCrypto

extension AccessoryChannel {
  mutating func security(
    _ step: SecurityStep, _ origin: MessageOrigin, _ link: UInt32, _ keys: inout KeyRing
  ) -> AccessoryEvent.Content {
    var pending = AccessoryMemory.PendingReceipt(
      subject: .key(step.phase), moment: .init(origin), exchangeID: step.exchangeID)
    defer { memory.expect(pending, id: step.receiptID, from: origin.direction, on: link) }
    let message = step.message
    if BlankMessage.isBlank(message.key) {
      let key = BlankMessage.Subject.key(message.keyType, message.cipherSuite)
      return .blank(BlankMessage(subject: key, size: message.key.count))
    }
    switch message.keyType {
    case .publicKey:
      let sighting = decryptor.publicKey(message.key, suite: message.cipherSuite)
      _ = refusedKeys.publicKey(message.key, suite: message.cipherSuite)
      return .publicKey(
        PublicKeyEvent(
          step: step, fingerprint: sighting.fingerprint, replaces: sighting.replaces,
          hasPrivateKey: keys.accessoryKeys.contains {
            $0.fingerprint == sighting.fingerprint
          },
          defect: sighting.defect))
    case .encapsulatedKey:
      let sighting = decryptor.encapsulatedKey(encapsulatedKey(message, origin))
      decryptor.exportInternetKeys(&keys)
      pending.generation = sighting.generation
      keyedLinks.insert(link)
      return .encapsulatedKey(
        EncapsulatedKeyEvent(
          step: step, generation: sighting.generation,
          replaces: sighting.replaces, repeats: sighting.repeats,
          // A key that is sent once more is for the public key that it was first sent for.
          publicKey: decryptor.exchange.generations.last {
            $0.key.packet == sighting.repeats || $0.key.packet == origin.frames.last
          }?.publicKey,
          defect: sighting.defect))
    }
  }

  mutating func transport(
    _ frame: TransportFrame, _ origin: MessageOrigin, _ link: UInt32, _ keys: inout KeyRing
  ) -> [AccessoryEvent.Content] {
    let message = frame.message
    var contents: [AccessoryEvent.Content] = []
    if let seen = memories.note(session: message.sessionID, over: transport) {
      contents.append(seen)
    }
    memory.expect(
      .init(subject: .message(sessionID: message.sessionID), moment: .init(origin)),
      id: frame.receiptID, from: origin.direction, on: link)
    if BlankMessage.isBlank(message.data) {
      let blank = BlankMessage(
        subject: .message(sessionID: message.sessionID), size: message.data.count)
      return contents + [.blank(blank)]
    }
    var event = TransportedMessage(
      sessionID: message.sessionID, size: message.data.count, sealed: message.data,
      receiptID: frame.receiptID,
      outcome: .locked(.cutByCapture(missingBytes: frame.missingBytes)),
      followsKeyOnLink: isKeyed(link), observations: [])
    if frame.missingBytes <= 0 {
      open(message, origin, link, &keys, &event)
      explain(&event, origin, link, &keys)
    }
    if keepsLocked, event.verdict?.mayOpenLater == true {
      lockedMessages.keep(
        LockedMessage(
          frame: frame, origin: origin, link: link, client: client(of: link),
          isLinkWhole: isLinkWhole,
          followsKeyOnLink: event.followsKeyOnLink))
    }
    contents.append(.message(event))
    return contents
      + event.observations.map {
        .observation(MessageObservation(observation: $0, sessionID: message.sessionID))
      }
  }

  /// - Parameter isAgain: Whether this is not the first attempt.
  mutating func open(
    _ message: TransportMessage, _ origin: MessageOrigin, _ link: UInt32,
    _ keys: inout KeyRing, _ event: inout TransportedMessage, isAgain: Bool = false
  ) {
    let sealed = SealedMessage(
      message.data, session: message.sessionID.isEmpty ? nil : message.sessionID,
      direction: origin.direction, packet: origin.frames.last ?? PacketID(0),
      firstPacket: origin.frames.first, isLinkWhole: isLinkWhole)
    let result =
      isAgain ? decryptor.reopen(sealed, with: &keys) : decryptor.open(sealed, with: &keys)
    event.observations = result.observations
    switch result.outcome {
    case .locked(let verdict):
      let isOpen = framing.decode(plaintext: message.data, direction: origin.direction).isLegible
      event.outcome = .locked(isOpen ? .notEncrypted : verdict)
      // It has neither IV nor tag.
      if isOpen { event.observations.removeAll(where: \.isOfEncryption) }
    case .plaintext(let plaintext, let use):
      // The other side of this link does not have the keys of another phone.
      if !isAgain, let peer, let exchange = use.exchange,
        decryptor.exchange.isOfOther(exchange.packet, than: peer)
      {
        event.outcome = .locked(.keysOfOther(exchange: exchange.packet))
        return
      }
      var decoded = framing.decode(plaintext: plaintext, direction: origin.direction)
      memory.offers.follow(&decoded.contents, isWhole: decoded.problem == nil)
      memory.complete(&decoded.contents, origin)
      if decoded.isSecret {
        (decoded.fields, decoded.outline, decoded.envelopes) = ([], [], [])
      } else {
        if !isAgain { keep(plaintext: plaintext, origin) }
      }
      event.outcome = .opened(
        OpenedPlaintext(
          plaintext: decoded.isSecret ? [] : plaintext.concealing(decoded.secrets),
          size: plaintext.count, keyUse: use,
          decoded: decoded, answers: memory.relate(decoded, origin, link)))
    }
  }

  func accepted(
    _ id: String, _ origin: MessageOrigin, _ link: UInt32
  ) -> [AccessoryEvent.Content] {
    // A side confirms what the other side sent.
    let receipt = memory.receipt(id, of: origin.direction.opposite, on: link)
    let answers = receipt?.moment.answered(by: origin)
    var contents: [AccessoryEvent.Content] = [
      .accepted(Acceptance(receiptID: id, subject: receipt?.subject, answers: answers))
    ]
    if let generation = receipt?.generation, let answers {
      contents.append(
        .keyExchangeComplete(
          KeyExchangeCompletion(
            generation: generation, exchangeID: receipt?.exchangeID, latency: answers.latency)))
    }
    return contents
  }
}

extension DecodedPlaintext {
  /// Whether it is a notification or an answer with a text that people can read, as encrypted bytes never are.
  fileprivate var isLegible: Bool {
    guard problem == nil else { return false }
    let texts = contents.flatMap { content -> [String?] in
      switch content {
      case .add(let it), .update(let it), .present(let it): [it.title, it.subtitle, it.body]
      case .response(let it): [it.userText]
      default: []
      }
    }.compactMap { $0 }.filter { !$0.isEmpty }
    return !texts.isEmpty
      && texts.allSatisfy { text in
        text.unicodeScalars.allSatisfy { $0 != "\u{FFFD}" && ($0.value >= 0x20 || $0 == "\n") }
      } && texts.contains { $0.unicodeScalars.count >= 3 }
  }
}
