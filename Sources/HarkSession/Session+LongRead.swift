import HarkCore
import HarkDissection

// Values that Read Blob goes on with. Core Specification, Vol 3, Part F, 3.4.4.5.
extension Session {
  /// A value in parts whose last one this packet is, for those who show it. Framings put their
  /// messages together themselves.
  mutating func completeRead(_ link: LinkID, _ side: Int, _ key: DatabaseKey) {
    guard keepsFields, let read = linkTable.longRead(on: link, side), read.frames.count > 1,
      !carriesKeys(read.handle, key), let type = databaseTable[key].type(of: read.handle),
      accessories.framing(of: type) == nil,
      let entry = catalog.entry(at: .attribute(type))
    else { return }
    complete(
      "attribute value", read.bytes.raw, entry, packets: read.frames.map(\.number))
  }
}
