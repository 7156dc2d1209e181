import HarkCore

/// Bluetooth Mesh. Mesh Protocol 1.1.
public enum MeshEvent: Sendable {
  case unprovisioned(Unprovisioned)
  case linkOpened(LinkOpened)
  case step(Step)
  case incomplete(Incomplete)
  case linkClosed(LinkClosed)
  case network(Network)

  var described: any Described {
    switch self {
    case .unprovisioned(let event): event
    case .linkOpened(let event): event
    case .step(let event): event
    case .incomplete(let event): event
    case .linkClosed(let event): event
    case .network(let event): event
    }
  }
}

extension MeshEvent {
  /// A link of PB-ADV between a provisioner and a device. 5.3.2
  public struct Bearer: Sendable {
    /// The Link ID.
    public let link: UInt32
    /// The Device UUID; nil if Link Open is not in the capture.
    public let device: BluetoothUUID?

    fileprivate func describe(to sink: inout some EventSink) {
      sink.number("link_id", link, .incidental)
      sink.text("device_uuid", device?.description)
    }

    /// `; device 70CF7C97-32A3-45B6-9149-4810D2E9CBF4`, or the link if the device is unknown.
    fileprivate var words: EventSentence {
      device.map { "; device \(personal: $0)" } ?? "; link \(personal: Names.hex(link))"
    }

    /// ` to device 70CF7C97-32A3-45B6-9149-4810D2E9CBF4`
    fileprivate var end: EventSentence {
      device.map { " to device \(personal: $0)" } ?? " \(personal: Names.hex(link))"
    }
  }

  /// `Provisioning Public Key from the device`
  private static func name(_ type: UInt8?, isFromDevice: Bool) -> String {
    let name =
      type.map {
        Names.of($0, "mesh.pduType") ?? "Provisioning PDU of type \(Names.hex($0))"
      } ?? "Provisioning PDU"
    return "\(name) from the \(isFromDevice ? "device" : "provisioner")"
  }

  /// A device that can be provisioned, when its beacon is first received. 3.10.2
  public struct Unprovisioned: Described {
    /// Its Device UUID.
    public let device: BluetoothUUID

    public var kind: EventKind { EventKind("mesh-unprovisioned", .pairing, .mesh) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.text("device_uuid", device.description)
      sink.sentence("Mesh: device \(personal: device) can be provisioned")
    }
  }

  /// A provisioner and a device opened a link of PB-ADV. 5.3.2
  public struct LinkOpened: Described {
    public let bearer: Bearer

    public var kind: EventKind { EventKind("mesh-link-opened", .pairing, .mesh) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      bearer.describe(to: &sink)
      sink.sentence("Mesh: provisioning link" + bearer.end + " opened")
    }
  }

  /// A provisioning PDU. 5.4
  public struct Step: Described {
    public let type: UInt8
    /// The Authentication Method of Provisioning Start.
    public let method: UInt8?
    /// The Error Code of Provisioning Failed.
    public let error: UInt8?
    /// Whether the device that is provisioned sent it, not the provisioner.
    public let isFromDevice: Bool
    /// Nil over PB-GATT.
    public var bearer: Bearer?

    public var kind: EventKind { EventKind("mesh-provisioning", .pairing, .mesh) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("type", type, "type_name", "mesh.pduType", .identity)
      sink.flag("by_device", isFromDevice, .identity)
      sink.code("method", method, "method_name", "mesh.method")
      sink.code("error", error, "error_name", "mesh.error")
      bearer?.describe(to: &sink)
      let name = MeshEvent.name(type, isFromDevice: isFromDevice)
      let method = method.map { ", \(Names.of($0, "mesh.method") ?? "method \($0)")" } ?? ""
      let error = error.map { ": \(Names.named($0, "mesh.error"))" } ?? ""
      sink.sentence("Mesh: \(name)\(method)\(error)" + (bearer?.words ?? ""))
    }
  }

  /// A provisioning PDU of which segments are not in the capture, or whose FCS is wrong. 5.3.1
  public struct Incomplete: Described {
    /// Nil without the first segment.
    public let type: UInt8?
    public let isFromDevice: Bool
    public let received: Int
    /// How many segments it has; nil without the first one.
    public let segments: Int?
    public let hasWrongFCS: Bool
    public let bearer: Bearer

    public var kind: EventKind { EventKind("mesh-pdu-incomplete", .pairing, .mesh) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("type", type, "type_name", "mesh.pduType", .identity)
      sink.flag("by_device", isFromDevice, .identity)
      sink.number("received", received)
      sink.number("segments", segments)
      sink.flag("wrong_fcs", hasWrongFCS ? true : nil)
      bearer.describe(to: &sink)
      let name = MeshEvent.name(type, isFromDevice: isFromDevice)
      let rest =
        hasWrongFCS
        ? "has a wrong FCS"
        : "incomplete: \(received) of \(segments.map { "\($0)" } ?? "an unknown number of") segments"
      sink.sentence("Mesh: \(name) \(rest)" + bearer.words)
    }
  }

  /// A side closed a link of PB-ADV. 5.3.1.4.3
  public struct LinkClosed: Described {
    public let bearer: Bearer
    public let reason: UInt8

    public var kind: EventKind { EventKind("mesh-link-closed", .pairing, .mesh) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      bearer.describe(to: &sink)
      sink.code("reason", reason, "reason_name", "mesh.reason")
      let name = Names.of(reason, "mesh.reason") ?? "reason \(reason)"
      sink.sentence("Mesh: provisioning link" + bearer.end + " closed: \(name)")
    }
  }

  /// The first packet that shows a network. 3.4.4, 3.10.3, 3.10.4
  public struct Network: Described {
    public enum Sign: Hashable, Sendable {
      /// Encrypted network PDUs with this NID.
      case pdus(nid: UInt8)
      /// A Secure Network beacon with this Network ID.
      case beacon(network: UInt64)
      case privateBeacon
    }

    public let sign: Sign

    public var kind: EventKind { EventKind("mesh-network", .link, .mesh) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      switch sign {
      case .pdus(let nid):
        sink.number("nid", nid, .incidental)
        sink.sentence("Mesh: encrypted network PDUs with NID \(Names.hex(nid))")
      case .beacon(let network):
        let id = Names.hex16(network)
        sink.text("network_id", id)
        sink.sentence("Mesh: Secure Network beacon of network \(personal: id)")
      case .privateBeacon: sink.sentence("Mesh: Mesh Private beacon of a network")
      }
    }
  }
}
