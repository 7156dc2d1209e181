import HarkCore
import HarkDissection

/// Links that open, close and change. Core Specification, Vol 4, Part E, 7.7.
public enum LinkEvent: Sendable {
  case connectionRequested(ConnectionRequested)
  case opened(Opened)
  case failed(Failed)
  case inferred(Inferred)
  case deviceReported(DeviceReported)
  case closed(Closed)
  case closeFailed(CloseFailed)
  case usbAccessory(USBAccessory)
  case change(LinkChangeEvent)
  case sounding(SoundingEvent)
  case soundLost(SoundLost)

  var described: any Described {
    switch self {
    case .connectionRequested(let event): event
    case .opened(let event): event
    case .failed(let event): event
    case .inferred(let event): event
    case .deviceReported(let event): event
    case .closed(let event): event
    case .closeFailed(let event): event
    case .usbAccessory(let event): event
    case .change(let event): event.described
    case .sounding(let event): event.described
    case .soundLost(let event): event
    }
  }

  static func kind(
    _ name: StaticString, step: StaticString? = nil, isShared: Bool = true
  ) -> EventKind {
    EventKind(name, .link, .links, step: step, isShared: isShared)
  }

  /// Its state when the event was emitted.
  static func link(_ event: Event, _ session: borrowing Session) -> Link? {
    event.link.map { session.links[Int($0.index)] }
  }
}

extension LinkEvent {
  /// A peer requests a BR/EDR connection from this host.
  public struct ConnectionRequested: Described {
    public let transport: Link.Transport
    /// 0 if the peer does not name one.
    public let classOfDevice: UInt32

    public var kind: EventKind { LinkEvent.kind("connection-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let name = classOfDevice == 0 ? nil : Names.classOfDevice(classOfDevice)
      sink.word("attempt", transport.rawValue)
      sink.number("class_of_device", classOfDevice == 0 ? nil : classOfDevice)
      sink.word("class_of_device_name", name)
      let what = transport == .brEDR ? "" : " (\(transport.rawValue))"
      sink.sentence("peer requests a connection\(what)\(name.map { ", \($0)" } ?? "")")
    }
  }

  public struct Opened: Described {
    public var kind: EventKind { LinkEvent.kind("link-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      guard let link = LinkEvent.link(event, session) else { return }
      sink.word("role", link.role?.rawValue, .viewpoint)
      sink.address("peer", link.peer)
      sink.address("central", link.air?.central, .viewpoint)
      link.synchronous?.describe(to: &sink)
      link.timing?.describe(to: &sink)
      sink.sentence(link.air.map { onAir(link, $0, session) } ?? words(link, session))
    }

    private func words(_ link: Link, _ session: borrowing Session) -> EventSentence {
      var text: EventSentence = "\(Link.name(link))"
      if let device = link.device.map({ session.devices[Int($0.index)] }) {
        let peer = link.peer ?? device.address
        text += " to \(who(peer, device.name))"
        // A private address that keys in the capture resolve.
        if peer != device.address { text += ", identity \(personal: device.address)" }
      }
      if let role = link.role { text += " as \(role.rawValue)" }
      if let parameters = link.synchronous { text += ", \(parameters.words)" }
      if let timing = link.timing { text += ", \(timing.words)" }
      return text
    }

    /// `LE connection 0x8a3b21f0 from Central C0:… to Peripheral Watch (C1:…), interval …`.
    /// Core Specification, Vol 6, Part B.
    private func onAir(
      _ link: Link, _ air: Link.Air, _ session: borrowing Session
    ) -> EventSentence {
      var text: EventSentence = "\(Link.name(link))"
      if let central = air.central {
        let name = air.centralDevice.flatMap { session.devices[Int($0.index)].name }
        text += " from Central \(who(central, name))"
      }
      if let peer = link.peer {
        let name = link.device.flatMap { session.devices[Int($0.index)].name }
        text += " to Peripheral \(who(peer, name))"
      }
      if let timing = link.timing { text += ", \(timing.words)" }
      if let map = air.channelMap { text += ", \(map.nonzeroBitCount) of 37 channels" }
      if let hop = air.hop { text += ", hop \(hop)" }
      return text
    }

    private func who(_ address: BluetoothAddress, _ name: String?) -> EventSentence {
      name.map { "\(personal: $0) (\(personal: address))" } ?? "\(personal: address)"
    }
  }

  public struct Failed: Described {
    public let status: UInt8
    public let peer: BluetoothAddress?
    public let transport: Link.Transport
    /// The peer sent a request, and this host refused it or did not answer.
    public var isOurs = false

    package var isSynchronous: Bool { transport == .sco || transport == .esco }

    public var kind: EventKind {
      LinkEvent.kind("link-failed", step: "link-opened", isShared: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.address("peer", peer)
      sink.word("attempt", transport.rawValue)
      sink.flag("by_host", isOurs)
      sink.sentence(words)
    }

    private var words: EventSentence {
      let to: EventSentence = peer.map { " to \(personal: $0)" } ?? ""
      let kind = isSynchronous ? "\(transport.rawValue) " : ""
      let why = Names.status(status)
      let error = HCIErrorCode(rawValue: status)
      if isOurs {
        let answer = error == .connectionAcceptTimeoutExceeded ? "does not answer" : "refuses"
        let asked: EventSentence = peer.map { " that \(personal: $0) requests" } ?? ""
        return "this host \(answer) the \(kind)connection\(asked): \(why)"
      }
      return switch error {
      case .connectionAlreadyExists: "no second \(kind)connection\(to): \(why)"
      // A host that stops waiting cancels the attempt, and the controller then reports this. Core Specification, Vol
      // 4, Part E, 7.8.13
      case .unknownConnectionIdentifier: "connection attempt\(to) cancelled"
      default: "\(kind)connection\(to) failed: \(why)"
      }
    }
  }

