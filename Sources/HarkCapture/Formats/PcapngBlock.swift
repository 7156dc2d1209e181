/// The types of blocks in pcapng that are read, written or redacted, or that damage is searched for.
/// https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/
package enum PcapngBlock {
  package static let section: UInt32 = 0x0A0D_0D0A
  package static let interface: UInt32 = 1
  package static let packet: UInt32 = 2
  package static let simplePacket: UInt32 = 3
  package static let statistics: UInt32 = 5
  package static let enhancedPacket: UInt32 = 6
  package static let decryptionSecrets: UInt32 = 10
  package static let custom: UInt32 = 0xBAD
  package static let uncopiedCustom: UInt32 = 0x4000_0BAD

  /// The Byte-Order Magic of a section, 4.1.
  static let byteOrderMagic: UInt32 = 0x1A2B_3C4D

  package static func isPacket(_ type: UInt32) -> Bool {
    type == packet || type == simplePacket || type == enhancedPacket
  }

  /// Whether a block may be longer than what is held in memory.
  static func isPassedOver(_ type: UInt32) -> Bool {
    isKnown(type) && !isPacket(type) && type != section && type != interface
  }

  static func isKnown(_ type: UInt32) -> Bool {
    type == section || (type >= interface && type <= decryptionSecrets) || type == custom
      || type == uncopiedCustom
  }
}
