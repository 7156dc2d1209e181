import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession

// What a capture cannot show, in plain language.
extension CaptureReport {
  /// One thing a reader should know before judging the capture.
  struct CaptureCaveat: Sendable {
    /// Names the finding for programs.
    var kind: StaticString
    var text: String
  }

  func findings(_ session: borrowing Session, _ capture: CaptureInfo) -> [CaptureCaveat] {
    var findings =
      records(session, capture) + airFindings(session.counts) + links(session)
      + messages(session, capture)
    let attributes = tally.unframedKeys.sorted().map { Names.hex($0) }
    let channels = tally.unframedChannels.map { $0.name(in: session) }
    for (what, places) in [("Attributes", attributes), ("Channels", channels)]
    where !places.isEmpty {
      findings.append(
        CaptureCaveat(
          kind: "unframed-key",
          text:
            "\(what) that no profile describes carry public keys (\(Names.few(places))): run `hark dissectors "
            + "guess --keys` with the accessory's key to find the messages that they decrypt."))
    }
    if session.counts.kinds[2] + session.counts.kinds[5] > 0 {
      findings.append(
        CaptureCaveat(
          kind: "link-encryption",
          text: "Link encryption hides nothing here: the capture was recorded between host "
            + "and controller, where packets are not yet encrypted."
            + (tally.messages > tally.plain
              ? " Payloads that applications encrypt stay encrypted." : "")))
    }
    var reported: Set<String> = []
    return findings.filter { reported.insert($0.text).inserted }
  }

  private func records(_ session: borrowing Session, _ capture: CaptureInfo) -> [CaptureCaveat] {
    var findings: [CaptureCaveat] = []
    let counts = session.counts
    if session.packetCount == 0 {
      findings.append(
        CaptureCaveat(
          kind: "empty",
          text: "The capture has no packets"
            + (capture.usbTransfers > 0
              ? ": its \(Names.count(capture.usbTransfers, "USB transfer")) are not those of a Bluetooth "
                + "controller. Record the bus that the controller is on, and its traffic."
              : capture.isOfMonitor
                ? ". Start the recorder before the traffic, and end it with Ctrl-C."
                : ". On Android, restart Bluetooth after switching the HCI snoop log on, and take the "
                  + "log from a bug report.")))
    }
    if let east = capture.suspectedZone(counts.latestTime) {
      findings.append(
        CaptureCaveat(
          kind: "local-time",
          text: "The last write to the file precedes its last packet: its clock "
            + "\(ClockZone.remark(east))."))
    }
    if counts.setBacks.count > 0 {
      findings.append(
        CaptureCaveat(kind: "clock-set-back", text: Self.words(counts.setBacks)))
    }
    if let odd = counts.oddTimes {
      findings.append(CaptureCaveat(kind: "clock-odd", text: Self.words(odd)))
    }
    if counts.malformed > 0 {
      findings.append(
        CaptureCaveat(
          kind: "malformed",
          text: "\(Names.count(counts.malformed, "packet")) could not be decoded to the end: "
            + "damaged, or different from the specification."))
    }
    if counts.sliced > 0 {
      findings.append(
        CaptureCaveat(
          kind: "sliced",
          text: "\(Names.count(counts.sliced, "packet was", "packets were")) truncated by "
            + "the recorder: the rest cannot be shown. On Android, select the full HCI snoop log, "
            + "not the filtered one; in Wireshark, do not limit the packet size."))
    }
    if counts.directionUnknown + counts.directionInferred > 0 {
      findings.append(
        CaptureCaveat(
          kind: "direction",
          text: "Its link type does not record who sent data. hark infers it for "
            + Names.count(counts.directionInferred, "packet")
            + (counts.directionUnknown == 0
              ? "."
              : "; for \(Names.count(counts.directionUnknown)) it is unknown, and the "
                + "timeline may confuse the two sides there.")
            + " Record with link type 201, or as btsnoop."))
    }
    if counts.dropped > 0 {
      findings.append(
        CaptureCaveat(
          kind: "dropped",
          text: "The recorder lost \(Names.count(counts.dropped, "packet"))."))
    }
    if tally.incompletePDUs + tally.orphanFragments > 0 {
      findings.append(
        CaptureCaveat(
          kind: "fragments",
          text: "\(Names.count(tally.incompletePDUs + tally.orphanFragments, "fragment")) "
            + "could not be reassembled: the rest is not in the capture."))
    }
    for interface in capture.interfaces where !interface.isSupported {
      findings.append(
        CaptureCaveat(
          kind: "link-type",
          text: "Interface \(interface.name ?? interface.description ?? "without a name") is not "
            + "Bluetooth HCI: hark shows its packets as bytes."))
    }
    return findings
  }

