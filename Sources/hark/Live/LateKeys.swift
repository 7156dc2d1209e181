import HarkCapture
import HarkCrypto
import HarkSession
import HarkWeb

/// Decrypts what the links of an over-the-air capture encrypted before their key arrived: hark reads everything
/// again with it, and shows what it had not shown before.
struct LateKeys {
  private var knowledge: Knowledge

  /// - Parameter keys: The keys that were known from the start.
  init(_ keys: KeyRing) {
    knowledge = Knowledge(keys: keys, framings: Dissectors.framings)
    knowledge.library = GATTFiles.library
    knowledge.forgets = true
  }

  /// Gives new keys to a session, and shows what they decrypt.
  mutating func give(
    _ keys: [StoredKey], to reading: inout Reading, _ writer: inout EventWriter, _ out: LiveOutput
  ) {
    for key in keys { knowledge.keys.add(key) }
    if let log = reading.log, log.failure == nil, keys.contains(where: Self.mayOpenLink),
      let session = replay(log, &writer, out)
    {
      reading.session = session
      reading.session.onKeySearch = Progress.keySearch
    } else {
      reading.session.take(.keys(keys))
      reading.log?.update(.keys(keys))
    }
  }

  /// Whether a link may be encrypted with a key that follows from it.
  private static func mayOpenLink(_ key: StoredKey) -> Bool {
    switch key {
    case .bonding(let key): key.kind == .longTermKey || key.kind == .temporaryKey
    case .accessory(let key): key.suite == .p256
    case .session, .internet: false
    }
  }

  /// - Returns: Nil if no link opens that was locked before.
  private func replay(
    _ log: SessionLog, _ writer: inout EventWriter, _ out: LiveOutput
  ) -> Session? {
    var replay = Replay(log, knowledge)
    replay.session.keepsValues = writer.wantsValues
    replay.session.keepsMessages = writer.wantsMessages
    writer.beginReplay()
    while replay.step(
      before: { record, session in
        if let kinds = writer.kindsWithFields {
          session.keepsFields = kinds[Int(record.kind.rawValue)]
        }
      },
      after: { record, bytes, session in
        if let record { writer.take(record, bytes, &session) }
        writer.writeNew(session, to: &out.lines)
      })
    {}
    return writer.endReplay() ? replay.end() : nil
  }
}
