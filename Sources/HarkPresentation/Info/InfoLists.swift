import HarkCore
import HarkCrypto
import HarkSession

// Who was there, and with which keys.
extension CaptureReport {
  func controllers(
    _ session: borrowing Session, page: inout InfoPage, to out: inout TextBuffer
  ) {
    for (index, controller) in session.allControllers {
      let parts = [
        controller.name ?? "hci\(index)", controller.address?.description,
        controller.version.map { Names.version($0) },
        controller.company.map { Names.company($0) },
        controller.classOfDevice.map { Names.classOfDevice($0) },
      ]
      page.row("controller", parts.compactMap { $0 }.joined(separator: ", "), to: &out)
    }
  }

  func devices(_ session: borrowing Session, page: inout InfoPage, to out: inout TextBuffer) {
    let most = 12
    let devices = session.devices.filter { $0.mergedInto == nil }
    for device in devices.prefix(most) {
      var text = device.name.map { "\($0) (\(device.address))" } ?? "\(device.address)"
      if device.addresses.count > 1 {
        text +=
          ", also "
          + device.addresses.filter { $0 != device.address }.prefix(3)
          .map(\.description).joined(separator: ", ")
      }
      if let value = device.classOfDevice { text += ", " + Names.classOfDevice(value) }
      let key = Session.DatabaseKey.device(device.id)
      if let database = session.database(for: key), !database.isEmpty {
        text +=
          ": " + Names.count(database.services.count, "service") + ", "
          + Names.count(database.characteristics.count, "characteristic")
      }
      page.row("device", text, to: &out)
    }
    if devices.count > most {
      page.row("", "… and \(Names.count(devices.count - most)) more", to: &out)
    }
  }

  func links(_ session: borrowing Session, page: inout InfoPage, to out: inout TextBuffer) {
    let most = 12
    for link in session.links.prefix(most) { page.row("link", describe(link, session), to: &out) }
    if session.links.count > most {
      page.row("", "… and \(Names.count(session.links.count - most)) more", to: &out)
    }
  }

  /// Databases that are known from a library of `--gatt`, at least in part, with its name and how it was matched.
  static func borrowed(
    _ session: borrowing Session
  ) -> [(server: String, lender: GATTLibrary.Lender)] {
    var found: [(server: String, lender: GATTLibrary.Lender)] = []
    for key in GATTReport.keys(session) {
      guard let lender = session.lender(of: key),
        session.database(for: key)?.showsBorrowed == true
      else { continue }
      found.append((GATTReport.title(key, session), lender))
    }
    return found
  }

  func borrowed(_ session: borrowing Session, page: inout InfoPage, to out: inout TextBuffer) {
    let most = 12
    let borrowed = Self.borrowed(session)
    for (server, lender) in borrowed.prefix(most) {
      page.row("library", "\(server): from \(lender.source), \(lender.match.words)", to: &out)
    }
    if borrowed.count > most {
      page.row("", "… and \(Names.count(borrowed.count - most)) more", to: &out)
    }
  }

  func isEncrypted(_ link: Link) -> Bool {
    link.isEncrypted || tally.encrypted.contains(link.id)
  }

  /// The ATT_MTU where it was exchanged; links without ATT have none.
  static func mtu(_ link: Link) -> UInt16? { link.mtu > 23 ? link.mtu : nil }

  package func describe(_ link: Link, _ session: borrowing Session) -> String {
    var name =
      link.transport != .unknown
      ? link.transport.rawValue : link.isSynchronous ? "SCO or eSCO" : "of unknown kind"
    if let peer = session.peerLabel(of: link.id) { name += " to \(peer)" }
    if let central = link.air?.central {
      name += " from \(central)"
      switch session.identity(of: central) {
      case .address(let identity): name += " (\(identity))"
      case .key(let fingerprint): name += " (IRK \(fingerprint))"
      case nil: break
      }
    }
    if let role = link.role, link.air == nil { name += " as \(role.rawValue)" }
    var parts = [name, Names.count(link.packets, "packet")]
    if link.packetsAfterEnd > 0 {
      parts[1] += " (\(Names.count(link.packetsAfterEnd)) after its end)"
    }
    if isEncrypted(link) { parts.append("encrypted") }
    if let mtu = Self.mtu(link) { parts.append("MTU \(mtu)") }
    if link.closed != nil {
      let duration = session.duration(of: link).map { " after \(Names.duration($0))" } ?? ""
      let reason =
        !link.hasHandle && link.air == nil || link.isClosedByReset
        ? ""
        : link.controllerEnd?.words
          ?? ": \(link.reason.map { Names.status($0) } ?? "reason not captured")"
      let how =
        link.isClosedByReset
        ? " by HCI_Reset" : link.endedWithACL ? " with its ACL connection" : ""
      parts.append("closed\(how)\(duration)\(reason)")
    } else {
      parts.append(link.isOpenAtEnd ? "open to the end" : "its end is not in the capture")
    }
    if link.certainty == .inferred { parts.append("its start is not in the capture") }
    if link.isReported { parts.append("peer reported by PacketLogger") }
    let frames =
      "#\(link.opened.number)–"
      + (link.closed ?? PacketID(UInt32(session.packetCount)))
      .number.description
    return "\(link.designation) \(parts.joined(separator: ", ")), \(frames)"
  }

  func keys(_ session: borrowing Session, page: inout InfoPage, to out: inout TextBuffer) {
    let entries = session.keys.entries
    let resolved = Dictionary(grouping: session.resolvedAddresses, by: \.key)
    for entry in entries.prefix(16) {
      let suite = entry.suite.map { " (\($0.name))" } ?? ""
      let name = (entry.name ?? entry.address?.description).map { " \($0)" } ?? ""
      let origin =
        switch entry.origin {
        case .file(let file):
          "from \(showsFolders ? file : file.fileName)"
            + (entry.isExposed ? ", also in the capture" : "")
        case .capture(let packet): "exposed by the capture, #\(packet.number)"
        }
      var text = "\(entry.kind)\(suite) \(entry.fingerprint)\(name), \(origin)"
      if let made = resolved[entry.fingerprint] {
        let named = made.prefix(4).map { "\($0.address)" }.joined(separator: ", ")
        text += ", made \(named)" + (made.count > 4 ? " and \(made.count - 4) more" : "")
      }
      page.row("key", text, to: &out)
    }
    if entries.count > 16 {
      page.row("", "… and \(Names.count(entries.count - 16)) more", to: &out)
    }
  }
}
