import HarkCore
import HarkSession

extension AccessoryContent {
  /// What people wrote, in it.
  var personalTexts: [String] {
    switch self {
    case .add(let notification), .update(let notification), .present(let notification):
      return [
        notification.title, notification.subtitle, notification.body, notification.summary,
      ].compactMap { $0 }
    case .response(let response): return [response.userText].compactMap { $0 }
    case .refused(let content, _, _): return content.personalTexts
    case .liveActivity(let activity, _): return [activity.title, activity.body].compactMap { $0 }
    case .greeting(let greeting): return [greeting.name, greeting.identifier].compactMap { $0 }
    case .failure(let failure): return [failure.message].compactMap { $0 }
    case .networkSharing(.network(let network)): return [network.ssid]
    case .remove, .removeAllNotifications, .clear, .displayed, .commandResult, .application,
      .request, .media, .configuration, .externalAccessory, .transport, .security,
      .networkSharing(.failed):
      return []
    }
  }
}

extension AccessoryContent {
  /// Bluetooth addresses of devices that play through an accessory, in it.
  var addresses: [[UInt8]] {
    switch self {
    case .configuration(let report):
      [
        report.change.primaryAudioSourceDeviceIdentifier.value,
        report.change.secondaryAudioSourceDeviceIdentifier.value,
      ].compactMap { $0 }.filter { $0.count == 6 }
    case .refused(let content, _, _): content.addresses
    case .add, .update, .present, .remove, .removeAllNotifications, .response, .clear, .displayed,
      .commandResult, .application, .request, .media, .externalAccessory, .transport, .security,
      .networkSharing, .liveActivity, .greeting, .failure:
      []
    }
  }
}

extension PacketKind {
  /// Whether it is what somebody's program says about itself.
  var isText: Bool {
    switch self {
    case .systemNote, .userLogging, .note, .config, .newController, .systemLog, .kernelLog, .error,
      .power:
      true
    case .command, .acl, .sco, .event, .iso, .newIndex, .deleteIndex, .openIndex, .closeIndex,
      .indexInfo, .vendorDiagnostic, .controlOpen, .controlClose, .controlCommand, .controlEvent,
      .lmp, .packetLogger, .threeWire, .bcsp, .leLinkLayer, .leRadio, .nordicBLE, .ppi,
      .basebandRadio, .ethernet, .linuxCooked, .linuxCooked2, .rawIP, .loopback, .usbAccessory,
      .h4, .other:
      false
    }
  }
}