  private func links(_ session: borrowing Session) -> [CaptureCaveat] {
    var findings: [CaptureCaveat] = []
    if session.links.isEmpty, session.packetCount > 0, session.counts.air.linkManagerPDUs == 0 {
      findings.append(
        CaptureCaveat(
          kind: "no-link",
          text: "The capture has no connection"
            + (session.counts.advertisingReports + session.counts.advertisingPDUs > 0
              && session.counts.air.unannounced == 0
              ? ": only public advertising." : ".")))
    }
    for link in session.links where link.certainty == .inferred {
      findings.append(
        CaptureCaveat(
          kind: "starts-inside-link",
          text: (link.isAfterEnd
            ? "Link \(link.designation) has packets after it was closed: "
            : link.isSetupCut
              ? "The recorder truncated the event that opens link \(link.designation): "
              : link.isAfterReset
                ? "Nothing opens link \(link.designation) after HCI_Reset, which ends all links; "
                  + "packets are missing, or its handle is wrong: "
                : link.air == nil
                  ? "The capture starts in the middle of link \(link.designation): "
                  : "The connection with access address \(link.designation) began before the capture, "
                    + "or its start was not received: ")
            + missing(of: link) + names(of: link, session)))
    }
    findings += unpaired(session) + undiscovered(session) + inferred(session)
    for link in session.links
    where link.closed == nil && link.usbAccessory == nil && session.packetCount > 0 {
      let isHidden =
        link.air != nil && link.isEncrypted
        && session.counts.air.encrypted > session.counts.air.opened
      findings.append(
        link.isOpenAtEnd
          ? CaptureCaveat(
            kind: "ends-inside-link",
            text: "Link \(link.designation) is still open when the capture ends.")
          : CaptureCaveat(
            kind: "no-link-end",
            text: "Link \(link.designation) has no visible end: it "
              + (isHidden ? "is encrypted, " : "was still open, ") + "or not in the capture."))
    }
    return Self.most(findings)
  }

  /// What a capture does not hold of a link whose beginning is not in it.
  private func missing(of link: Link) -> String {
    // Neither pairing nor discovery is on them.
    guard link.network == nil, link.transport != .iso, !link.isSynchronous else {
      return "its start is not in the capture."
    }
    var parts = ["its beginning"]
    if link.device == nil {
      parts.append(link.peerName.map { "the address of \($0)" } ?? "its peer")
    }
    var hidden: [String] = []
    if !tally.paired.contains(link.id) { hidden.append("pairing") }
    if link.transport != .brEDR, !tally.discoveries.contains(link.id) { hidden.append("discovery") }
    var rest = ""
    // They may be in packets of which the recorder kept only the beginning.
    if link.truncatedPackets > 0 {
      if !hidden.isEmpty {
        rest = " \(Self.truncated(link)) may contain its \(Names.list(hidden, "and"))."
      }
    } else {
      parts += hidden
    }
    guard parts.count > 1 else { return "its start is not in the capture." + rest }
    return "\(Names.list(parts, "and")) are not in the capture." + rest
  }

