import HarkCore
import HarkCrypto
import HarkDissection
import HarkPresentation
import HarkProfile
import HarkSession

/// How well a profile fits a capture.
struct ProfileTrial {
  private let profile: Profile
  private let file: String
  private var messages = 0
  private var untaken = 0
  private var unreadable = 0
  private var incomplete = 0
  private var checks = 0
  private var missing = 0
  private var opened = 0
  private var locked = 0
  private var tagFails = 0
  /// By the line and column of each rule.
  private var rules: [Place: Count] = [:]
  /// The values of `first` and `more` of fragments.
  private var fragments: [Place: Fragments] = [:]
  private var derivations: DerivationCheck
  /// The expressions that derive other keys than those that open the messages.
  private var misderived: [DerivationCheck.Mistake] = []
  private var swapped: (length: Int, packets: Event.Frames)?
  /// Keys that are points of the curve in another order of bytes, by the kind of their message.
  private var reversed: [String: (order: String, packets: Event.Frames)] = [:]
  /// Where the expressions for keys are, by the kind of message.
  private var keyPlaces: [String: Place] = [:]
  /// The packets of the first sealed message.
  private var firstSealed: Event.Frames?
  /// Connections of which the capture lacks bytes: where messages end is then not up to the profile.
  private var linksWithGaps: Set<LinkID> = []
  /// Where messages end, and where they do not.
  private var channels: Set<String> = []
  private var broken: [String: Broken] = [:]
  private var places = CapturePlaces()

  private struct Place: Hashable, Comparable {
    let line: Int
    let column: Int

    static func < (a: Place, b: Place) -> Bool { (a.line, a.column) < (b.line, b.column) }
  }

  private struct Count {
    let kind: String
    var messages = 0
  }

  private struct Fragments {
    var all = 0
    var first = 0
    var more = 0
    var placeOfFirst: Place?
    var placeOfMore: Place?
    /// The packets of the first one.
    var packets: Event.Frames
  }

  /// A channel with incomplete or unreadable messages.
  private struct Broken {
    /// Those of the first one.
    let packets: Event.Frames?
    /// Whether the capture lacks bytes of any of them.
    var isTruncated = false
  }

  /// What is probably wrong with the profile, and not with the traffic.
  struct Mistake {
    /// In the profile's file; nil if it is not that of one expression.
    var line: Int?
    var column: Int?
    let words: String
    /// The packets that show it first.
    let packets: Event.Frames
  }

  init(_ profile: Profile, _ file: String) {
    (self.profile, self.file) = (profile, file)
    derivations = DerivationCheck(profile)
  }

  /// Ends the trial.
  /// - Parameter keys: Those of the session.
  mutating func end(_ keys: KeyRing) {
    var keys = keys
    if opened + locked > 0 { misderived = derivations.mistakes(&keys) }
  }

  var isGood: Bool {
    messages > 0 && untaken + unreadable + incomplete + checks + missing + locked == 0
      && mistakes.isEmpty
  }

  /// Takes a message, or one inside of another.
  mutating func take(_ tree: MessageTreeText, most: Int, to text: inout TextBuffer) {
    guard tree.profile == profile.id else { return }
    channels.insert(tree.channel)
    derivations.take(tree)
    write(tree, tree.channel, tree.frames, most: most, to: &text)
  }

  /// Takes what became of messages.
  mutating func take(_ event: Event, most: Int, to text: inout TextBuffer) {
    places.take(event)
    if case .network(.gap) = event.content, let link = event.link { linksWithGaps.insert(link) }
    let isWhole = event.link.map { !linksWithGaps.contains($0) } ?? true
    guard case .accessory(let event) = event.content, event.framing == profile.name else { return }
    note(event, isWhole: isWhole)
    switch event.content {
    case .message(let message):
      switch message.outcome {
      case .opened(let opened):
        self.opened += 1
        firstSealed = firstSealed ?? Self.packets(event.frames)
        derivations.take(opened.keyUse)
        for tree in profile.trees(plaintext: opened.plaintext, direction: event.direction) {
          write(tree, "decrypted", event.frames, most: most, to: &text)
        }
      case .locked(let verdict):
        locked += 1
        firstSealed = firstSealed ?? Self.packets(event.frames)
        if case .tagFails = verdict { tagFails += 1 }
        if messages <= most { line("not decrypted: \(verdict)", to: &text) }
      }
    case .unreadable(let message):
      unreadable += 1
      if isWhole, swapped == nil,
        case .tooShort(_, let offset, let needed, let available, _) = message.problem
      {
        swapped = Self.packets(event.frames).flatMap { packets in
          Self.swapped(offset.addingReportingOverflow(needed).partialValue, offset + available)
            .map { ($0, packets) }
        }
      }
      if messages <= most {
        line("\(Self.frames(event.frames)): not readable: \(message.problem.words.text)", to: &text)
      }
    case .publicKey(let key) where key.defect != nil:
      note(key.step.message, "security.public-key", event.frames)
    case .encapsulatedKey(let key) where key.defect != nil:
      note(key.step.message, "security.encapsulated-key", event.frames)
    case .blank:
      if messages <= most {
        line("\(Self.frames(event.frames)): overwritten with zeros", to: &text)
      }
    case .incomplete:
      incomplete += 1
    default: break
    }
  }

