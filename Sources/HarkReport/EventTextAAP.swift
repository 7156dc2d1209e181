import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

// The Apple Accessory Protocol, in the words of AudioAccessoryKit where it has some.
extension EventText {
  static func aap(_ content: AAPEvent, _ event: Event, _ session: borrowing Session) -> String {
    switch content {
    case .connect(let major, let minor):
      return "host connects to the accessory by AAP \(major).\(minor)"
    case .connected(let major, let minor, let latency):
      return "accessory accepts AAP \(major).\(minor)"
        + (latency.map { " after \(Names.duration($0))" } ?? "")
    case .connectFailed(let status):
      return "accessory refuses the connection: status \(Names.hex(status))"
    case .connectUnanswered:
      return "AAP connect request was not answered; until it is, the accessory answers nothing "
        + "else"
    case .disconnected(let status): return "AAP disconnected, status \(Names.hex(status))"
    case .recognized(let cid):
      return "AAP on CID \(Names.hex(cid)), by the shape of its messages: the capture does not "
        + "have the channel's beginning"
    case .battery(let batteries):
      return "battery: " + batteries.map(battery).joined(separator: ", ")
    case .advertisedBattery(let plaintext): return advertised(plaintext)
    case .accessoryControl(let control, let cause):
      let who = addresses(of: event, session)
      return ([self.cause(cause, who)] + configuration(control, cause, who))
        .joined(separator: "; ")
    case .audioSourceNotCleared(let host):
      return "audio source not cleared: the accessory still names "
        + "\(name(host, addresses(of: event, session))), which it says is not connected"
    case .setting(let setting): return self.setting(setting)
    case .smartRouting(let peer, let isRelayed, let object):
      let peer = name(peer, addresses(of: event, session))
      return (isRelayed ? "smart routing relayed from \(peer): " : "smart routing to \(peer): ")
        + (object.map(opack) ?? "what it says cannot be read")
    default: return aapOther(content)
    }
  }

  private static func aapOther(_ content: AAPEvent) -> String {
    switch content {
    case .information(let name, let model, let firmware):
      "accessory is “\(name)”, model \(model), firmware \(firmware)"
    case .renamed(let name): "host renames the accessory to “\(name)”"
    case .notificationsRequested(let mask):
      "host asks for notifications, mask \(Hex.text(mask))"
    case .featuresRequested(let flags):
      "host sets feature flags 0x\(String(flags, radix: 16))"
    case .featuresAcknowledged: "accessory acknowledges the feature flags"
    case .hostCapabilities(let mask):
      "host tells its capabilities, which lets it set equalizers: mask \(Hex.text(mask))"
    case .accommodation(let phone, let media):
      "headphone accommodation: phone \(Names.of(phone, "aap.phone") ?? "\(phone)"), "
        + "media \(Names.of(media, "aap.media") ?? "\(media)")"
    case .equalizer(let size): "custom EQ of \(Names.count(size, "byte"))"
    case .keysRequested(let keys):
      "host asks for proximity keys: "
        + [(UInt16(1), "IRK"), (4, "Encryption Key")].filter { keys & $0.0 != 0 }.map(\.1)
        .joined(separator: " and ")
    case .stemPress(let press, let bud):
      "\(Names.of(press, "aap.press") ?? "press \(press)") of the stem, "
        + (Names.of(bud, "aap.bud") ?? "bud \(bud)")
    case .conversation(let level): "conversational awareness: volume level \(level)"
    case .customMessages(let client, let count):
      "\(Names.count(count, "custom message")) of "
        + (Names.of(client, "aap.client") ?? "client 0x\(String(client, radix: 16))")
    default: ""
    }
  }

  private static func battery(_ battery: AAPEvent.Battery) -> String {
    let name =
      Names.of(battery.component, "aap.component")?.lowercased()
      ?? "component \(battery.component)"
    guard battery.level != 0xFF else { return "\(name) absent" }
    return "\(name) \(battery.level) %, "
      + (Names.of(battery.status, "aap.charging") ?? "status \(battery.status)")
  }