  /// The packets of a link that the recorder truncated, as the subject of a sentence.
  private static func truncated(_ link: Link) -> String {
    "\(Names.count(link.truncatedPackets, "truncated packet"))"
  }

  /// Where the names of a link's attributes come from if their discovery is not in the capture.
  private func names(of link: Link, _ session: borrowing Session) -> String {
    guard tally.values.contains(link.id), !tally.discoveries.contains(link.id) else { return "" }
    let key = link.peerDatabase
    return session.lender(of: key) != nil
      ? " The names of its attributes come from the library of --gatt."
      : session.hasLibrary
        ? " No entry of the library of --gatt matches its peer."
        : " To see the names of its attributes, add an earlier capture with --gatt."
  }

  private func unpaired(_ session: borrowing Session) -> [CaptureCaveat] {
    let unpaired = tally.encrypted.subtracting(tally.paired)
    let truncated = unpaired.count { session.links[Int($0.index)].truncatedPackets > 0 }
    var caveats: [CaptureCaveat] = []
    if unpaired.count > truncated {
      caveats.append(
        CaptureCaveat(
          kind: "no-pairing",
          text:
            "\(Names.count(unpaired.count - truncated, "link is", "links are")) encrypted with keys of an "
            + "earlier pairing, made before the capture or on another link in it."))
    }
    if truncated > 0 {
      caveats.append(
        CaptureCaveat(
          kind: "no-pairing",
          text:
            "\(Names.count(truncated, "link is", "links are")) encrypted, and hark cannot see where the keys "
            + "come from: a pairing may be in truncated packets."))
    }
    return caveats
  }

  private func undiscovered(_ session: borrowing Session) -> [CaptureCaveat] {
    var findings: [CaptureCaveat] = []
    for link in session.links
    where tally.values.contains(link.id) && !tally.discoveries.contains(link.id)
      && link.certainty == .seen
    {
      let key = link.peerDatabase
      let frames = session.database(for: key)?.characteristics.values.map(\.frame) ?? []
      let names =
        session.lender(of: key) != nil
        ? "Their names come from the library of --gatt."
        : frames.contains { $0 < link.opened }
          ? "Their names come from an earlier link."
          : frames.isEmpty
            ? session.hasLibrary
              ? "No entry of the library of --gatt matches it: to see their names, record a new pairing."
              : "To see their names, record a new pairing, or add an earlier capture with --gatt."
            : "Their names come only from a later link."
      let device =
        session.peerLabel(of: link.id) ?? "its peer"
      findings.append(
        CaptureCaveat(
          kind: "no-discovery",
          text: link.truncatedPackets > 0
            ? "hark sees no discovery on link \(link.designation): it may be in the "
              + "\(Self.truncated(link)) of the link. "
              + names
            : "Link \(link.designation) has no discovery in the capture: "
              + (tally.uses.contains(link.id)
                ? "the client uses handles of \(device) that it knows from before. "
                : "the capture does not show the services of \(device). ") + names))
    }
    return findings + partlyDiscovered(session)
  }

  /// Attributes that are used, and that discovery in the capture does not show.
  private func partlyDiscovered(_ session: borrowing Session) -> [CaptureCaveat] {
    var known: Set<Session.DatabaseKey> = []
    var caveats: [CaptureCaveat] = []
    for link in session.links where tally.discoveries.contains(link.id) {
      let key = link.peerDatabase
      guard known.insert(key).inserted, let database = session.database(for: key) else { continue }
      let handles = database.uses.keys.filter { database.knownType(of: $0) == nil }.sorted()
      guard !handles.isEmpty else { continue }
      let device =
        session.peerLabel(of: link.id) ?? "its peer"
      caveats.append(
        CaptureCaveat(
          kind: "partial-discovery",
          text:
            "Link \(link.designation) uses \(Names.count(handles.count, "attribute")) of \(device) "
            + "(\(Names.few(handles.map { Names.hex($0) }))) whose \(handles.count == 1 ? "type" : "types") "
            + "discovery in the capture does not show."))
    }
    return caveats
  }