  /// The capture has packets of a link, but not its beginning.
  public struct Inferred: Described {
    public var kind: EventKind { LinkEvent.kind("link-inferred", step: "link-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let link = LinkEvent.link(event, session)
      sink.sentence("\(words(link))")
    }

    private func words(_ link: Link?) -> String {
      if let air = link?.air {
        return "connection with access address \(Names.hex(air.accessAddress)) began before the "
          + "capture, or its start was not received: hark does not know its devices and the parameters "
          + "agreed so far"
      }
      if let link, link.isAfterEnd {
        return
          "\(Link.name(link)) has packets after it was closed: they crossed the disconnection, or the "
          + "start of a new connection is not in the capture"
      }
      if link?.isSetupCut == true {
        return
          "\(Link.name(link)) has packets after the recorder truncated an event that opens a link: its peer and "
          + "parameters are unknown"
      }
      if link?.isAfterReset == true {
        return
          "\(Link.name(link)) was opened after HCI_Reset, which ends all links: the capture does not contain its "
          + "setup, or its handle is wrong"
      }
      if link?.transport == .iso {
        return
          "\(Link.name(link)) was set up before the capture began: its parameters are not in the capture"
      }
      return "\(Link.name(link)) was open before the capture began: "
        + "the capture contains neither its setup nor earlier discovery on it"
    }
  }

  /// The recorder reports the peer of a link that was already open, or that it knows a device.
  public struct DeviceReported: Described {
    public let device: ReportedDevice

    public var kind: EventKind { LinkEvent.kind("device-reported") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", device.handle, .incidental)
      sink.word("reported_transport", device.transport.rawValue)
      sink.address("reported_address", device.address, .parameter)
      sink.text("reported_name", device.name, .parameter)
      let link = LinkEvent.link(event, session)
      sink.sentence(words(link))
    }

    /// `PacketLogger reports LE link 0x0051 to Watch (F0:…): it was open before the capture began`
    private func words(_ link: Link?) -> EventSentence {
      let name: EventSentence = "\(personal: device.name)"
      let who = device.address.map { "\(name) (\(personal: $0))" } ?? name
      guard let handle = device.handle else {
        return """
          PacketLogger lists the \(device.transport.rawValue) device \(who), but no link for \
          it
          """
      }
      let wasOpen = link.map { $0.isReported && $0.wasOpenBefore } ?? false
      return """
        PacketLogger reports \(device.transport.rawValue) link \(Names.hex(handle)) to \(who)\
        \(wasOpen ? ": it was open before the capture began" : "")
        """
    }
  }

  public struct Closed: Described {
    /// Nil if the capture does not show the disconnection.
    public let reason: UInt8?

    public var kind: EventKind { LinkEvent.kind("link-closed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let link = LinkEvent.link(event, session)
      sink.code("reason", reason, "reason_name", "hci.evt.status", .viewpoint)
      sink.flag("by_reset", link?.isClosedByReset == true)
      sink.word(
        "controller_end", link.flatMap { $0.isClosedByReset ? nil : $0.controllerEnd?.rawValue })
      sink.flag("with_acl", link?.endedWithACL == true)
      sink.flag("replaced", link?.isReplaced == true ? true : nil)
      sink.sentence("\(words(link, event, session))")
    }

    private func words(
      _ link: Link?, _ event: Event, _ session: borrowing Session
    ) -> String {
      var text = "\(Link.name(link)) closed"
      if let side = link?.air?.closedBy { text += " by the \(side.rawValue)" }
      if link?.endedWithACL == true { text += " with its ACL connection" }
      text +=
        link?.controllerEnd?.words
        ?? (link?.isReplaced == true
          ? (link?.endedWithACL == true ? "" : " before another link got its handle")
            + ": time and reason not captured"
          : ": \(reason.map { Names.status($0) } ?? "reason not captured")")
      if let duration = link.flatMap({ session.duration(of: $0) }) {
        text += " after \(Names.duration(duration))"
      }
      return text
    }
  }

  /// The controller did not receive all packets of a synchronous link correctly. Core Specification, Vol 4, Part E, 5.4.3
  public struct SoundLost: Described {
    public let losses: Stream.Losses
    /// How many packets the controller gave to the host.
    public let packets: Int

    public var kind: EventKind { LinkEvent.kind("synchronous-lost") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("packets", packets, .incidental)
      sink.number("doubtful", losses.doubtful, .incidental)
      sink.number("not_received", losses.notReceived, .incidental)
      sink.number("partly_lost", losses.partlyLost, .incidental)
      let parts: [(Int, String)] = [
        (losses.notReceived, "not received"), (losses.partlyLost, "partly lost"),
        (losses.doubtful, "possibly invalid"),
      ]
      let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      sink.sentence(
        "\(Link.name(LinkEvent.link(event, session))): of \(Names.count(packets, "packet")), \(words)"
      )
    }
  }

  /// The controller could not disconnect.
  public struct CloseFailed: Described {
    public let status: UInt8

    public var kind: EventKind { LinkEvent.kind("link-close-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("disconnection failed: \(Names.status(status))")
    }
  }

  /// An interface of a USB device carries iAP2.
  public struct USBAccessory: Described {
    /// Whether this follows from its data, because the capture does not have its descriptors.
    public let isInferred: Bool

    public var kind: EventKind { LinkEvent.kind("usb-accessory") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("inferred", isInferred)
      let reason =
        isInferred
        ? "recognized by its data: the capture does not have its descriptors"
        : "on its interface \u{201C}iAP Interface\u{201D}"
      sink.sentence("\(Link.name(LinkEvent.link(event, session))): iAP2, \(reason)")
    }
  }
}
