import HarkDissection

/// What people ask for that is no single protocol: `hark help le-audio`.
struct ProtocolTopic {
  let name: String
  /// Other words for it.
  var words: [String] = []
  let title: String
  /// A sentence or two.
  let about: String
  /// Those that it is made of.
  let protocols: [String]
  /// How the paths of its fields begin, where they are among others of their protocols.
  var fields: [String] = []
  /// The manufacturer whose vendor-specific codes are listed.
  var vendors: [String] = []

  /// Finds the topic that is called `word`.
  static func named(_ word: String) -> ProtocolTopic? {
    all.first { $0.name == word || $0.words.contains(word) }
  }

  static let all: [ProtocolTopic] =
    [
      ProtocolTopic(
        name: "air", words: ["sniffer", "on-air"], title: "Over the air",
        about:
          "Packets recorded by a sniffer: the LE Link Layer with the sniffer's own headers, "
          + "the headers of BR/EDR packets, and what Link Managers send. See docs/air.md.",
        protocols: ["radio", "nordic", "ppi", "ll", "ll.control", "bb", "lmp", "resolved"]),
      ProtocolTopic(
        name: "le-audio", words: ["leaudio", "lea", "bap", "auracast"], title: "LE Audio",
        about:
          "Services of the Basic Audio Profile and those above it, announcements in advertising, "
          + "and the isochronous links that carry the sound.",
        protocols: [
          "pacs", "ascs", "bass", "volume", "csis", "mcs", "tbs", "has", "audiorole", "unicast",
          "broadcast", "base", "biginfo", "pba", "hci.iso",
        ]),
      ProtocolTopic(
        name: "hogp", words: ["hids", "hid-over-gatt"], title: "HID over GATT",
        about: "Keyboards, mice, remote controls over LE: values of the Human Interface Device "
          + "Service, with the Report Map that describes the reports. Over BR/EDR, see hidp.",
        protocols: ["gatt", "hid", "hidp"], fields: ["gatt.report", "gatt.hid", "gatt.bcdHID"]),
      ProtocolTopic(
        name: "apple", words: ["ios"], title: "Apple",
        about: "Protocols of Apple devices and their accessories.",
        protocols: [
          "ancs", "ams", "hap", "continuity", "aap", "iap2", "iap2.csm", "iap2.ea", "iap2.file",
          "iap1",
          "packetlogger",
        ]),
      ProtocolTopic(
        name: "beacons", words: ["beacon"], title: "Beacons and tags",
        about: "Public advertising in manufacturer data and service data.",
        protocols: [
          "ad", "continuity", "microsoft", "fastpair", "eddystone", "exposure", "ruuvi", "bthome",
          "tile", "smarttag", "dult", "matter",
        ]),
      ProtocolTopic(
        name: "uart", words: ["serial"], title: "On a serial line",
        about: "How HCI is framed between a Host and a Controller on a separate chip.",
        protocols: ["h4", "h5", "bcsp"]),
      ProtocolTopic(
        name: "android", title: "Android's commands and events",
        about:
          "Vendor-specific commands and events that Android requires of every Controller. A "
          + "manufacturer's own definitions take precedence.",
        protocols: ["hci.cmd", "hci.evt"], fields: ["hci.cmd.android", "hci.evt.android"],
        vendors: ["Android"]),
      ProtocolTopic(
        name: "vendor", words: ["vendors", "manufacturer", "vsc"],
        title: "Vendor-specific commands and events",
        about:
          "Manufacturers share these codes: hark decodes them by the manufacturer that the "
          + "Controller or the monitor reports. Private protocols above HCI are described by "
          + "layouts "
          + "and profiles: see `hark dissectors`.",
        protocols: ["hci.cmd", "hci.evt"], vendors: VendorCodes.all.map(\.name)),
    ]
    + VendorCodes.all.filter { $0.name != "Android" }.map { vendor in
      ProtocolTopic(
        name: vendor.name.lowercased(), title: "\(vendor.name)'s commands and events",
        about: "Vendor-specific commands and events of Controllers by \(vendor.name).",
        protocols: ["hci.cmd", "hci.evt"], vendors: [vendor.name])
    }
}
