import HarkCore
import HarkSession

/// The texts in what a message says, by its own description.
struct DescribedTexts: EventSink {
  /// The texts of people.
  private(set) var texts: [String] = []
  /// Names that programs gave.
  private(set) var identifiers: [String] = []
  /// Those of devices, as the description writes them: values of their own.
  private let addresses: Set<String>

  init(of content: AccessoryContent) {
    addresses = Set(content.addresses.map { BluetoothAddress(octets: $0).description })
    content.describe(to: &self)
  }

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {
    if case .text(let text) = value(), !addresses.contains(text) { texts.append(text) }
  }

  mutating func identifier(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {
    if let identifier = value() { identifiers.append(identifier) }
  }

  mutating func product(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {}

  mutating func address(_ name: StaticString, _ value: BluetoothAddress?, _ role: EventRole) {}

  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void) { body(&self) }
  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void) { body(&self) }
  mutating func element(_ body: (inout Self) -> Void) { body(&self) }
  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {
    if case .text(let text) = value() { texts.append(text) }
  }

  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {}
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
