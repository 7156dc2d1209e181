import HarkCore
import HarkDissection
import HarkSession

/// What one capture adds to a summary of many: made where the capture is read, taken where all are summed up.
public struct CaptureDigest: Sendable {
  public struct Device: Sendable, Equatable {
    /// Nil if the capture shows only its link.
    public let address: String?
    public let firmware: String?
  }

  public struct Finding: Sendable, Equatable {
    public let rule: String
    public let severity: String
    /// The address of its device; nil if it has none.
    public let address: String?
    /// The number of its link.
    public let link: Int?
    public let firmware: String?

    package init(rule: String, severity: String, address: String?, link: Int?, firmware: String?) {
      (self.rule, self.severity, self.address) = (rule, severity, address)
      (self.link, self.firmware) = (link, firmware)
    }
  }

  public var packets = 0
  /// In nanoseconds.
  public var duration: Int64 = 0
  /// Those that were connected.
  public var devices: [Device] = []
  public var findings: [Finding] = []
  /// Whether the capture is truncated or damaged.
  public var isDamaged = false

  /// - Parameter session: After the end of the capture.
  public init(_ session: borrowing Session, _ firmware: FirmwareVersions) {
    packets = session.packets.count
    duration = session.counts.duration ?? 0
    var connected: Set<DeviceID> = []
    for link in session.links {
      if let device = session.device(of: link.id) { connected.insert(device) }
    }
    for device in session.devices where connected.contains(device.id) && device.mergedInto == nil {
      devices.append(
        Device(
          address: device.address.description, firmware: firmware.version(of: device.id, session)))
    }
    for link in session.links where link.device == nil {
      guard let version = firmware.version(ofPeerOn: link.id, session) else { continue }
      devices.append(Device(address: nil, firmware: version))
    }
  }

  package mutating func add(_ finding: Finding) { findings.append(finding) }

  // MARK: Between processes

  public var bytes: [UInt8] {
    var json = JSONText()
    json.object { json in
      json.number("packets", packets)
      json.number("duration", duration)
      json.flag("damaged", isDamaged)
      json.objects("devices", devices) { device, json in
        json.string("address", device.address)
        json.string("firmware", device.firmware)
      }
      json.objects("findings", findings) { finding, json in
        json.string("rule", finding.rule)
        json.string("severity", finding.severity)
        json.string("address", finding.address)
        json.number("link", finding.link)
        json.string("firmware", finding.firmware)
      }
    }
    return json.text.bytes
  }

  /// Nil for what `bytes` has not made.
  public init?(_ bytes: [UInt8]) {
    let limits = JSONParser.Limits(levels: 8, values: 1 << 20, takesDuplicates: true)
    guard let root = try? JSONParser.read(bytes, in: 0..<bytes.count, limits),
      let packets: Int = root["packets"]?.number(in: bytes),
      let duration: Int64 = root["duration"]?.number(in: bytes),
      case .bool(let isDamaged)? = root["damaged"]?.value,
      case .array(let devices)? = root["devices"]?.value,
      case .array(let findings)? = root["findings"]?.value
    else { return nil }
    (self.packets, self.duration, self.isDamaged) = (packets, duration, isDamaged)
    self.devices = devices.map {
      Device(
        address: $0["address"]?.text(in: bytes), firmware: $0["firmware"]?.text(in: bytes))
    }
    self.findings = findings.map {
      Finding(
        rule: $0["rule"]?.text(in: bytes) ?? "", severity: $0["severity"]?.text(in: bytes) ?? "",
        address: $0["address"]?.text(in: bytes), link: $0["link"]?.number(in: bytes),
        firmware: $0["firmware"]?.text(in: bytes))
    }
  }
}

/// What a device says about its make: in Device Information, in iAP2's identification, over AAP.
public struct DeviceMake: Sendable, Equatable {
  public internal(set) var manufacturer: String?
  public internal(set) var model: String?
  public internal(set) var hardware: String?
  public internal(set) var firmware: String?
  public internal(set) var software: String?
}

/// The firmware versions that devices say they have, and what else they say about their make.
public struct FirmwareVersions: Sendable {
  private var ofDevices: [DeviceID: DeviceMake] = [:]
  /// Of links whose peer was unknown at the time, because they were open before the capture began.
  private var ofLinks: [LinkID: DeviceMake] = [:]

  public init() {}

  public func version(of device: DeviceID, _ session: borrowing Session) -> String? {
    make(of: device, session).firmware
  }

  public func version(ofPeerOn link: LinkID, _ session: borrowing Session) -> String? {
    make(ofPeerOn: link, session).firmware
  }

  /// What a device says on its links, also on those that only turned out later to lead to it.
  public func make(of device: DeviceID, _ session: borrowing Session) -> DeviceMake {
    var make = ofDevices[device] ?? DeviceMake()
    guard !ofLinks.isEmpty else { return make }
    for link in ofLinks.keys.sorted(by: { $0.index < $1.index })
    where session.device(of: link) == device {
      if let other = ofLinks[link] { make.complete(with: other) }
    }
    return make
  }

  /// What the device on a link says, whether or not the capture shows which one it is.
  public func make(ofPeerOn link: LinkID, _ session: borrowing Session) -> DeviceMake {
    session.device(of: link).map { make(of: $0, session) } ?? ofLinks[link] ?? DeviceMake()
  }

  public mutating func take(_ session: borrowing Session) {
    for event in session.events { take(event) }
  }

  public mutating func take(_ event: Event) {
    switch event.content {
    case .attribute(.value(let value)) where !value.isLocal:
      guard let path = DeviceMake.path(value.uuid.flatMap { AttributeType($0) }) else { return }
      let text = String(spelling: value.bytes.prefix { $0 != 0 })
      change(event) { $0[keyPath: path] = text }
    case .accessoryProtocol(.information(let it)): change(event) { $0.take(it) }
    case .iap2(.identification(let it)): change(event) { $0.take(it.identification) }
    default: return
    }
  }

  private mutating func change(_ event: Event, _ body: (inout DeviceMake) -> Void) {
    if let device = event.device {
      body(&ofDevices[device, default: DeviceMake()])
    } else if let link = event.link {
      body(&ofLinks[link, default: DeviceMake()])
    }
  }
}

extension DeviceMake {
  /// What a characteristic of Device Information says. Assigned Numbers, 3.8.1
  fileprivate static func path(_ type: AttributeType?) -> WritableKeyPath<DeviceMake, String?>? {
    switch type {
    case .manufacturerNameString: \.manufacturer
    case .modelNumberString: \.model
    case .hardwareRevisionString: \.hardware
    case .firmwareRevisionString: \.firmware
    case .softwareRevisionString: \.software
    default: nil
    }
  }

  fileprivate mutating func take(_ information: AAPEvent.Information) {
    (model, firmware) = (information.model, information.firmware)
  }

  fileprivate mutating func complete(with other: DeviceMake) {
    manufacturer = manufacturer ?? other.manufacturer
    model = model ?? other.model
    hardware = hardware ?? other.hardware
    firmware = firmware ?? other.firmware
    software = software ?? other.software
  }

  /// What an identification lacks stays as it was.
  fileprivate mutating func take(_ identification: IAP2Identification) {
    manufacturer = identification.manufacturer ?? manufacturer
    model = identification.modelIdentifier ?? model
    hardware = identification.hardwareVersion ?? hardware
    firmware = identification.firmwareVersion ?? firmware
  }
}
