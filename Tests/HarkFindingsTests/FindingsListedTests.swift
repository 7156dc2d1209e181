import HarkCore
import HarkFindings
import HarkSamples
import Testing

@testable import HarkSession

// What an app lists for the picker of AccessorySetupKit, and what devices advertise.
extension FindingsMadeTests {
  private static func lists(
    services: [String] = [], names: [String] = [], companies: [Int] = []
  ) -> AppEvent {
    var bundle = AppDeclaration.Bundle(path: "")
    (bundle.services, bundle.names, bundle.companies) = (services, names, companies)
    var event = AppEvent(.declaration, AppEvent.Origin(file: "Info.plist", line: 0))
    event.declaration = AppDeclaration([bundle])
    return event
  }

  /// HCI_LE_Advertising_Report of 11:22:33:44:55:66, by its Event_Type.
  private static func report(
    _ made: inout MadeConversation, _ type: String, _ data: String, of address: String? = nil
  ) {
    let bytes = Hex.bytes(data) ?? []
    let report = Hex.bytes("02 01 \(type) 00 \(address ?? "665544332211")") ?? []
    let parameters = report + [UInt8(bytes.count)] + bytes + [0xC0]
    made.event(Hex.text([0x3E, UInt8(parameters.count)] + parameters))
  }

  /// ADV_IND and SCAN_RSP.
  private static func heard(
    _ made: inout MadeConversation, _ data: String, _ response: String = "",
    of address: String? = nil
  ) {
    report(&made, "00", data, of: address)
    report(&made, "04", response, of: address)
  }

  /// It connects and speaks.
  private static func speaks(_ made: inout MadeConversation) {
    made.connect()
    made.say(.transport(.decision(.accept), sessionID: "S"))
    made.disconnect()
  }

  // Flags; Complete List of 16-bit Service UUIDs 0xFED9.
  private static let watch = "02 01 06  03 03 d9fe"
  // Complete Local Name “Acme”.
  private static let name = "05 09 41636d65"

  private static func listed(
    _ name: String, finds: Bool = false, cannotTell: Bool = false, _ lists: AppEvent,
    _ body: @escaping @Sendable (inout MadeConversation) -> Void
  ) -> Case {
    Case(
      name, finds: finds ? ["app.not-listed"] : [],
      cannotTell: cannotTell ? ["app.not-listed"] : [], connects: false
    ) {
      $0.gatherAdvertisers()
      $0.report(lists)
      body(&$0)
    }
  }

  static let listed = [
    listed("an advertised service is listed", lists(services: ["FED9"])) {
      heard(&$0, watch)
      speaks(&$0)
    },
    listed("a service that is not advertised is listed", finds: true, lists(services: ["180F"])) {
      heard(&$0, watch, name)
      speaks(&$0)
    },
    listed("a part of the name is listed", lists(services: ["180F"], names: ["acm"])) {
      heard(&$0, watch, name)
      speaks(&$0)
    },
    listed("a name whose beginning is advertised", lists(names: ["Acme Watch"])) {
      heard(&$0, watch, "05 08 41636d65")
    },
    listed("another name is listed", finds: true, lists(names: ["Zenith"])) {
      heard(&$0, watch, name)
    },
    listed("the company is listed", lists(companies: [0x0154])) {
      heard(&$0, "05 ff 5401 0102")
    },
    listed("the service of service data is listed", lists(services: ["FED9"])) {
      heard(&$0, "05 16 d9fe 0102")
    },
    listed("nothing listed is advertised by anybody", finds: true, lists(services: ["180F"])) {
      heard(&$0, watch)
      heard(&$0, name, of: "665544332212")
    },
    listed("one of several is listed", lists(services: ["180F"])) {
      heard(&$0, watch)
      heard(&$0, "03 03 0f18", of: "665544332212")
    },
    listed("the scan response is missing", cannotTell: true, lists(services: ["180F"])) {
      report(&$0, "00", watch)
    },
    listed("no advertising at all", cannotTell: true, lists(services: ["180F"])) {
      speaks(&$0)
    },
    listed("only beacons advertise", cannotTell: true, lists(services: ["180F"])) {
      report(&$0, "03", watch)
    },
    listed("a connection to another device", cannotTell: true, lists(services: ["180F"])) {
      heard(&$0, watch)
      $0.connect(address: "665544332299")
      $0.disconnect()
    },
    listed("nothing is listed", lists()) { heard(&$0, watch) },
  ]
}
