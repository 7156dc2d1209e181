import HarkCore

/// Records of the Linux Bluetooth monitor that carry no HCI packet. The kernel's hci_mon.h and
/// BlueZ's documentation of the management interface (mgmt-api); integers are little-endian.
struct MonitorRecord: Sendable {
  static let controllerTypes: [UInt64: StaticString] = [0: "Primary", 1: "AMP"]
  static let busTypes: [UInt64: StaticString] = [
    0: "Virtual", 1: "USB", 2: "PC Card", 3: "UART", 4: "RS232", 5: "PCI", 6: "SDIO", 7: "SPI",
    8: "I2C", 9: "SMD", 10: "VIRTIO", 11: "IPC",
  ]
  // syslog(3)
  static let priorities: [UInt64: StaticString] = [
    0: "Emergency", 1: "Alert", 2: "Critical", 3: "Error", 4: "Warning", 5: "Notice", 6: "Info",
    7: "Debug",
  ]
  static let formats: [UInt64: StaticString] = [0: "Raw", 1: "User", 2: "Control"]

  let controllerType = Field("Controller Type", names: controllerTypes)
  let busType = Field("Bus", names: busTypes, inLine: true)
  let address = Field("BD_ADDR", .address, inLine: true)
  /// `hci0`: of an index, not of a device.
  let name = Field("Name", .text, inLine: true)
  let manufacturer = Field(
    "Manufacturer", .hex,
    lookup: { AssignedNumbers.company(UInt16(truncatingIfNeeded: $0)) }, inLine: true)
  let text = Field("Text", .text, inLine: true)
  let priority = Field("Priority", names: priorities, inLine: true)
  let identLength = Field("Ident Length")
  let ident = Field("Ident", .text, inLine: true)
  let cookie = Field("Cookie", .hex)
  let format = Field("Format", names: formats)
  let version = Field("Version")
  let revision = Field("Revision")
  let flags = Field("Flags", .hex, flags: [0: "Trusted socket"])
  let opcode = Field("Opcode", .hex, names: ManagementNames.commands, title: true)
  let event = Field("Event", .hex, names: ManagementNames.events, title: true)
  let parameters = Field("Parameters", .bytes, personal: .opaque)
  let data = Field("Data", .bytes, personal: .opaque)
  let management = ManagementParameters()
  let secret = Secret()

  /// In place of the field of the same name, where keys are among the parameters.
  struct Secret: Sendable {
    let parameters = Field("Parameters", .bytes, secret: true, personal: .opaque)
  }

  static let path: StaticString = "monitor"
  static let specification: StaticString = "the monitor channel of Linux, as btmon writes it"
  static let shared = MonitorRecord()
}

enum MonitorNewIndex: MessageDissector {
  static let name: StaticString = "New Index"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.newIndex)]
  static let fields = MonitorRecord.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout MonitorIndex
  ) throws(Malformed) {
    try pdu.u8(fields.controllerType)
    try pdu.u8(fields.busType)
    message.address = BluetoothAddress(try pdu.address(fields.address))
    message.name = try pdu.bytes(8, fields.name)
  }
}

enum MonitorDeleteIndex: Dissector {
  static let name: StaticString = "Delete Index"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.deleteIndex)]
  static let fields = MonitorRecord.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {}
}

enum MonitorOpenIndex: Dissector {
  static let name: StaticString = "Open Index"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.openIndex)]
  static let fields = MonitorRecord.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {}
}

enum MonitorCloseIndex: Dissector {
  static let name: StaticString = "Close Index"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.closeIndex)]
  static let fields = MonitorRecord.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {}
}

enum MonitorIndexInfo: MessageDissector {
  static let name: StaticString = "Index Information"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.indexInfo)]
  static let fields = MonitorRecord.shared

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout MonitorIndex
  ) throws(Malformed) {
    message.address = BluetoothAddress(try pdu.address(fields.address))
    message.manufacturer = try pdu.u16(fields.manufacturer)
  }
}

enum MonitorVendorDiagnostic: Dissector {
  static let name: StaticString = "Vendor Diagnostic"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.vendorDiagnostic)]
  static let fields = MonitorRecord.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) { pdu.rest(fields.data) }
}

enum MonitorSystemNote: MessageDissector {
  static let name: StaticString = "System Note"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.systemNote)]
  static let fields = MonitorRecord.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout MonitorLog) throws(Malformed) {
    message.text = pdu.rest(fields.text)
  }
}

enum MonitorUserLogging: MessageDissector {
  static let name: StaticString = "User Logging"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.userLogging)]
  static let fields = MonitorRecord.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout MonitorLog) throws(Malformed) {
    try pdu.u8(fields.priority)
    let length = Int(try pdu.u8(fields.identLength))
    message.ident = try pdu.bytes(length, fields.ident)
    message.text = pdu.rest(fields.text)
  }
}

enum MonitorControlOpen: Dissector {
  static let name: StaticString = "Control Open"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.controlOpen)]
  static let fields = MonitorRecord.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u32(fields.cookie)
    try pdu.u16(fields.format)
    try pdu.u8(fields.version)
    try pdu.u16(fields.revision)
    try pdu.u32(fields.flags)
    let length = Int(try pdu.u8(fields.identLength))
    try pdu.bytes(length, fields.ident)
  }
}

enum MonitorControlClose: Dissector {
  static let name: StaticString = "Control Close"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.controlClose)]
  static let fields = MonitorRecord.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u32(fields.cookie)
  }
}

enum MonitorControlCommand: Dissector {
  static let name: StaticString = "Control Command"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.controlCommand)]
  static let fields = MonitorRecord.shared

  static let rows = Rows([ManagementCommands.commands, ManagementCommands.laterCommands])

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u32(fields.cookie)
    let code = try pdu.u16(fields.opcode)
    pdu.facts.code = code
    if let parameters = rows[code]?.parameters {
      try pdu.read(parameters, of: rows)
    } else {
      let isSecret = ManagementNames.commandsWithKeys.contains(code)
      pdu.rest(isSecret ? fields.secret.parameters : fields.parameters)
    }
  }
}

enum MonitorControlEvent: Dissector {
  static let name: StaticString = "Control Event"
  static let path = MonitorRecord.path
  static let specification = MonitorRecord.specification
  static let places: [AttachmentPoint] = [.record(.controlEvent)]
  static let fields = MonitorRecord.shared
  static let rows = Rows([ManagementEvents.events])

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u32(fields.cookie)
    let code = try pdu.u16(fields.event)
    pdu.facts.code = code
    if code == 0x0001 || code == 0x0002 {
      try answer(isComplete: code == 0x0001, &pdu)
    } else if let parameters = rows[code]?.parameters {
      try pdu.read(parameters, of: rows)
    } else {
      let isSecret = ManagementNames.eventsWithKeys.contains(code)
      pdu.rest(isSecret ? fields.secret.parameters : fields.parameters)
    }
  }

  /// Command Complete and Command Status.
  private static func answer(
    isComplete: Bool, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let command = try pdu.u16(fields.management.mgmtCommand)
    let status = try pdu.u8(fields.management.mgmtStatus)
    let commands = MonitorControlCommand.rows
    if isComplete, let returns = commands[command]?.returns {
      // A command that failed may return nothing.
      try pdu.read(returns, of: commands, mayEnd: status != 0)
    } else if pdu.remaining > 0 {
      let isSecret = ManagementNames.commandsWithKeys.contains(command)
      pdu.rest(isSecret ? fields.secret.parameters : fields.parameters)
    }
  }
}
