import HarkCore
import Testing

@testable import HarkDissection

@Suite struct AssignedNumbersTests {
  /// Assigned Numbers, 3.4.2, 3.5, 3.6, 3.8, 3.11; the first and last line of each table.
  @Test(arguments: [
    ("0001", "SDP"), ("110B", "Audio Sink"), ("1800", "GAP"), ("180F", "Battery"),
    ("2800", "Primary Service"), ("2902", "Client Characteristic Configuration"),
    ("2A19", "Battery Level"), ("FE2C", "Google LLC"), ("FEFF", "GN Netcom"),
    ("7905F431-B5CE-4E99-A40F-4B1E122D00D0", "Apple Notification Center Service"),
    ("d5e12b7a-7d8e-4f12-9b5c-3f0a1e6d8c46", "NotifBridge Key Sharing"),
    // HomeKit Accessory Protocol Specification (Non-Commercial Version), R2, 6.6.1, 9
    ("0000003E-0000-1000-8000-0026BB765291", "HAP Accessory Information"),
    ("0000004C-0000-1000-8000-0026BB765291", "HAP Pair Setup"),
    ("DC46F0FE-81D2-4616-B5D9-6ABDD796939A", "HAP Characteristic Instance ID"),
  ]) func uuid(_ text: String, _ name: String) throws {
    #expect(AssignedNumbers.name(of: try #require(BluetoothUUID(text))) == name)
  }

  @Test func tablesAreSorted() {
    for table in [
      AssignedNumbers.uuids, AssignedNumbers.companies, AssignedNumbers.appearances,
      AssignedNumbers.uriSchemes,
    ] {
      #expect(table.count > 100)
      #expect(zip(table.codes, table.codes.dropFirst()).allSatisfy(<))
      #expect(table.codes.allSatisfy { table[$0]?.isEmpty == false })
    }
  }

  @Test func typesOfHomeKit() throws {
    let table = AssignedNumbers.homeKit
    #expect(zip(table.codes, table.codes.dropFirst()).allSatisfy(<))
    #expect(table.codes.allSatisfy { table[$0]?.isEmpty == false })
    // Not of HomeKit, and not defined there.
    for text in [
      "0000003E-0000-1000-8000-00805F9B34FB", "0000003E-0001-1000-8000-0026BB765291",
      "0000FFFF-0000-1000-8000-0026BB765291", "0001003E-0000-1000-8000-0026BB765291",
    ] {
      let name = AssignedNumbers.name(of: try #require(BluetoothUUID(text)))
      #expect(name?.hasPrefix("HAP") != true)
    }
  }

  @Test func unknownNumbersHaveNoName() throws {
    #expect(AssignedNumbers.name(of: BluetoothUUID(0x0000 as UInt16)) == nil)
    #expect(AssignedNumbers.company(0xFFFE) == nil)
    #expect(AssignedNumbers.appearance(0xFFFF) == nil)
  }

  /// Assigned Numbers, 7.1 and 2.6.3
  @Test func companiesAndAppearances() {
    #expect(AssignedNumbers.company(0x0000) == "Ericsson AB")
    // Services are no types of attributes. 3.4, 3.10, 3.11
    let types: [(UInt16, String?)] = [
      (0x2803, "Characteristic"), (0x2902, "Client Characteristic Configuration"),
      (0x2A19, "Battery Level"), (0x180F, nil), (0xFFF4, nil), (0xFE2C, nil),
    ]
    for (code, name) in types {
      #expect(AssignedNumbers.name(ofAttributeType: BluetoothUUID(code)) == name)
    }
    #expect(AssignedNumbers.name(of: BluetoothUUID(0xFFF4 as UInt16)) == "FiRa Consortium")
    #expect(AssignedNumbers.company(0x004C) == "Apple, Inc.")
    #expect(AssignedNumbers.appearance(0x00C1) == "Watch: Sports Watch")
    #expect(AssignedNumbers.appearance(0x00FF) == "Watch")
    #expect(AssignedNumbers.uriScheme(0x0017) == "https:")
  }
}
