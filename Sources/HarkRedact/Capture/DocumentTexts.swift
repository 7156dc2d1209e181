/// What people wrote in cards, messages, listings and other files: all but the words that say which
/// part is what. A packet may have any part of one, so nothing is taken for such a word that a text of
/// somebody's could be.
/// RFC 2426; PBAP 1.2.3, 3.1; MAP 1.4.2, 3.1.
struct DocumentTexts {
  private(set) var ranges: [Range<Int>] = []
  /// Whether it is no text: then there are no parts.
  let isBinary: Bool

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isBinary = bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
    guard !isBinary else { return }
    var start = 0
    for end in 0...bytes.count where end == bytes.count || [0x0A, 0x0D].contains(bytes[end]) {
      take(start..<end)
      start = end + 1
    }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func take(_ line: Range<Int>) {
    guard !line.isEmpty else { return }
    if let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")),
      isProperty(line.lowerBound..<colon)
    {
      let value = (colon + 1)..<line.upperBound
      let isLength = text(line).hasPrefix("LENGTH:") && Int(text(value)) != nil
      if !isLength, !Self.values.contains(text(value)) { parts(value) }
    } else {
      markup(line)
    }
  }

  /// Whether a line begins as a property does: `TEL;TYPE=CELL`, `item1.ADR`.
  private func isProperty(_ range: Range<Int>) -> Bool {
    let words = text(range).split(separator: ";", omittingEmptySubsequences: false)
    guard let first = words.first else { return false }
    // Of what may precede a dot, only this reveals nothing about anyone.
    let parts = first.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard parts[0].hasPrefix("item"),
        parts[0].utf8.dropFirst(4).allSatisfy({ 0x30...0x39 ~= $0 })
      else { return false }
    }
    return Self.properties.contains(String(parts[parts.count - 1]))
      && words.dropFirst().allSatisfy { Self.isParameter($0) }
  }

  private static func isParameter(_ word: Substring) -> Bool {
    let value = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let names = (value.last ?? "").split(separator: ",").map { $0.uppercased() }
    return
      (value.count == 1
      || ["TYPE", "CHARSET", "ENCODING", "VALUE"].contains(value[0].uppercased()))
      && names.allSatisfy { parameters.contains($0) }
  }

  /// Parts of a value, each of which may also stand alone; entities of XML are none.
  private mutating func parts(_ range: Range<Int>, isMarkup: Bool = false) {
    var start = range.lowerBound
    var place = start
    while place <= range.upperBound {
      let isEnd = place == range.upperBound
      let entity = isMarkup && !isEnd ? entity(at: place, range.upperBound) : nil
      if isEnd || entity != nil || bytes[place] == 0x3B || bytes[place] == 0x2C {
        if place > start { ranges.append(start..<place) }
        place = entity ?? place
        start = place + 1
      }
      place += 1
    }
  }

  /// Where `&lt;` ends.
  private func entity(at place: Int, _ end: Int) -> Int? {
    guard bytes[place] == UInt8(ascii: "&"),
      let last = bytes[place..<min(place + 6, end)].firstIndex(of: 0x3B),
      ["&lt", "&gt", "&amp", "&quot", "&apos"].contains(text(place..<last))
    else { return nil }
    return last
  }

  /// `<card handle="0.vcf" name="…"/>`: what is outside of tags, and values of attributes.
  private mutating func markup(_ line: Range<Int>) {
    var place = line.lowerBound
    while place < line.upperBound {
      let open = bytes[place..<line.upperBound].firstIndex(of: UInt8(ascii: "<")) ?? line.upperBound
      let inside = open < line.upperBound ? element(open, line.upperBound) : nil
      guard let inside else {
        // Not a tag that is known: all up to the next one is a text.
        let next = open < line.upperBound ? open + 1 : open
        parts(place..<next, isMarkup: true)
        place = next
        continue
      }
      parts(place..<open, isMarkup: true)
      place = attributes(inside..<line.upperBound)
    }
  }

  /// Where the attributes of an element begin; nil if it is none that is known.
  private func element(_ open: Int, _ end: Int) -> Int? {
    var place = open + 1
    while place < end, "/?!".utf8.contains(bytes[place]) { place += 1 }
    let start = place
    while place < end, Self.isNameByte(bytes[place]) { place += 1 }
    return Self.elements.contains(text(start..<place)) ? place : nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// - Returns: Where the tag ends.
  private mutating func attributes(_ range: Range<Int>) -> Int {
    var place = range.lowerBound
    var name = ""
    while place < range.upperBound, bytes[place] != UInt8(ascii: ">") {
      if bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") {
        let end = bytes[(place + 1)..<range.upperBound].firstIndex(of: bytes[place])
        let value = (place + 1)..<(end ?? range.upperBound)
        if !Self.stays(name, text(value)) { parts(value, isMarkup: true) }
        place = end.map { $0 + 1 } ?? range.upperBound
      } else if Self.isNameByte(bytes[place]) {
        let start = place
        while place < range.upperBound, Self.isNameByte(bytes[place]) { place += 1 }
        name = text(start..<place)
        let isName = place == range.upperBound || bytes[place] == UInt8(ascii: "=")
        if !isName || !Self.attributes.contains(name) && !Self.others.contains(name) {
          ranges.append(start..<place)
        }
      } else {
        place += 1
      }
    }
    return min(place + 1, range.upperBound)
  }

  /// Whether a value reveals nothing about anyone: a word of the profile's own, a size, a date, a handle.
  private static func stays(_ attribute: String, _ value: String) -> Bool {
    guard attributes.contains(attribute) else { return false }
    if values.contains(value) { return true }
    let octets = value.utf8
    func isNumber(_ part: Substring.UTF8View, upTo most: Int) -> Bool {
      1...most ~= part.count && part.allSatisfy { 0x30...0x39 ~= $0 }
    }
    switch attribute {
    case "size", "attachment_size": return isNumber(value[...].utf8, upTo: 8)
    case "version":
      return octets.count == 3 && value.first?.isNumber == true && value.hasSuffix(".0")
    // 64 bits in hexadecimal digits.
    case "handle":
      return 1...16 ~= octets.count
        && octets.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 }
    // `20260102T030405`, and how far from UTC.
    case "datetime", "modified", "created", "accessed":
      let parts = value.split(separator: "T", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.count == 8, isNumber(parts[0].utf8, upTo: 8)
      else { return false }
      let (time, zone) = (parts[1].prefix(6), parts[1].dropFirst(6))
      return time.utf8.count == 6 && isNumber(time.utf8, upTo: 6)
        && (zone.isEmpty || zone == "Z"
          || (zone.hasPrefix("+") || zone.hasPrefix("-")) && zone.utf8.count == 5
            && isNumber(zone.dropFirst().utf8, upTo: 4))
    default: return false
    }
  }

  private static let properties: Set<String> = [
    "BEGIN", "END", "VERSION", "N", "FN", "TEL", "EMAIL", "ADR", "ORG", "TITLE", "ROLE", "NOTE",
    "URL", "BDAY", "PHOTO", "SOUND", "LABEL", "GEO", "UID", "REV", "NICKNAME", "CATEGORIES",
    "X-IRMC-CALL-DATETIME", "X-BT-UCI", "X-BT-UID", "X-BT-SPEEDDIALKEY", "STATUS", "TYPE", "FOLDER",
    "CHARSET", "LANGUAGE", "ENCODING", "LENGTH", "PARTID", "Date", "Subject", "From", "To", "Cc",
  ]
  private static let parameters: Set<String> = [
    "CELL", "HOME", "WORK", "VOICE", "FAX", "PREF", "MSG", "PAGER", "INTERNET", "JPEG", "PNG",
    "GIF",
    "OTHER", "MAIN", "UTF-8", "QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "URI", "DIALED",
    "RECEIVED",
    "MISSED", "X-0", "X-1",
  ]
  private static let values: Set<String> = [
    "VCARD", "BMSG", "BENV", "BBODY", "MSG", "1.0", "2.1", "3.0", "4.0", "READ", "UNREAD",
    "SMS_GSM",
    "SMS_CDMA", "EMAIL", "MMS", "IM", "UTF-8", "8BIT", "telecom/msg/inbox", "telecom/msg/outbox",
    "telecom/msg/sent", "telecom/msg/deleted", "telecom/msg/draft", "yes", "no", "complete",
    "fractioned", "notification", "NewMessage", "DeliverySuccess", "SendingSuccess",
    "DeliveryFailure", "SendingFailure", "MemoryFull", "MemoryAvailable", "MessageDeleted",
    "MessageShift", "ReadStatusChanged", "TELECOM/MSG/INBOX", "TELECOM/MSG/SENT",
  ]
  private static let elements: Set<String> = [
    "xml", "DOCTYPE", "vCard-listing", "card", "folder-listing", "folder", "parent-folder", "file",
    "MAP-msg-listing", "msg", "MAP-event-report", "event", "MAP-convo-listing", "conversation",
    "participant",
  ]
  /// Attributes whose values may be anybody's. MAP 1.4.2, 3.1.6; PBAP 1.2.3, 3.1; IrOBEX 1.5, 9.1.2
  private static let others: Set<String> = [
    "name", "subject", "sender_name", "sender_addressing", "replyto_addressing", "recipient_name",
    "recipient_addressing", "direction", "attachment_mime_types", "conversation_id",
    "conversation_name", "delivery_status", "participant_uci", "display_name", "uci", "chat_state",
    "last_activity", "presence_availability", "presence_text", "priority", "extended_data",
    "contact_uid", "owner", "group", "mem_type", "user_perm", "group_perm", "other_perm",
    "standalone",
  ]
  private static let attributes: Set<String> = [
    "version", "encoding", "handle", "size", "type", "datetime", "read", "sent", "priority",
    "protected", "text", "reception_status", "attachment_size", "msg_type", "modified", "created",
    "accessed", "folder", "old_folder",
  ]
}

