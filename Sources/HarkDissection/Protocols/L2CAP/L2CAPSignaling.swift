/// L2CAP signaling. Core Specification, Vol 3, Part A, 4.
enum L2CAPSignaling: MessageDissector {
  static let name: StaticString = "L2CAP Signaling"
  static let path: StaticString = "l2cap.signal"
  static let specification: StaticString = "Core Specification, Vol 3, Part A, 4"
  static let places: [AttachmentPoint] = [.channel(0x0001), .channel(0x0005)]

  // 4; 0x0C to 0x11 were removed with AMP in version 5.3
  static let codes: [UInt64: StaticString] = [
    0x01: "L2CAP_COMMAND_REJECT_RSP", 0x02: "L2CAP_CONNECTION_REQ",
    0x03: "L2CAP_CONNECTION_RSP", 0x04: "L2CAP_CONFIGURATION_REQ",
    0x05: "L2CAP_CONFIGURATION_RSP", 0x06: "L2CAP_DISCONNECTION_REQ",
    0x07: "L2CAP_DISCONNECTION_RSP", 0x08: "L2CAP_ECHO_REQ", 0x09: "L2CAP_ECHO_RSP",
    0x0A: "L2CAP_INFORMATION_REQ", 0x0B: "L2CAP_INFORMATION_RSP",
    0x0C: "L2CAP_CREATE_CHANNEL_REQ", 0x0D: "L2CAP_CREATE_CHANNEL_RSP",
    0x0E: "L2CAP_MOVE_CHANNEL_REQ", 0x0F: "L2CAP_MOVE_CHANNEL_RSP",
    0x10: "L2CAP_MOVE_CHANNEL_CONFIRMATION_REQ", 0x11: "L2CAP_MOVE_CHANNEL_CONFIRMATION_RSP",
    0x12: "L2CAP_CONNECTION_PARAMETER_UPDATE_REQ",
    0x13: "L2CAP_CONNECTION_PARAMETER_UPDATE_RSP",
    0x14: "L2CAP_LE_CREDIT_BASED_CONNECTION_REQ",
    0x15: "L2CAP_LE_CREDIT_BASED_CONNECTION_RSP", 0x16: "L2CAP_FLOW_CONTROL_CREDIT_IND",
    0x17: "L2CAP_CREDIT_BASED_CONNECTION_REQ", 0x18: "L2CAP_CREDIT_BASED_CONNECTION_RSP",
    0x19: "L2CAP_CREDIT_BASED_RECONFIGURE_REQ", 0x1A: "L2CAP_CREDIT_BASED_RECONFIGURE_RSP",
  ]
  // 4.1
  static let reasons: [UInt64: StaticString] = [
    0: "Command not understood", 1: "Signaling MTU exceeded", 2: "Invalid CID in request",
  ]
  // 4.3
  static let connectionResults: [UInt64: StaticString] = [
    0: "Connection successful", 1: "Connection pending",
    2: "Connection refused - PSM not supported", 3: "Connection refused - security block",
    4: "Connection refused - no resources available",
    5: "Connection refused - Controller ID not supported",
    6: "Connection refused - invalid Source CID",
    7: "Connection refused - Source CID already allocated",
  ]
  // 4.3
  static let statuses: [UInt64: StaticString] = [
    0: "No further information available", 1: "Authentication pending",
    2: "Authorization pending",
  ]
  // 4.5
  static let configurationResults: [UInt64: StaticString] = [
    0: "Success", 1: "Failure - unacceptable parameters",
    2: "Failure - rejected (no reason provided)", 3: "Failure - unknown options", 4: "Pending",
    5: "Failure - flow spec rejected",
  ]
  // 4.10, 4.11
  static let infoTypes: [UInt64: StaticString] = [
    1: "Connectionless MTU", 2: "Extended Features Supported",
    3: "Fixed Channels Supported over BR/EDR",
  ]
  static let informationResults: [UInt64: StaticString] = [0: "Success", 1: "Not supported"]
  // 4.12
  static let features: [UInt64: StaticString] = [
    0: "Flow control mode", 1: "Retransmission mode", 2: "Bi-directional QoS",
    3: "Enhanced Retransmission mode", 4: "Streaming mode", 5: "FCS Option",
    6: "Extended Flow Specification for BR/EDR", 7: "Fixed Channels",
    8: "Extended Window Size", 9: "Unicast Connectionless Data Reception",
    10: "Enhanced Credit Based Flow Control Mode",
    31: "Reserved for feature mask extension",
  ]
  // 4.13
  static let fixedChannels: [UInt64: StaticString] = [
    1: "L2CAP Signaling channel", 2: "Connectionless reception", 3: "AMP Manager",
    7: "BR/EDR Security Manager", 63: "AMP Test Manager",
  ]
  // 4.17 and 4.18 of version 5.2
  static let moveResults: [UInt64: StaticString] = [
    0: "Move success", 1: "Move pending", 2: "Move refused - Controller ID not supported",
    3: "Move refused - new Controller ID is same as old Controller ID",
    4: "Move refused - configuration not supported", 5: "Move refused - Move Channel collision",
    6: "Move refused - channel not allowed to be moved",
  ]
  static let confirmationResults: [UInt64: StaticString] = [
    0: "Move success - both sides succeed", 1: "Move failure - one or both sides refuse",
  ]
  // 4.21
  static let updateResults: [UInt64: StaticString] = [
    0: "Connection Parameters accepted", 1: "Connection Parameters rejected",
  ]
  // 4.23
  static let creditResults: [UInt64: StaticString] = [
    0x0: "Connection successful", 0x2: "Connection refused - SPSM not supported",
    0x4: "Connection refused - no resources available",
    0x5: "Connection refused - insufficient authentication",
    0x6: "Connection refused - insufficient authorization",
    0x7: "Connection refused - encryption key size too short",
    0x8: "Connection refused - insufficient encryption",
    0x9: "Connection refused - invalid Source CID",
    0xA: "Connection refused - Source CID already allocated",
    0xB: "Connection refused - unacceptable parameters",
  ]
  // 4.26
  static let enhancedResults: [UInt64: StaticString] = [
    0x0: "All connections successful", 0x2: "All connections refused - SPSM not supported",
    0x4: "Some connections refused - insufficient resources available",
    0x5: "All connections refused - insufficient authentication",
    0x6: "All connections refused - insufficient authorization",
    0x7: "All connections refused - encryption key size too short",
    0x8: "All connections refused - insufficient encryption",
    0x9: "Some connections refused - invalid Source CID",
    0xA: "Some connections refused - Source CID already allocated",
    0xB: "All connections refused - unacceptable parameters",
    0xC: "All connections refused - invalid parameters",
    0xD: "All connections pending - no further information available",
    0xE: "All connections pending - authentication pending",
    0xF: "All connections pending - authorization pending",
  ]
  // 4.28
  static let reconfigureResults: [UInt64: StaticString] = [
    0: "Reconfiguration successful",
    1: "Reconfiguration failed - reduction in size of MTU not allowed",
    2: "Reconfiguration failed - reduction in size of MPS not allowed for more than one channel",
    3: "Reconfiguration failed - one or more Destination CIDs invalid",
    4: "Reconfiguration failed - other unacceptable parameters",
  ]

