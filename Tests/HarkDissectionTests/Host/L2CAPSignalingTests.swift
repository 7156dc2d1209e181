import HarkCore
import Testing

@testable import HarkDissection

@Suite struct L2CAPSignalingTests {
  static let vectors = [
    Vector(
      "Vol 3, Part A, 4.1: Command not understood", .channel(1), "01 02 02 00 00 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_COMMAND_REJECT_RSP (0x01)",
        "    Identifier: 2", "    Data Length: 2", "    Reason: Command not understood (0x0000)",
      ]),
    Vector(
      "Vol 3, Part A, 4.1: Signaling MTU exceeded", .channel(1), "01 02 04 00 01 00 30 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_COMMAND_REJECT_RSP (0x01)",
        "    Identifier: 2", "    Data Length: 4", "    Reason: Signaling MTU exceeded (0x0001)",
        "    Actual MTUsig: 48",
      ]),
    Vector(
      "Vol 3, Part A, 4.1: Invalid CID in request", .channel(5), "01 02 06 00 02 00 40 00 41 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_COMMAND_REJECT_RSP (0x01)",
        "    Identifier: 2", "    Data Length: 6", "    Reason: Invalid CID in request (0x0002)",
        "    Local CID: 0x0040", "    Remote CID: 0x0041",
      ]),
    Vector(
      "Vol 3, Part A, 4.2", .channel(1), "02 03 04 00 19 00 41 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONNECTION_REQ (0x02)",
        "    Identifier: 3", "    Data Length: 4", "    PSM: AVDTP (0x0019)",
        "    Source CID: 0x0041",
      ]),
    Vector(
      "Vol 3, Part A, 4.2 with Assigned Numbers, 2.5: PSMs that devices hand out", .channel(1),
      "02 03 04 00 01 10 41 00 02 04 04 00 03 10 42 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONNECTION_REQ (0x02)",
        "    Identifier: 3", "    Data Length: 4",
        "    PSM: dynamic (0x1001)", "    Source CID: 0x0041",
        "  Command", "    Code: L2CAP_CONNECTION_REQ (0x02)", "    Identifier: 4",
        "    Data Length: 4", "    PSM: dynamic (0x1003)", "    Source CID: 0x0042",
      ]),
    Vector(
      "Vol 3, Part A, 4.3", .channel(1), "03 03 08 00 40 00 41 00 01 00 02 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONNECTION_RSP (0x03)",
        "    Identifier: 3", "    Data Length: 8", "    Destination CID: 0x0040",
        "    Source CID: 0x0041", "    Result: Connection pending (0x0001)",
        "    Status: Authorization pending (0x0002)",
      ]),
    Vector(
      "Vol 3, Part A, 4.4 with 5.1, 5.2, 5.5, 5.7 and a hint that is not known", .channel(1),
      "04 04 16 00 41 00 00 00 01 02 a0 02 82 02 ff ff 05 01 00 07 02 3f 00 88 01 aa",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONFIGURATION_REQ (0x04)",
        "    Identifier: 4", "    Data Length: 22", "    Destination CID: 0x0041",
        "    Flags: 0x0000", "    Option",
        "      Option Type: Maximum Transmission Unit (MTU) (0x01)",
        "      Hint: must be recognized (0)", "      Option Length: 2", "      MTU: 672",
        "    Option", "      Option Type: Flush Timeout (0x02)", "      Hint: hint (1)",
        "      Option Length: 2", "      Flush Timeout: retransmissions without end (65535)",
        "    Option",
        "      Option Type: Frame Check Sequence (FCS) (0x05)",
        "      Hint: must be recognized (0)", "      Option Length: 1",
        "      FCS Type: No FCS (0)", "    Option",
        "      Option Type: Extended Window Size (0x07)", "      Hint: must be recognized (0)",
        "      Option Length: 2", "      Max Window Size: 63", "    Option",
        "      Option Type: Unknown (0x08)", "      Hint: hint (1)", "      Option Length: 1",
        "      Option Data: aa",
      ]),
    Vector(
      "Vol 3, Part A, 4.4 with 5.3", .channel(1),
      """
      04 05 1c 00 41 00 01 00 03 16 00 01 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff \
      ff ff ff ff
      """,
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONFIGURATION_REQ (0x04)",
        "    Identifier: 5", "    Data Length: 28", "    Destination CID: 0x0041",
        "    Flags: 0x0001: Continuation", "    Option",
        "      Option Type: Quality of Service (QoS) (0x03)", "      Hint: must be recognized (0)",
        "      Option Length: 22", "      Flags: 0x00", "      Service Type: Best effort (1)",
        "      Token Rate: 0 octets/s", "      Token Bucket Size: 0 octets",
        "      Peak Bandwidth: 0 octets/s", "      Access Latency: 4294967295 µs",
        "      Delay Variation: 4294967295 µs",
      ]),
    Vector(
      "Vol 3, Part A, 4.5 with 5.4", .channel(1),
      "05 04 11 00 41 00 00 00 00 00 04 09 03 08 04 d0 07 e0 2e f2 03",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONFIGURATION_RSP (0x05)",
        "    Identifier: 4", "    Data Length: 17", "    Source CID: 0x0041", "    Flags: 0x0000",
        "    Result: Success (0x0000)", "    Option",
        "      Option Type: Retransmission and Flow Control (0x04)",
        "      Hint: must be recognized (0)", "      Option Length: 9",
        "      Mode: Enhanced Retransmission mode (3)", "      TxWindow Size: 8",
        "      MaxTransmit: 4", "      Retransmission Timeout: 2000 ms",
        "      Monitor Timeout: 12000 ms", "      MPS: 1010",
      ]),
    Vector(
      "Vol 3, Part A, 4.5 with 5.6", .channel(1),
      "05 04 18 00 41 00 00 00 04 00 06 10 01 01 fc ff ff ff ff ff ff ff ff ff ff ff ff ff",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONFIGURATION_RSP (0x05)",
        "    Identifier: 4", "    Data Length: 24", "    Source CID: 0x0041", "    Flags: 0x0000",
        "    Result: Pending (0x0004)", "    Option",
        "      Option Type: Extended Flow Specification (0x06)",
        "      Hint: must be recognized (0)", "      Option Length: 16", "      Identifier: 1",
        "      Service Type: Best effort (1)", "      Maximum SDU Size: 65532",
        "      SDU Inter-arrival Time: 4294967295 µs", "      Access Latency: 4294967295 µs",
        "      Flush Timeout: retransmissions without end (4294967295)",
      ]),
    Vector(
      "Vol 3, Part A, 4.5: option types", .channel(1), "05 2b 08 00 51 00 00 00 03 00 1f a0",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONFIGURATION_RSP (0x05)",
        "    Identifier: 43", "    Data Length: 8", "    Source CID: 0x0051", "    Flags: 0x0000",
        "    Result: Failure - unknown options (0x0003)", "    Option",
        "      Option Type: Unknown (0x1f)", "      Hint: must be recognized (0)", "    Option",
        "      Option Type: Unknown (0x20)", "      Hint: hint (1)",
      ]),
    Vector(
      "Vol 3, Part A, 4.5: options", .channel(1), "05 2b 09 00 51 00 00 00 03 00 1f 01 05",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONFIGURATION_RSP (0x05)",
        "    Identifier: 43", "    Data Length: 9", "    Source CID: 0x0051", "    Flags: 0x0000",
        "    Result: Failure - unknown options (0x0003)", "    Option",
        "      Option Type: Unknown (0x1f)", "      Hint: must be recognized (0)",
        "      Option Length: 1",
        "      Option Data: 05",
      ]),
    Vector(
      "Vol 3, Part A, 4.6", .channel(1), "06 05 04 00 40 00 41 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_DISCONNECTION_REQ (0x06)",
        "    Identifier: 5", "    Data Length: 4", "    Destination CID: 0x0040",
        "    Source CID: 0x0041",
      ]),
    Vector(
      "Vol 3, Part A, 4.7", .channel(1), "07 05 04 00 40 00 41 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_DISCONNECTION_RSP (0x07)",
        "    Identifier: 5", "    Data Length: 4", "    Destination CID: 0x0040",
        "    Source CID: 0x0041",
      ]),
    Vector(
      "Vol 3, Part A, 4.8 and 4.9: two commands in one C-frame", .channel(1),
      "08 06 02 00 ab cd 09 06 00 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_ECHO_REQ (0x08)", "    Identifier: 6",
        "    Data Length: 2", "    Echo Data: abcd", "  Command", "    Code: L2CAP_ECHO_RSP (0x09)",
        "    Identifier: 6", "    Data Length: 0",
      ]),
    Vector(
      "Vol 3, Part A, 4.10", .channel(1), "0a 01 02 00 02 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_INFORMATION_REQ (0x0a)",
        "    Identifier: 1", "    Data Length: 2",
        "    InfoType: Extended Features Supported (0x0002)",
      ]),
    Vector(
      "Vol 3, Part A, 4.11: connectionless MTU", .channel(1), "0b 01 06 00 01 00 00 00 a0 02",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_INFORMATION_RSP (0x0b)",
        "    Identifier: 1", "    Data Length: 6", "    InfoType: Connectionless MTU (0x0001)",
        "    Result: Success (0x0000)", "    Connectionless MTU: 672",
      ]),
    Vector(
      "Vol 3, Part A, 4.11: extended features", .channel(1), "0b 01 08 00 02 00 00 00 b8 02 00 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_INFORMATION_RSP (0x0b)",
        "    Identifier: 1", "    Data Length: 8",
        "    InfoType: Extended Features Supported (0x0002)", "    Result: Success (0x0000)",
        """
            Extended Feature Mask: 0x000002b8: Enhanced Retransmission mode, Streaming mode, FCS \
        Option, Fixed Channels, Unicast Connectionless Data Reception
        """,
      ]),
    Vector(
      "Vol 3, Part A, 4.11: fixed channels", .channel(1),
      "0b 02 0c 00 03 00 00 00 86 00 00 00 00 00 00 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_INFORMATION_RSP (0x0b)",
        "    Identifier: 2", "    Data Length: 12",
        "    InfoType: Fixed Channels Supported over BR/EDR (0x0003)",
        "    Result: Success (0x0000)",
        """
            Fixed Channels: 0x0000000000000086: L2CAP Signaling channel, Connectionless \
        reception, BR/EDR Security Manager
        """,
      ]),
    Vector(
      "Vol 3, Part A, 4.11: not supported", .channel(1), "0b 02 04 00 09 00 01 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_INFORMATION_RSP (0x0b)",
        "    Identifier: 2", "    Data Length: 4", "    InfoType: Unknown (0x0009)",
        "    Result: Not supported (0x0001)",
      ]),
    Vector(
      "Vol 3, Part A, 4.14 of version 5.2", .channel(1), "0c 01 05 00 19 00 41 00 01",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CREATE_CHANNEL_REQ (0x0c)",
        "    Identifier: 1", "    Data Length: 5", "    PSM: AVDTP (0x0019)",
        "    Source CID: 0x0041", "    Controller ID: 1",
      ]),
    Vector(
      "Vol 3, Part A, 4.15 of version 5.2", .channel(1), "0d 01 08 00 40 00 41 00 05 00 00 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CREATE_CHANNEL_RSP (0x0d)",
        "    Identifier: 1", "    Data Length: 8", "    Destination CID: 0x0040",
        "    Source CID: 0x0041",
        "    Result: Connection refused - Controller ID not supported (0x0005)",
        "    Status: No further information available (0x0000)",
      ]),
    Vector(
      "Vol 3, Part A, 4.16 of version 5.2", .channel(1), "0e 01 03 00 41 00 01",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_MOVE_CHANNEL_REQ (0x0e)",
        "    Identifier: 1", "    Data Length: 3", "    Initiator CID: 0x0041",
        "    Controller ID: 1",
      ]),
    Vector(
      "Vol 3, Part A, 4.17 of version 5.2", .channel(1), "0f 01 04 00 41 00 02 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_MOVE_CHANNEL_RSP (0x0f)",
        "    Identifier: 1", "    Data Length: 4", "    Initiator CID: 0x0041",
        "    Result: Move refused - Controller ID not supported (0x0002)",
      ]),
    Vector(
      "Vol 3, Part A, 4.18 of version 5.2", .channel(1), "10 01 04 00 41 00 01 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_MOVE_CHANNEL_CONFIRMATION_REQ (0x10)",
        "    Identifier: 1", "    Data Length: 4", "    Initiator CID: 0x0041",
        "    Result: Move failure - one or both sides refuse (0x0001)",
      ]),
    Vector(
      "Vol 3, Part A, 4.19 of version 5.2", .channel(1), "11 01 02 00 41 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_MOVE_CHANNEL_CONFIRMATION_RSP (0x11)",
        "    Identifier: 1", "    Data Length: 2", "    Initiator CID: 0x0041",
      ]),
    Vector(
      "Vol 3, Part A, 4.20", .channel(5), "12 01 08 00 18 00 28 00 00 00 2a 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONNECTION_PARAMETER_UPDATE_REQ (0x12)",
        "    Identifier: 1", "    Data Length: 8", "    Interval Min: 24 (30 ms)",
        "    Interval Max: 40 (50 ms)", "    Latency: 0", "    Timeout: 42 (420 ms)",
      ]),
    Vector(
      "Vol 3, Part A, 4.21", .channel(5), "13 01 02 00 01 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONNECTION_PARAMETER_UPDATE_RSP (0x13)",
        "    Identifier: 1", "    Data Length: 2",
        "    Result: Connection Parameters rejected (0x0001)",
      ]),
    Vector(
      "Vol 3, Part A, 4.22", .channel(5), "14 01 0a 00 25 00 40 00 00 02 f7 00 0a 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_LE_CREDIT_BASED_CONNECTION_REQ (0x14)",
        "    Identifier: 1", "    Data Length: 10", "    SPSM: OTS (0x0025)",
        "    Source CID: 0x0040", "    MTU: 512", "    MPS: 247", "    Credits: 10",
      ]),
    Vector(
      "Vol 3, Part A, 4.23", .channel(5), "15 01 0a 00 41 00 00 02 f7 00 0a 00 00 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_LE_CREDIT_BASED_CONNECTION_RSP (0x15)",
        "    Identifier: 1", "    Data Length: 10", "    Destination CID: 0x0041", "    MTU: 512",
        "    MPS: 247", "    Credits: 10", "    Result: Connection successful (0x0000)",
      ]),
    Vector(
      "Vol 3, Part A, 4.24", .channel(5), "16 02 04 00 41 00 05 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_FLOW_CONTROL_CREDIT_IND (0x16)",
        "    Identifier: 2", "    Data Length: 4", "    CID: 0x0041", "    Credits: 5",
      ]),
    Vector(
      "Vol 3, Part A, 4.25", .channel(5), "17 03 0c 00 27 00 40 00 40 00 05 00 40 00 41 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CREDIT_BASED_CONNECTION_REQ (0x17)",
        "    Identifier: 3", "    Data Length: 12", "    SPSM: EATT (0x0027)", "    MTU: 64",
        "    MPS: 64", "    Credits: 5", "    Source CID: 0x0040", "    Source CID: 0x0041",
      ]),
    Vector(
      "Vol 3, Part A, 4.26", .channel(5), "18 03 0c 00 40 00 40 00 05 00 04 00 50 00 00 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CREDIT_BASED_CONNECTION_RSP (0x18)",
        "    Identifier: 3", "    Data Length: 12", "    MTU: 64", "    MPS: 64", "    Credits: 5",
        "    Result: Some connections refused - insufficient resources available (0x0004)",
        "    Destination CID: 0x0050", "    Destination CID: 0x0000",
      ]),
    Vector(
      "Vol 3, Part A, 4.27", .channel(1), "19 04 06 00 80 00 40 00 50 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CREDIT_BASED_RECONFIGURE_REQ (0x19)",
        "    Identifier: 4", "    Data Length: 6", "    MTU: 128", "    MPS: 64",
        "    Destination CID: 0x0050",
      ]),
    Vector(
      "Vol 3, Part A, 4.28", .channel(1), "1a 04 02 00 03 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CREDIT_BASED_RECONFIGURE_RSP (0x1a)",
        "    Identifier: 4", "    Data Length: 2",
        "    Result: Reconfiguration failed - one or more Destination CIDs invalid (0x0003)",
      ]),
    Vector(
      "Vol 3, Part A, 4: reserved for future use", .channel(1), "7f 01 02 00 aa bb",
      [
        "L2CAP Signaling", "  Command", "    Code: Unknown (0x7f)", "    Identifier: 1",
        "    Data Length: 2", "    Data: aabb",
      ]),
    Vector(
      "Vol 3, Part A, 4: longer than the frame", .channel(1), "02 03 04 00 19 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_CONNECTION_REQ (0x02)",
        "    Identifier: 3", "    Data Length: 4", "  Undecoded: 1900",
      ]),
    Vector(
      "Vol 3, Part A, 4: too short for its parameters, before another", .channel(1),
      "06 05 02 00 40 00 7f 01 02 00 aa bb",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_DISCONNECTION_REQ (0x06)",
        "    Identifier: 5", "    Data Length: 2", "    Destination CID: 0x0040", "  Command",
        "    Code: Unknown (0x7f)", "    Identifier: 1", "    Data Length: 2", "    Data: aabb",
      ]),
    Vector(
      "Vol 3, Part A, 4: longer than its parameters", .channel(1), "06 05 06 00 40 00 41 00 00 00",
      [
        "L2CAP Signaling", "  Command", "    Code: L2CAP_DISCONNECTION_REQ (0x06)",
        "    Identifier: 5", "    Data Length: 6", "    Destination CID: 0x0040",
        "    Source CID: 0x0041", "    Undecoded: 0000",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  private func commands(_ text: String, isCut: Bool = false) -> [SignalingCommand] {
    let frame = SignalingFrame(hex(text).raw, isCut: isCut)
    return (frame.first.map { [$0] } ?? []) + frame.others
  }

  /// Vol 3, Part A, 4.2 to 4.7
  @Test func connectionCommands() throws {
    let request = try #require(commands("02 03 04 00 19 00 41 00").first)
    #expect(request.code == .connectionRequest && request.identifier == 3)
    #expect(request.psm == 0x0019 && request.sourceCIDs == [0x0041])
    let pending = try #require(commands("03 03 08 00 40 00 41 00 01 00 02 00").first)
    #expect(pending.isPending && !pending.isSuccess && pending.destinationCIDs == [0x0040])
    let response = try #require(commands("03 03 08 00 40 00 41 00 00 00 00 00").first)
    #expect(response.isSuccess && !response.isPending && response.sourceCIDs == [0x0041])
    let disconnection = try #require(commands("06 05 04 00 40 00 41 00").first)
    #expect(disconnection.destinationCIDs == [0x0040] && disconnection.sourceCIDs == [0x0041])
  }

  /// Vol 3, Part A, 4.4, 4.5, 5.1, 5.4, 5.5, 5.7
  @Test func configurationCommands() throws {
    let request = try #require(
      commands(
        """
        04 04 1a 00 40 00 00 00 01 02 a0 02 04 09 03 3f 03 d0 07 e0 2e f5 03 05 01 00 07 02 ff 00
        """
      ).first)
    #expect(request.code == .configurationRequest && request.destinationCIDs == [0x0040])
    #expect(request.mtu == 672 && request.mode == .enhancedRetransmission && request.mps == 1013)
    #expect(request.hasFCS == false && request.maxWindow == 255)
    let response = try #require(commands("05 04 06 00 41 00 00 00 03 00").first)
    #expect(response.configurationResult == .unknownOptions && response.sourceCIDs == [0x0041])
    #expect(response.mtu == 0 && response.mode == nil && response.hasFCS == nil)
    // The type of an option alone, and an option that is complete.
    for options in ["07 00 41 00 00 00 03 00 1f", "09 00 41 00 00 00 03 00 1f 01 05"] {
      let response = try #require(commands("05 04 " + options).first)
      #expect(response.configurationResult == .unknownOptions)
    }
  }

  /// Vol 3, Part A, 4.20, 4.24 to 4.26
  @Test func commandsOfLowEnergy() throws {
    let update = try #require(commands("12 01 08 00 18 00 28 00 00 00 2a 00").first)
    #expect(update.parameters.minimum == 24 && update.parameters.maximum == 40)
    #expect(update.parameters.latency == 0 && update.parameters.timeout == 42)
    let credits = try #require(commands("16 02 04 00 41 00 05 00").first)
    #expect(credits.code == .flowControlCredit && credits.cid == 0x0041 && credits.credits == 5)
    let request = try #require(commands("17 03 0c 00 27 00 40 00 40 00 05 00 40 00 41 00").first)
    #expect(request.psm == 0x0027 && request.sourceCIDs == [0x0040, 0x0041])
    #expect(request.mtu == 64 && request.mps == 64 && request.credits == 5)
    let response = try #require(commands("18 03 0c 00 40 00 40 00 05 00 04 00 50 00 00 00").first)
    #expect(response.result == 4 && response.destinationCIDs == [0x0050, 0])
  }

  /// Several commands in a C-frame, the last of which lacks something. Vol 3, Part A, 4
  @Test func severalCommands() {
    let all = commands("08 06 01 00 ab 7f 07 00 00 13 08 02 00 01")
    #expect(all.map(\.code) == [.echoRequest, nil] && all.map(\.identifier) == [6, 7])
    #expect(commands("").isEmpty)
    #expect(commands("02 03 04 00 19", isCut: true).isEmpty)
  }

  /// Vol 3, Part A, 4, table 4.2: a response has the code after that of its request.
  @Test func responses() {
    typealias Code = SignalingCommand.Code
    let codes = (0...0xFF).compactMap { Code(rawValue: $0) }
    #expect(codes.filter(\.isRequest).count == 12 && codes.count == 26)
    for request in codes where request.isRequest {
      #expect(Code.commandReject.answers(request))
      let answers = codes.filter { $0 != .commandReject && $0.answers(request) }
      #expect(answers.map(\.rawValue) == [request.rawValue + 1])
    }
    #expect(!Code.flowControlCredit.answers(.leCreditBasedConnectionResponse))
  }

  /// The code is that of the last command.
  @Test func facts() {
    let bytes: [UInt8] = [
      0x08, 0x06, 0x01, 0x00, 0xAB, 0x13, 0x07, 0x02, 0x00, 0x01, 0x00,
    ]
    let facts = Catalog.shared.summarize(bytes.span.bytes, .channel(5), Context())
    #expect(facts.code == 0x13)
  }

  /// Messages of fixed channels are read from the Information Payload of their frame, here in an ACL data
  /// packet. Vol 3, Part A, 3.1; Vol 4, Part E, 5.4.2
  @Test func information() {
    let bytes = hex("40 20 0a 00 06 00 05 00 13 07 02 00 01 00")
    let facts = Catalog.shared.summarize(bytes.raw, .record(.acl), Context())
    #expect(facts.cid == 0x0005 && facts.information == 8..<14)
  }

  @Test(arguments: ["l2cap.psm", "l2cap.spsm", "l2cap.signal.code", "l2cap.signal.result"])
  func path(_ path: String) {
    #expect(Catalog.shared.paths.contains { $0.path == path })
  }
}
