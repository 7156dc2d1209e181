import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Core Specification Supplement, Part A, 1.10; Vol 4, Part E, 7.8.7, 7.8.8, 7.8.54.
@Suite struct AdvertisedServicesTests {
  private static let ancs = "15 d0002d121e4b0fa4994eceb531f40579"
  private static let center = BluetoothUUID(high: 0x7905_F431_B5CE_4E99, low: 0xA40F_4B1E_122D_00D0)

  private static func take(_ opcode: UInt16, _ hex: String, _ services: inout AdvertisedServices) {
    let parameters = Hex.bytes(hex) ?? []
    let bytes = [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
    guard let data = HCICommandMessage(bytes.raw, isCut: true).advertisingData else { return }
    _ = services.take(data, of: bytes.raw)
  }

  @Test func legacy() {
    var services = AdvertisedServices()
    #expect(services.solicited(in: []) == nil)
    Self.take(0x2008, "07 020106 03140f18", &services)
    #expect(services.solicited(in: []) == [BluetoothUUID(0x180F as UInt16)])
    Self.take(0x2009, "12 11\(Self.ancs)", &services)
    #expect(services.solicited(in: []) == [BluetoothUUID(0x180F as UInt16), Self.center])
    #expect(services.solicited(in: [1]) == nil)
  }

  @Test func sets() {
    var services = AdvertisedServices()
    Self.take(0x2037, "01 03 01 12 11\(Self.ancs)", &services)
    Self.take(0x2037, "02 03 01 03 020106", &services)
    #expect(services.solicited(in: [1]) == [Self.center])
    #expect(services.solicited(in: [2]) == [])
    #expect(services.solicited(in: [2, 1]) == [Self.center])
    // Unchanged data; then the first fragment of what is not whole.
    Self.take(0x2037, "01 04 01 00", &services)
    #expect(services.solicited(in: [1]) == [Self.center])
    Self.take(0x2037, "01 01 01 03 020106", &services)
    #expect(services.solicited(in: [1]) == nil)
  }

  /// Lengths that lie.
  @Test(arguments: ["", "1f", "ff 11", "03 ff1401", "02 0014", "05 11\(ancs)"])
  func damaged(_ hex: String) {
    for opcode: UInt16 in [0x2008, 0x2009, 0x2037, 0x2038] {
      var services = AdvertisedServices()
      Self.take(opcode, hex, &services)
      #expect((services.solicited(in: []) ?? []).isEmpty)
      #expect((services.solicited(in: [0]) ?? []).isEmpty)
    }
  }
}