  private static func advertised(_ plaintext: ProximityPlaintext) -> String {
    let batteries = [
      ("first bud", plaintext.buds[0]), ("second bud", plaintext.buds[1]), ("case", plaintext.box),
    ].map { name, battery in
      battery.level.map { "\(name) \($0) %" + (battery.isCharging ? ", charging" : "") }
        ?? "\(name) absent"
    }
    return "advertises battery: \(batteries.joined(separator: ", ")); decrypted with proximity "
      + "pairing key \(plaintext.key)"
  }

  // MARK: Configuration

  /// The addresses of the host that the capture was made on.
  private static func addresses(of event: Event, _ session: borrowing Session) -> UInt64? {
    event.controller.flatMap { session.controllers[$0]?.address?.value }
  }

  private static func name(_ host: BluetoothAddress, _ own: UInt64?) -> String {
    "\(host)" + (host.value == own ? " (this host)" : "")
  }

  private static func cause(_ cause: AAPEvent.Cause, _ own: UInt64?) -> String {
    switch cause {
    case .ears(let primary, let secondary):
      "primary \(Names.of(primary, "aap.primary") ?? "\(primary)"), "
        + "secondary \(Names.of(secondary, "aap.secondary") ?? "\(secondary)")"
    case .audioSource(let host, 0): "no audio source, last \(name(host, own))"
    case .audioSource(let host, let type):
      "audio source \(name(host, own)), \(Names.of(type, "aap.source") ?? "type \(type)")"
    case .connection(let host, let state, let type):
      "host \(name(host, own)) \(state == 1 ? "connected" : "not connected"), "
        + (Names.of(type, "aap.connectionType") ?? "type \(type)")
    case .hosts(let hosts):
      "hosts: "
        + hosts.map { host in
          "\(name(host.address, own)) "
            + (Names.of(host.link, "aap.linkState") ?? "link \(host.link)")
        }.joined(separator: ", ")
    }
  }

  /// What Apple's API would be told.
  private static func configuration(
    _ control: AccessoryControlDevice.Event, _ cause: AAPEvent.Cause, _ own: UInt64?
  ) -> [String] {
    switch control {
    case .failed(let error): return ["error \(error.rawValue)"]
    case .register(let configuration), .update(let configuration):
      if case .ears = cause {
        return configuration.devicePlacement.map { ["devicePlacement \($0.rawValue)"] } ?? []
      }
      func source(_ name: String, _ octets: [UInt8]?) -> String {
        let address = octets.map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return "\(name) " + (address.map { self.name(BluetoothAddress($0), own) } ?? "nil")
      }
      return [
        source("primaryAudioSource", configuration.primaryAudioSourceDeviceIdentifier),
        source("secondaryAudioSource", configuration.secondaryAudioSourceDeviceIdentifier),
      ]
    }
  }

  // MARK: Settings, smart routing

  private static func setting(_ setting: AAPEvent.Setting) -> String {
    let name =
      AAPNames.setting(setting.identifier) ?? "setting \(Names.hex(setting.identifier))"
    func value(_ value: UInt8) -> String { AAPNames.value(value, of: setting.identifier) }
    switch setting.step {
    case .set: return "host sets \(name) to \(value(setting.value))"
    case .confirmed(let latency):
      return "accessory has set \(name) to \(value(setting.value)) after \(Names.duration(latency))"
    case .overruled(let asked):
      return "accessory has \(name) at \(value(setting.value)); the host set \(value(asked))"
    case .reported(let before):
      return "\(name) is \(value(setting.value))" + (before.map { ", was \(value($0))" } ?? "")
    }
  }

  /// `reason “Hijackv2”, localscore 100`. One level deep: what is inside is counted.
  private static func opack(_ value: OPACKValue) -> String {
    guard case .dictionary(let entries) = value else { return scalar(value) }
    return entries.prefix(16).map { entry in
      let key = if case .string(let name) = entry.key { name } else { scalar(entry.key) }
      return "\(key) \(scalar(entry.value))"
    }.joined(separator: ", ") + (entries.count > 16 ? " …" : "")
  }

  static func scalar(_ value: OPACKValue) -> String {
    switch value {
    case .null: "null"
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)"
    case .string(let text): "“\(text)”"
    case .data(let bytes): Names.count(bytes.count, "byte")
    case .uuid(let uuid): "\(uuid)"
    case .absoluteTime: "a time"
    case .array(let items): "(\(Names.count(items.count, "item")))"
    case .dictionary(let entries): "(\(Names.count(entries.count, "entry", "entries")))"
    }
  }
}