  /// What a Result means depends on the command: one path for all of them.
  struct Result: Sendable {
    let result: Field

    init(_ names: [UInt64: StaticString]) {
      result = Field("Result", .hex, names: names, inLine: true)
    }
  }

  struct Fields: Sendable {
    let command = Field("Command", .list)
    let code = Field("Code", .hex, names: codes, title: true)
    let identifier = Field("Identifier", inLine: true)
    let length = Field("Data Length")
    let reason = Field("Reason", .hex, names: reasons, inLine: true)
    let actualMTU = Field("Actual MTUsig")
    let localCID = Field("Local CID", .hex)
    let remoteCID = Field("Remote CID", .hex)
    let scid = Field("Source CID", .hex, inLine: true)
    let dcid = Field("Destination CID", .hex, inLine: true)
    let connection = Result(connectionResults)
    let status = Field("Status", .hex, names: statuses)
    let flags = Field("Flags", .hex, flags: [0: "Continuation"])
    let configuration = Result(configurationResults)
    let options = L2CAPConfiguration.shared
    let echo = Field("Echo Data", .bytes, personal: .opaque)
    let infoType = Field("InfoType", .hex, names: infoTypes, inLine: true)
    let information = Result(informationResults)
    let connectionlessMTU = Field("Connectionless MTU")
    let features = Field("Extended Feature Mask", .hex, flags: L2CAPSignaling.features)
    let fixedChannels = Field("Fixed Channels", .hex, flags: L2CAPSignaling.fixedChannels)
    let info = Field("Info", .bytes)
    let controllerID = Field("Controller ID")
    let initiatorCID = Field("Initiator CID", .hex, inLine: true)
    let move = Result(moveResults)
    let confirmation = Result(confirmationResults)
    let intervalMin = Field("Interval Min", unit: "1.25 ms", inLine: true)
    let intervalMax = Field("Interval Max", unit: "1.25 ms", inLine: true)
    let latency = Field("Latency", inLine: true)
    let timeout = Field("Timeout", unit: "10 ms", inLine: true)
    let update = Result(updateResults)
    let cid = Field("CID", .hex, inLine: true)
    let mtu = Field("MTU", inLine: true)
    let mps = Field("MPS")
    let credits = Field("Credits", inLine: true)
    let credit = Result(creditResults)
    let enhanced = Result(enhancedResults)
    let reconfigure = Result(reconfigureResults)
    let data = Field("Data", .bytes)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout SignalingFrame
  ) throws(Malformed) {
    repeat {
      var command = SignalingCommand()
      defer { message.append(command) }
      try pdu.group(fields.command) { pdu throws(Malformed) in
        let code = try pdu.u8(fields.code)
        command.code = SignalingCommand.Code(rawValue: code)
        pdu.facts.code = UInt16(code)
        command.identifier = try pdu.u8(fields.identifier)
        if command.identifier == 0 {
          pdu.note(.error, "0x00 is not allowed", over: 1, clause: "Vol 3, Part A, 4")
        }
        let length = Int(try pdu.u16(fields.length))
        try pdu.inside(length, by: fields.length) { pdu throws(Malformed) in
          switch code {
          case 0x01: try reject(&pdu, &command)
          case 0x02...0x07: try connection(code, &pdu, &command)
          case 0x08, 0x09:
            if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, fields.echo) }
          case 0x0A, 0x0B: try information(code, &pdu, &command)
          case 0x0C...0x11: try channelOnAMP(code, &pdu, &command)
          case 0x12, 0x13: try parameterUpdate(code, &pdu, &command)
          case 0x14...0x1A: try creditBased(code, &pdu, &command)
          default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, fields.data) }
          }
        }
      }
    } while pdu.remaining > 0
  }

  private static func result(
    _ result: Result, _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    command.result = try pdu.u16(result.result)
  }

  private static func source(
    _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    command.addSource(try pdu.u16(fields.scid))
  }

  private static func destination(
    _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    command.addDestination(try pdu.u16(fields.dcid))
  }

  /// 4.1
  private static func reject(
    _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    let reason = try pdu.u16(fields.reason)
    command.reason = reason
    switch reason {
    case 1: try pdu.u16(fields.actualMTU)
    case 2:
      try pdu.u16(fields.localCID)
      try pdu.u16(fields.remoteCID)
    default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, fields.data) }
    }
  }

  /// 4.2 to 4.7
  private static func connection(
    _ code: UInt8, _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    switch code {
    case 0x02:
      command.psm = try pdu.u16(L2CAP.fields.psm)
      try source(&pdu, &command)
    case 0x03:
      try destination(&pdu, &command)
      try source(&pdu, &command)
      try result(fields.connection, &pdu, &command)
      try pdu.u16(fields.status)
    case 0x04:
      try destination(&pdu, &command)
      command.isContinued = try pdu.u16(fields.flags) & 1 == 1
      try fields.options.read(&pdu, &command)
    case 0x05:
      try source(&pdu, &command)
      command.isContinued = try pdu.u16(fields.flags) & 1 == 1
      try result(fields.configuration, &pdu, &command)
      if command.configurationResult == .unknownOptions, !L2CAPConfiguration.isList(pdu) {
        try fields.options.types(&pdu)
      } else {
        try fields.options.read(&pdu, &command)
      }
    default:
      try destination(&pdu, &command)
      try source(&pdu, &command)
    }
  }

  /// 4.10 to 4.13
  private static func information(
    _ code: UInt8, _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    let type = try pdu.u16(fields.infoType)
    guard code == 0x0B else { return }
    try result(fields.information, &pdu, &command)
    switch type {
    case _ where pdu.remaining == 0: break
    case 1: try pdu.u16(fields.connectionlessMTU)
    case 2: try pdu.u32(fields.features)
    case 3: try pdu.u64(fields.fixedChannels)
    default: try pdu.bytes(pdu.remaining, fields.info)
    }
  }

  /// 4.14 to 4.19 of version 5.2
  private static func channelOnAMP(
    _ code: UInt8, _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    switch code {
    case 0x0C:
      command.psm = try pdu.u16(L2CAP.fields.psm)
      try source(&pdu, &command)
      try pdu.u8(fields.controllerID)
    case 0x0D:
      try destination(&pdu, &command)
      try source(&pdu, &command)
      try result(fields.connection, &pdu, &command)
      try pdu.u16(fields.status)
    case 0x0E:
      try pdu.u16(fields.initiatorCID)
      try pdu.u8(fields.controllerID)
    case 0x0F:
      try pdu.u16(fields.initiatorCID)
      try result(fields.move, &pdu, &command)
    case 0x10:
      try pdu.u16(fields.initiatorCID)
      try result(fields.confirmation, &pdu, &command)
    default: try pdu.u16(fields.initiatorCID)
    }
  }

  /// 4.20, 4.21
  private static func parameterUpdate(
    _ code: UInt8, _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    guard code == 0x12 else { return try result(fields.update, &pdu, &command) }
    command.parameters.minimum = try pdu.u16(fields.intervalMin)
    command.parameters.maximum = try pdu.u16(fields.intervalMax)
    command.parameters.latency = try pdu.u16(fields.latency)
    command.parameters.timeout = try pdu.u16(fields.timeout)
    pdu.checkTiming(hasRange: true, clause: "Vol 3, Part A, 4.20")
  }

  private static func noteLeast(_ least: UInt16, _ pdu: inout PDU<some Sink>) {
    pdu.note(
      .warning, least == 23 ? "is less than 23" : "is less than 64", over: 2,
      clause: "Vol 3, Part A, 4.22, 4.25, 4.27")
  }

  /// 4.22 to 4.28
  private static func creditBased(
    _ code: UInt8, _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    switch code {
    case 0x16:
      command.cid = try pdu.u16(fields.cid)
      command.credits = try pdu.u16(fields.credits)
      return
    case 0x1A: return try result(fields.reconfigure, &pdu, &command)
    case 0x14:
      command.psm = try pdu.u16(L2CAP.fields.spsm)
      try source(&pdu, &command)
    case 0x15: try destination(&pdu, &command)
    case 0x17: command.psm = try pdu.u16(L2CAP.fields.spsm)
    default: break
    }
    try limits(code, &pdu, &command)
    if code != 0x19 { command.credits = try pdu.u16(fields.credits) }
    if code == 0x15 { try result(fields.credit, &pdu, &command) }
    if code == 0x18 { try result(fields.enhanced, &pdu, &command) }
    guard code >= 0x17 else { return }
    while pdu.remaining > 0 {
      if code == 0x17 { try source(&pdu, &command) } else { try destination(&pdu, &command) }
    }
  }

  /// How long SDUs and frames may be.
  private static func limits(
    _ code: UInt8, _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    command.mtu = try pdu.u16(fields.mtu)
    // What refuses has no limits.
    let hasLimits = code == 0x14 || code == 0x17 || code == 0x19
    let least: UInt16 = code == 0x14 ? 23 : 64
    if hasLimits, command.mtu < least { noteLeast(least, &pdu) }
    command.mps = try pdu.u16(fields.mps)
    if hasLimits, command.mps < least {
      noteLeast(least, &pdu)
    } else if hasLimits, command.mps > 65_533 {
      pdu.note(.warning, "is more than 65533", over: 2, clause: "Vol 3, Part A, 4.22, 4.25, 4.27")
    }
  }
}
