import HarkCore

/// Multicast DNS: which services there are on the local network. RFC 1035, 4; RFC 6762; RFC 6763.
enum MulticastDNS: MessageDissector {
  static let name: StaticString = "mDNS"
  static let path: StaticString = "mdns"
  static let specification: StaticString = "RFC 6762; RFC 6763; RFC 1035, 4; RFC 2782"
  static let port: UInt16 = 5353
  static let places: [AttachmentPoint] = [.udpPort(port)]

  // IANA, DNS Parameters
  static let types: [UInt64: StaticString] = [
    1: "A", 2: "NS", 5: "CNAME", 12: "PTR", 13: "HINFO", 16: "TXT", 28: "AAAA", 33: "SRV",
    41: "OPT", 47: "NSEC", 64: "SVCB", 65: "HTTPS", 255: "ANY",
  ]

  struct Fields: Sendable {
    let id = Field("Transaction ID", .hex)
    let isResponse = Field("Response", names: [0: "query", 1: "response"], title: true)
    let flags = Field("Flags", .hex)
    let questionCount = Field("Questions")
    let answerCount = Field("Answer Records")
    let authorityCount = Field("Authority Records")
    let additionalCount = Field("Additional Records")
    let question = Field("Question", .list)
    let record = Field("Record", .list)
    // Names of devices and of people.
    let label = Field("Label", .text, inLine: true, personal: .name)
    // Types of services, which begin with an underscore: those of many products, and those of one.
    let serviceLabel = Field("Service Label", .text, inLine: true, structural: true)
    let ownServiceLabel = Field("Service Label", .text, inLine: true, personal: .model)
    let labelLength = Field("Label Length", structural: true)
    let pointer = Field("Pointer", .hex, structural: true)
    let type = Field("Type", names: types, inLine: true)
    let unicast = Field("Unicast Response", names: [0: "no", 1: "wanted"])
    let cacheFlush = Field("Cache Flush", names: [0: "no", 1: "yes"])
    let recordClass = Field("Class", names: [1: "IN", 255: "ANY"])
    let timeToLive = Field("Time To Live", unit: "s")
    let length = Field("Data Length")
    let priority = Field("Priority")
    let weight = Field("Weight")
    let port = Field("Port", inLine: true)
    let ipv4 = Field(
      "Address", .hex, lookup: EthernetPayload.dotted, inLine: true, personal: .networkAddress)
    let ipv6 = Field("IPv6 Address", .bytes, inLine: true, personal: .networkAddress)
    let text = Field("Text", .text, personal: .text)
    let data = Field("Data", .bytes, personal: .traffic)
  }
  static let fields = Fields()

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout DNSMessage) throws(Malformed) {
    let start = pdu.position
    try pdu.u16be(fields.id)
    let flags = try pdu.bigEndian(2, of: fields.flags)
    pdu.part(fields.isResponse, flags >> 15, of: 2)
    pdu.part(fields.flags, flags & 0x7FFF, of: 2)
    message.isResponse = flags >> 15 == 1
    let questions = try pdu.u16be(fields.questionCount)
    let answers = try pdu.u16be(fields.answerCount)
    let authorities = try pdu.u16be(fields.authorityCount)
    let additionals = try pdu.u16be(fields.additionalCount)
    // Each takes some octets, so that the end of the packet ends the loops.
    for _ in 0..<questions {
      try pdu.group(fields.question) { pdu throws(Malformed) in
        try name(&pdu)
        try pdu.u16be(fields.type)
        try flagAndClass(fields.unicast, &pdu)
      }
    }
    for _ in 0..<(Int(answers) + Int(authorities) + Int(additionals)) {
      try pdu.group(fields.record) { pdu throws(Malformed) in
        var record = DNSMessage.Record(name: pdu.position - start)
        try self.record(&pdu, start, &record)
        message.append(record)
      }
    }
  }

  private static func record(
    _ pdu: inout PDU<some Sink>, _ start: Int, _ record: inout DNSMessage.Record
  ) throws(Malformed) {
    try name(&pdu)
    record.type = try pdu.u16be(fields.type)
    try flagAndClass(fields.cacheFlush, &pdu)
    record.isGoodbye = try pdu.u32be(fields.timeToLive) == 0
    let length = Int(try pdu.u16be(fields.length))
    let type = record.type
    var found = record
    try pdu.inside(length, by: fields.length) { pdu throws(Malformed) in
      switch type {
      case 1 where pdu.remaining == 4:
        found.address = IPAddress(pdu.bytes.extracting(pdu.position..<(pdu.position + 4)))
        try pdu.u32be(fields.ipv4)
      case 28 where pdu.remaining == 16:
        let place = try pdu.bytes(16, fields.ipv6)
        found.address = IPAddress(pdu.bytes.extracting(place))
      case 2, 5, 12:
        found.target = pdu.position - start
        try name(&pdu)
      case 33:
        try pdu.u16be(fields.priority)
        try pdu.u16be(fields.weight)
        found.port = try pdu.u16be(fields.port)
        found.target = pdu.position - start
        try name(&pdu)
      case 16:
        while pdu.remaining > 0 {
          let count = Int(try pdu.u8(fields.labelLength))
          if count > 0 { try pdu.bytes(count, fields.text) }
        }
      default: try AdvertisingData.all(fields.data, &pdu)
      }
    }
    record = found
  }

  /// The highest bit of a class is a flag. RFC 6762, 5.4, 10.2.
  private static func flagAndClass(
    _ flag: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let word = try pdu.bigEndian(2, of: fields.recordClass)
    pdu.part(flag, word >> 15, of: 2)
    pdu.part(fields.recordClass, word & 0x7FFF, of: 2)
  }

  /// Labels, up to an empty one or to a pointer at others. RFC 1035, 3.1, 4.1.4.
  private static func name(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    while true {
      if pdu.peek() >> 6 == 3 {
        let word = try pdu.bigEndian(2, of: fields.pointer)
        pdu.part(fields.pointer, word & 0x3FFF, of: 2)
        return
      }
      let count = Int(try pdu.u8(fields.labelLength))
      if count == 0 { return }
      guard count < 64 else { throw pdu.invalid(fields.labelLength, "is longer than 63") }
      let field = labelField(count, pdu)
      try pdu.bytes(count, field)
    }
  }

  /// A label that begins with an underscore is the type of a service if it is before `_tcp` or `_udp`. Elsewhere it may
  /// be anything: a subtype can name one device, and so can a host. RFC 6763, 4.1.2, 7.1.
  private static func labelField(_ count: Int, _ pdu: borrowing PDU<some Sink>) -> Field {
    guard pdu.peek() == 0x5F, count <= pdu.remaining else { return fields.label }
    for label in commonLabels where holds(label, 0, count, pdu) { return fields.serviceLabel }
    guard pdu.remaining >= count + 5, pdu.peek(count) == 4 else { return fields.label }
    for label in transports where holds(label, count + 1, 4, pdu) { return fields.ownServiceLabel }
    return fields.label
  }

  private static func holds(
    _ label: [UInt8], _ start: Int, _ count: Int, _ pdu: borrowing PDU<some Sink>
  ) -> Bool {
    guard label.count == count else { return false }
    for index in 0..<count where pdu.peek(start + index) != label[index] { return false }
    return true
  }

  private static let transports = ["_tcp", "_udp"].map { Array($0.utf8) }

  /// Of the Service Name and Transport Protocol Port Number Registry of IANA, and RFC 6763, 9.
  private static let commonLabels = [
    "_tcp", "_udp", "_sub", "_services", "_dns-sd", "_afpovertcp", "_airplay", "_apple-mobdev2",
    "_carplay-ctrl", "_companion-link", "_daap", "_device-info", "_googlecast", "_hap", "_homekit",
    "_http", "_https", "_ipp", "_ipps", "_matter", "_matterc", "_matterd", "_printer", "_raop",
    "_rdlink", "_rfb", "_sftp-ssh", "_sleep-proxy", "_smb", "_ssh",
  ].map { Array($0.utf8) }
}
