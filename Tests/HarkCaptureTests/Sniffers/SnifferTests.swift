import Foundation
import HarkCore
import HarkPlatform
import HarkTestSupport
import Testing

@testable import HarkCapture

/// How sniffers are named, and what they are reported to begin.
@Suite struct SnifferTests {
  private static func nordic(_ text: String) throws -> [String] {
    let bytes = try Sniffer(text).startCommands
    return bytes.split(separator: 0xBC).map { Hex.text(Array($0) + [0xBC]) }
  }

  /// Header length 6, length of the payload, version 1, number, identifier, payload: REQ_TIMESTAMP (0x1D),
  /// SET_ADV_CHANNEL_HOP_SEQ (0x17), REQ_SCAN_CONT (0x07), REQ_FOLLOW (0x00).
  @Test func commandsOfNordic() throws {
    let timestamp = "ab0600010000" + "1dbc"
    #expect(
      try Self.nordic("nrf:/dev/ttyACM0") == [
        timestamp, "ab0604010100" + "1703252627bc", "ab0601010200" + "0701bc",
      ])
    #expect(
      try Self.nordic("nrf:/dev/ttyACM0,channels=38,extended,coded") == [
        timestamp, "ab0604010100" + "1701262525bc", "ab0601010200" + "0707bc",
      ])
    // 0xAB and 0xCD need an escape; the address begins with its most significant octet, and its type follows.
    #expect(
      try Self.nordic("nrf:/dev/ttyACM0,follow=C0:AB:00:CD:00:01").last
        == "ab0608010200" + "00c0cdac00cdce00010100bc")
    #expect(
      try Self.nordic("nrf:/dev/ttyACM0,follow=00:11:22:33:44:55/public").last
        == "ab0608010200" + "000011223344550000bc")
  }

  private static func sniffle(_ text: String) throws -> [String] {
    String(decoding: try Sniffer(text).startCommands, as: UTF8.self)
      .split(separator: "\r\n").map(String.init)
  }

  /// As Python's base64 has them: a marker, channel 37 with the access address and the CRC of advertising, RSSI -128, no
  /// pause, following, no auxiliary packets, no address, valid CRCs, no intervals, LE 2M, a marker.
  @Test func commandsOfSniffle() throws {
    #expect(
      try Self.sniffle("sniffle:/dev/ttyUSB0") == [
        "ARhA", "BBAl1r6JjgBVVVUA", "ARKA", "AREA", "ARUB", "ARYA", "ARM=", "ASYB", "ASE=", "ASMB",
        "AhhoYXJr",
      ])
    // The address begins with its least significant octet; then it hops on all three channels.
    #expect(
      try Self.sniffle("sniffle:/dev/ttyUSB0,follow=C0:DE:00:00:00:01")[6...7] == [
        "AxMBAAAA3sA=", "ARQ=",
      ])
    let coded = try Self.sniffle("sniffle:/dev/ttyUSB0,channels=38,coded")
    #expect(coded[1] == "BBAm1r6JjgJVVVUA" && coded[5] == "ARYB")
  }

  @Test(arguments: [
    ("nrf:", "incomplete: write nrf:DEVICE, such as /dev/ttyACM0"),
    ("nrf:/dev/x,folow=C0:DE:00:00:00:01", "no option 'folow' (did you mean 'follow'?)"),
    ("nrf:/dev/x,follow=C0:DE", "needs an address, not 'C0:DE'"),
    ("nrf:/dev/x,follow=C0:DE:00:00:00:01/odd", "needs an address, not 'C0:DE:00:00:00:01/odd'"),
    ("nrf:/dev/x,follow", "no value for 'follow'"),
    ("nrf:/dev/x,extended=1", "'extended' takes no value: omit it"),
    ("nrf:/dev/x,channels=36", "needs advertising channels, not '36'"),
    ("nrf:/dev/x,channels=37+37", "needs advertising channels, not '37+37'"),
    ("nrf:/dev/x,baud=9600", "no support for baud rate '9600': use one of 115200"),
    ("sniffle:/dev/x,channels=37+38", "listens on one advertising channel"),
    ("nrf:/dev/null", "not a serial line"), ("nrf:/nowhere/tty", "cannot open"),
  ])
  func mistakes(text: String, complaint: String) {
    let error = #expect(throws: CaptureError.self) { _ = try Endpoint(text).open() }
    #expect(error?.description.hasPrefix("\(text): \(complaint)") == true, "\(error as Any)")
  }

  @Test func names() {
    #expect(Endpoint("nrf:/dev/ttyACM0").format == .nrf)
    #expect(Endpoint("sniffle:/dev/ttyUSB0,coded").format == .sniffle)
    #expect(Endpoint("/dev/ttyACM0").format == nil && !Endpoint("nrf:/dev/x").isConnection)
  }

  /// As sysfs shows a dongle (the terminal's device is the interface) and a CP2102 (it is the port below it).
  @Test func devices() throws {
    let folder = try TestFolder()
    for (name, parent, vendor, product) in [
      ("ttyACM0", "1-4/1-4:1.0", "1915", "522a"),
      ("ttyUSB0", "1-5/1-5:1.0/ttyUSB0", "10c4", "ea60"),
      ("ttyACM1", "1-6/1-6:1.0", "2341", "0043"), ("tty1", "1-7/1-7:1.0", "1915", "522a"),
    ] {
      let device = folder.path("devices/\(parent)")
      try FileManager.default.createDirectory(
        atPath: device, withIntermediateDirectories: true)
      try FileManager.default.createDirectory(
        atPath: folder.path("tty/\(name)"), withIntermediateDirectories: true)
      let port = folder.path("devices/\(parent.prefix(3))")
      try vendor.write(toFile: port + "/idVendor", atomically: true, encoding: .utf8)
      try product.write(toFile: port + "/idProduct", atomically: true, encoding: .utf8)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("tty/\(name)/device"), withDestinationPath: device)
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("dev"), withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: folder.path("dev/ttyACM0")))
    let found = SerialDevices(folder: folder.path("tty"), devices: folder.path("dev")).sniffers
    #expect(
      found.map(\.source) == [
        "nrf:\(folder.path("dev/ttyACM0"))", "sniffle:\(folder.path("dev/ttyUSB0"))",
      ])
    #expect(found[0].problem == nil && found[0].description == "nRF Sniffer for Bluetooth LE")
    #expect(found[1].problem == "No such file or directory")
  }
}