  private mutating func write(
    _ tree: MessageTreeText, _ place: String, _ frames: [PacketID], most: Int,
    to text: inout TextBuffer
  ) {
    messages += 1
    let isListed = messages <= most
    if isListed {
      text.printable(
        "\(Self.frames(frames))  \(place), \(tree.encoding), \(Names.count(tree.bytes.count, "byte"))"
      )
      text.byte(0x0A)
    }
    for note in tree.notes {
      if note.isFault { checks += 1 }
      if isListed { line(note.words, to: &text) }
    }
    guard let rule = tree.rule else {
      untaken += 1
      if isListed { line("no rule matches it", to: &text) }
      return
    }
    let at = Place(line: rule.line, column: rule.column)
    rules[at, default: Count(kind: rule.kind)].messages += 1
    if isListed {
      text.printable("  \(rule.kind)  (\(file):\(at.line):\(at.column))")
      text.byte(0x0A)
    }
    note(rule, at, frames)
    if let key = rule.members.first(where: { $0.name == "key" }) {
      keyPlaces[rule.kind] = Place(line: key.line, column: key.column)
    }
    members(rule.members, indent: 4, isListed, to: &text)
    for list in rule.lists {
      if isListed {
        text.printable(
          "    \(list.name): \(Names.count(list.items.count, "item"))  (\(file):\(list.line):\(list.column))"
        )
        text.byte(0x0A)
      }
      for item in list.items {
        if isListed { text.text("      -\n") }
        members(item, indent: 8, isListed, to: &text)
      }
    }
  }

  private mutating func members(
    _ members: [RuleReading.Member], indent: Int, _ isListed: Bool, to text: inout TextBuffer
  ) {
    for member in members {
      if member.value == nil, member.isRequired { missing += 1 }
      guard isListed else { continue }
      let value = member.value.map { "= \(Columns.cut($0, to: 100))" }
      let absent = member.isRequired ? "missing" : "absent"
      text.printable(
        String(repeating: " ", count: indent) + member.name
          + " \(value ?? "\(absent)  (\(file):\(member.line):\(member.column))")")
      text.byte(0x0A)
    }
  }

  /// Notes whether a message ends on its channel.
  private mutating func note(_ event: AccessoryEvent, isWhole: Bool) {
    let channel = event.origin.channel.described
    switch event.content {
    case .incomplete, .unreadable:
      broken[channel, default: Broken(packets: Self.packets(event.frames))].isTruncated =
        !isWhole || event.origin.isTruncated || broken[channel]?.isTruncated == true
    default: channels.insert(channel)
    }
  }

  private mutating func note(_ message: SecurityMessage, _ kind: String, _ frames: [PacketID]) {
    guard reversed[kind] == nil, let order = Self.order(of: message.key),
      let packets = Self.packets(frames)
    else { return }
    reversed[kind] = (order, packets)
  }

  /// How the bytes of a key have to be ordered so that they are a point of P-256; nil if no order makes them one.
  private static func order(of key: [UInt8]) -> String? {
    func isPoint(_ bytes: [UInt8]) -> Bool {
      KeyShape.p256.fits(bytes) || KeyShape.p256Uncompressed.fits(bytes)
    }
    if isPoint(key.reversed()) { return "all of them are" }
    guard key.count >= KeyShape.p256.size else { return nil }
    let size = KeyShape.p256.size / 2
    let (marker, x, y) = (
      key.dropLast(2 * size), key.dropLast(size).suffix(size), key.suffix(size)
    )
    return isPoint(Array(marker) + x.reversed() + y.reversed()) ? "those of X and of Y are" : nil
  }

  private mutating func note(_ rule: RuleReading, _ at: Place, _ frames: [PacketID]) {
    guard rule.kind == "fragment", let packets = Self.packets(frames) else { return }
    var seen = fragments[at] ?? Fragments(packets: packets)
    for member in rule.members {
      let place = Place(line: member.line, column: member.column)
      let holds = member.value == "true" || member.value.map({ Int($0) ?? 0 != 0 }) == true
      if member.name == "first" {
        if holds { seen.first += 1 }
        seen.placeOfFirst = place
      } else if member.name == "more" {
        seen.all += 1
        if holds { seen.more += 1 }
        seen.placeOfMore = place
      }
    }
    fragments[at] = seen
  }

