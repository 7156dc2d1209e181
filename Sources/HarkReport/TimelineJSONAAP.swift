import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

// The values of events of the Apple Accessory Protocol.
extension TimelineJSON {
  static func aap(_ event: AAPEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .connect(let major, let minor):
      json.string("version", "\(major).\(minor)")
      return "aap-connect"
    case .connected(let major, let minor, let latency):
      json.string("version", "\(major).\(minor)")
      json.seconds("latency", latency)
      return "aap-connected"
    case .connectFailed(let status):
      json.number("status", status)
      return "aap-refused"
    case .connectUnanswered: return "aap-unanswered"
    case .disconnected(let status):
      json.number("status", status)
      return "aap-disconnected"
    case .recognized(let cid):
      json.number("cid", cid)
      return "aap-recognized"
    case .battery(let batteries):
      json.objects("batteries", batteries) { battery, json in
        json.code("component", battery.component, "component_name", "aap.component")
        json.number("level", battery.level == 0xFF ? nil : battery.level)
        json.code("status", battery.status, "status_name", "aap.charging")
      }
      return "battery"
    case .advertisedBattery(let plaintext):
      json.string("key", "\(plaintext.key)")
      json.array("buds") { json in
        for bud in plaintext.buds { json.object { advertised(bud, to: &$0) } }
      }
      json.object("case") { advertised(plaintext.box, to: &$0) }
      return "advertised-battery"
    case .accessoryControl(let control, let cause):
      configuration(control, to: &json)
      self.cause(cause, to: &json)
      return "configuration"
    case .audioSourceNotCleared(let host):
      json.described("host", host)
      return "audio-source-not-cleared"
    default: return message(event, to: &json)
    }
  }

  private static func advertised(
    _ battery: ProximityPlaintext.Battery, to json: inout JSONText
  ) {
    json.number("level", battery.level)
    json.flag("charging", battery.isCharging)
  }

  private static func message(_ event: AAPEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .setting(let setting): return self.setting(setting, to: &json)
    case .smartRouting(let peer, let isRelayed, let object):
      json.described("host", peer)
      json.flag("is_relayed", isRelayed)
      if case .dictionary(let entries) = object {
        json.objects("entries", entries) { entry, json in
          if case .string(let key) = entry.key { json.string("key", key) }
          json.string("value", EventText.scalar(entry.value))
        }
      }
      return "smart-routing"
    case .information(let name, let model, let firmware):
      json.string("name", name)
      json.string("model", model)
      json.string("firmware", firmware)
      return "accessory-information"
    case .renamed(let name):
      json.string("name", name)
      return "accessory-renamed"
    case .notificationsRequested(let mask):
      json.hex("mask", mask)
      return "aap-notifications-requested"
    case .featuresRequested(let flags):
      json.string("flags", "0x" + String(flags, radix: 16))
      return "aap-features-requested"
    case .featuresAcknowledged: return "aap-features-acknowledged"
    case .hostCapabilities(let mask):
      json.hex("mask", mask)
      return "aap-host-capabilities"
    case .accommodation(let phone, let media):
      json.code("phone", phone, "phone_name", "aap.phone")
      json.code("media", media, "media_name", "aap.media")
      return "headphone-accommodation"
    case .equalizer(let size):
      json.number("size", size)
      return "custom-equalizer"
    case .keysRequested(let keys):
      json.number("keys", keys)
      return "proximity-keys-requested"
    case .stemPress(let press, let bud):
      json.code("press", press, "press_name", "aap.press")
      json.code("bud", bud, "bud_name", "aap.bud")
      return "stem-press"
    case .conversation(let level):
      json.number("level", level)
      return "conversational-awareness"
    case .customMessages(let client, let count):
      json.code("client", client, "client_name", "aap.client")
      json.number("count", count)
      return "custom-messages"
    default: return "unknown"
    }
  }

  private static func setting(
    _ setting: AAPEvent.Setting, to json: inout JSONText
  ) -> StaticString {
    json.number("identifier", setting.identifier)
    json.string("name", AAPNames.setting(setting.identifier))
    json.number("value", setting.value)
    json.string("value_name", AAPNames.value(setting.value, of: setting.identifier))
    switch setting.step {
    case .set: return "setting-set"
    case .confirmed(let latency):
      json.seconds("latency", latency)
      return "setting-confirmed"
    case .overruled(let asked):
      json.number("asked", asked)
      return "setting-overruled"
    case .reported(let before):
      json.number("before", before)
      return "setting-reported"
    }
  }

  static func configuration(
    _ control: AccessoryControlDevice.Event, to json: inout JSONText
  ) {
    switch control {
    case .failed(let error): json.string("error", error.rawValue)
    case .register(let configuration), .update(let configuration):
      if case .register = control { json.flag("is_first", true) }
      json.array("device_capabilities") { json in
        for capability in AccessoryControlDevice.Capability.allCases
        where configuration.deviceCapabilities.contains(capability) {
          json.element(capability.rawValue)
        }
      }
      json.string("device_placement", configuration.devicePlacement?.rawValue)
      json.string(
        "primary_audio_source",
        EventText.source(configuration.primaryAudioSourceDeviceIdentifier))
      json.string(
        "secondary_audio_source",
        EventText.source(configuration.secondaryAudioSourceDeviceIdentifier))
      json.string("spatial_extension_description", configuration.spatialExtensionDescription)
    }
  }

  private static func cause(_ cause: AAPEvent.Cause, to json: inout JSONText) {
    switch cause {
    case .ears(let primary, let secondary):
      json.code("primary", primary, "primary_name", "aap.primary")
      json.code("secondary", secondary, "secondary_name", "aap.secondary")
    case .audioSource(let host, let type):
      json.described("host", host)
      json.code("audio", type, "audio_name", "aap.source")
    case .connection(let host, let state, let type):
      json.described("host", host)
      json.code("connection_state", state, "connection_state_name", "aap.connectionState")
      json.code("connection_type", type, "connection_type_name", "aap.connectionType")
    case .hosts(let hosts):
      json.objects("hosts", hosts) { host, json in
        json.described("address", host.address)
        json.code("link", host.link, "link_name", "aap.linkState")
      }
    }
  }
}