extension FieldRoles.Role {
  /// The texts in a document, or in UTF-16, where each is, and what it is.
  func texts(in bytes: [UInt8]) -> [(range: Range<Int>, value: PersonalValue)] {
    guard isDocument else { return utf16Texts(in: bytes) }
    let document = DocumentTexts(bytes)
    if document.isBinary {
      return [(bytes.indices, PersonalValue(kind: .file, bytes: bytes))]
    }
    return document.ranges.map { ($0, PersonalValue(kind: .text, bytes: Array(bytes[$0]))) }
  }

  private func utf16Texts(in bytes: [UInt8]) -> [(range: Range<Int>, value: PersonalValue)] {
    var texts: [(range: Range<Int>, value: PersonalValue)] = []
    var units: [UInt16] = []
    let whole = bytes.count & ~1
    for place in stride(from: 0, through: whole, by: 2) {
      let unit = place < whole ? UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]) : 0
      if unit != 0 {
        units.append(unit)
      } else if !units.isEmpty {
        // Half a character would become another number of bytes: it has no pseudonym that fits.
        let text = Array(String(decoding: units, as: UTF16.self).utf8)
        let isWhole = String(decoding: text, as: UTF8.self).utf16.elementsEqual(units)
        let kind = isWhole ? PersonalKind.text : .file
        let range = (place - 2 * units.count)..<place
        texts.append(
          (range, PersonalValue(kind: kind, bytes: isWhole ? text : Array(bytes[range]))))
        units = []
      }
    }
    return texts
  }
}