  /// What is probably wrong with the profile, and not with what passed.
  var mistakes: [Mistake] {
    var found: [Mistake] = []
    func add(_ place: Place?, _ packets: Event.Frames?, _ words: String) {
      guard let packets else { return }
      found.append(
        Mistake(line: place?.line, column: place?.column, words: words, packets: packets))
    }
    for (_, it) in fragments.sorted(by: { $0.key < $1.key }) where it.all >= 3 {
      if it.first == it.all, it.more > 0, let place = it.placeOfFirst {
        add(
          place, it.packets,
          "'first' holds for each of \(it.all) fragments, although \(it.more) of them have more after them: it "
            + "should hold only for the first fragment of a message")
      } else if it.first == 0, let place = it.placeOfFirst {
        add(place, it.packets, "'first' never holds in \(it.all) fragments")
      } else if it.more == it.all, let place = it.placeOfMore {
        add(place, it.packets, "'more' holds for each of \(it.all) fragments: no message ends")
      } else if it.more == 0, it.first < it.all, it.placeOfFirst != nil, let place = it.placeOfMore
      {
        add(
          place, it.packets,
          "'more' never holds in \(it.all) fragments, although \(it.all - it.first) of them are not the first of a "
            + "message")
      }
    }
    for outline in profile.outlines where outline.assembly == "length" {
      // Elsewhere, the capture lacks what would end a message.
      guard let channel = outline.channel?.described, !channels.contains(channel),
        let broken = broken[channel], !broken.isTruncated
      else { continue }
      add(
        nil, broken.packets,
        "no message on \(channel) ends: 'total' is probably wrong, as if the length were read in the wrong byte order"
      )
    }
    if let swapped {
      add(
        nil, swapped.packets,
        "a length is \(swapped.length) if its bytes are swapped, which fits: the layout or 'total' probably reads it in "
          + "the wrong byte order")
    }
    for (kind, it) in reversed.sorted(by: { $0.key < $1.key }) {
      add(
        keyPlaces[kind], it.packets,
        "'key' takes bytes that are a point of P-256 only if \(it.order) in reverse order: add or remove '.reverse'"
      )
    }
    for mistake in misderived {
      add(Place(line: mistake.line, column: mistake.column), firstSealed, mistake.words)
    }
    if tagFails > 0, opened == 0, misderived.isEmpty {
      let places = rules.filter {
        ["transport.message", "security.encapsulated-key"].contains($0.value.kind)
      }.map { "\(file):\($0.key.line):\($0.key.column)" }.sorted()
      add(
        nil, firstSealed,
        "\(Names.count(tagFails, "message")) cannot be decrypted with a private key that fits the exchange: 'data', "
          + "'session-id', 'identifier' or 'key' probably takes the wrong bytes (\(places.joined(separator: ", ")))"
      )
    }
    return found
  }

  /// The length that a message would have if the two bytes of the one that was read are swapped; nil if that
  /// does not fit either.
  private static func swapped(_ needed: Int, _ available: Int) -> Int? {
    for header in 0...16 where (256...0xFFFF).contains(needed - header) {
      let other = Int(UInt16(truncatingIfNeeded: needed - header).byteSwapped)
      if other > 0, other + header == available { return other }
    }
    return nil
  }

  /// A mistake for all who read the results: of the file's folders only the last, as others name the user.
  func event(of mistake: Mistake) -> CaptureEvent.ProfileMistake {
    CaptureEvent.ProfileMistake(
      profile: profile.id, file: file.split(separator: "/").suffix(2).joined(separator: "/"),
      line: mistake.line, column: mistake.column, mistake: mistake.words)
  }

  private static func packets(_ frames: [PacketID]) -> Event.Frames? {
    guard let first = frames.min(), let last = frames.max() else { return nil }
    return Event.Frames(first, last, count: frames.count)
  }

  private func line(_ words: String, to text: inout TextBuffer) {
    text.text("  ! ")
    text.printable(words)
    text.byte(0x0A)
  }

  private static func frames(_ frames: [PacketID]) -> String {
    guard let first = frames.first, let last = frames.last else { return "" }
    return Names.packets(first, last)
  }

  func write(_ session: borrowing Session, to text: inout TextBuffer) {
    func add(_ line: String) {
      text.printable(line)
      text.byte(0x0A)
    }
    if messages > 0 { text.byte(0x0A) }
    var summary =
      "\(Names.count(messages, "message")): \(messages - untaken) matched by rules, \(untaken) unmatched, "
      + "\(unreadable) unreadable, \(incomplete) incomplete, \(Names.count(missing, "value")) missing"
    if checks > 0 { summary += ", \(Names.count(checks, "check")) failed" }
    if opened + locked > 0 {
      summary += "; \(opened) of \(Names.count(opened + locked, "encrypted message")) decrypted"
    }
    add(summary)
    for (place, rule) in rules.sorted(by: { $0.key < $1.key }) {
      text.text("  ")
      text.decimal(UInt64(rule.messages), padding: 8)
      add("  \(rule.kind)  (\(file):\(place.line):\(place.column))")
    }
    for mistake in mistakes {
      let place = mistake.line.map { "\(file):\($0):\(mistake.column ?? 1): " } ?? ""
      add("Likely mistake in the profile: \(place)\(mistake.words)")
    }
    let absent = CapturePlaces.absent(profile.outlines.compactMap(\.channel)) {
      channels.contains($0.described) || broken[$0.described] != nil
    }
    for line in places.lines(without: absent, session) { add(line) }
  }
}