  /// Attributes that no discovery shows and values identify.
  private func inferred(_ session: borrowing Session) -> [CaptureCaveat] {
    var handles: Set<UInt16> = []
    for database in session.databases.values {
      handles.formUnion(database.characteristics.values.filter(\.isRecognized).map(\.handle))
    }
    guard !handles.isEmpty else { return [] }
    let named = Names.few(handles.sorted().map { Names.hex($0) })
    return [
      CaptureCaveat(
        kind: "inferred-attributes",
        text: "No discovery shows what \(Names.count(handles.count, "attribute")) (\(named)) "
          + "\(handles.count == 1 ? "is" : "are"): hark infers it from values.")
    ]
  }

  /// Captures of days have hundreds of links: after some of a kind it is enough to count.
  private static func most(_ findings: [CaptureCaveat]) -> [CaptureCaveat] {
    var result: [CaptureCaveat] = []
    var left: [String: Int] = [:]
    for finding in findings {
      let kind = finding.kind.description
      if result.count(where: { $0.kind.description == kind }) < 3 {
        result.append(finding)
      } else {
        left[kind, default: 0] += 1
      }
    }
    let names = [
      "starts-inside-link": "The capture starts in the middle of",
      "no-discovery": "The capture has no discovery on",
      "partial-discovery": "The capture does not show the types of all attributes used by",
      "ends-inside-link": "The capture ends with", "no-link-end": "The capture shows no end of",
    ]
    for (kind, text) in names.sorted(by: { $0.key > $1.key }) {
      guard let count = left[kind],
        let like = result.last(where: { $0.kind.description == kind })
      else { continue }
      let open = kind == "ends-inside-link" ? " open" : ""
      result.append(
        CaptureCaveat(
          kind: like.kind,
          text: "\(text) \(Names.count(count, "more link", "more links"))\(open)."))
    }
    return result
  }

  private func messages(
    _ session: borrowing Session, _ capture: CaptureInfo
  ) -> [CaptureCaveat] {
    var findings: [CaptureCaveat] = []
    for (reason, count) in tally.lockedReasons.sorted(by: { $0.value > $1.value }) {
      findings.append(
        CaptureCaveat(
          kind: "locked",
          text: "\(Names.count(count, "accessory message")) not decrypted: \(reason)."))
    }
    if tally.incompleteMessages > 0 {
      findings.append(
        CaptureCaveat(
          kind: "incomplete-messages",
          text: "\(Names.count(tally.incompleteMessages, "accessory message")) could not be "
            + "reassembled or decoded."))
    }
    if tally.exposedPrivateKeys > 0 {
      findings.append(
        CaptureCaveat(
          kind: "private-key-exposed",
          text: "The capture contains an accessory's private key in the clear: keep it secret."))
    }
    let comments =
      tally.commentedKeys
      + (capture.sections.flatMap(\.comments) + capture.interfaces.flatMap(\.comments))
      .count(where: KeysInText.holds)
    if comments > 0 {
      findings.append(
        CaptureCaveat(
          kind: "key-in-comment",
          text:
            "\(Names.count(comments, "comment seems", "comments seem")) to contain keys. hark shows "
            + "comments unchanged: check outputs before you publish them."))
    }
    if tally.hasInput || session.counts.inputReports > 0 {
      findings.append(
        CaptureCaveat(
          kind: "input",
          text:
            "The capture contains reports of a HID device: anyone with the file can read the user's keystrokes and actions. "
            + "Before you publish it, run hark redact, which sets them to zero."))
    }
    let exposed = session.keys.bondingKeys.count { $0.origin.isExposed }
    if exposed > 0 {
      findings.append(
        CaptureCaveat(
          kind: "keys-exposed",
          text:
            "The capture contains \(Names.count(exposed, "pairing key")): anyone with the file can "
            + "decrypt over-the-air captures of these links. Redact it before you publish it."))
    }
    return findings
  }
}
