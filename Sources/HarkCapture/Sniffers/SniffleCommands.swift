import HarkCore

/// The commands that start Sniffle: lines of Base64, whose first byte is the number of their groups of four characters.
/// The messages are as NCC Group's public host software has them.
enum SniffleCommands {
  private enum Identifier {
    static let channel: UInt8 = 0x10
    static let pause: UInt8 = 0x11
    static let signal: UInt8 = 0x12
    static let address: UInt8 = 0x13
    static let hop: UInt8 = 0x14
    static let follow: UInt8 = 0x15
    static let auxiliary: UInt8 = 0x16
    static let marker: UInt8 = 0x18
    static let intervals: UInt8 = 0x21
    static let phy: UInt8 = 0x23
    static let check: UInt8 = 0x26
  }

  /// Starts it: what it listens to, that it follows connections, and a marker that shows its clock.
  static func start(_ sniffer: Sniffer) -> [UInt8] {
    var channel = [Identifier.channel, sniffer.channels.first ?? 37]
    channel.append(little: LLAccessAddress.advertising)
    channel.append(sniffer.isCoded ? 2 : 0)
    channel.append(little: LinkLayerCRC.advertising)
    var messages: [[UInt8]] = [
      // One that is lost while the line is not in step.
      [Identifier.marker, UInt8(ascii: "@")],
      channel,
      // -128 dBm: everything.
      [Identifier.signal, 0x80],
      [Identifier.pause, 0],
      [Identifier.follow, 1],
      [Identifier.auxiliary, sniffer.isExtended || sniffer.isCoded ? 1 : 0],
    ]
    if let address = sniffer.follow {
      messages.append([Identifier.address] + address.octets.reversed())
      if sniffer.channels.isEmpty, !sniffer.isExtended, !sniffer.isCoded {
        messages.append([Identifier.hop])
      }
    } else {
      messages.append([Identifier.address])
    }
    messages += [
      // Packets with a wrong CRC are not sent.
      [Identifier.check, 1],
      [Identifier.intervals],
      // LE 2M is what an encrypted connection usually changes to.
      [Identifier.phy, 1],
      [Identifier.marker] + Array("hark".utf8),
    ]
    return messages.flatMap(encode)
  }

  /// The line of a message.
  static func encode(_ message: [UInt8]) -> [UInt8] {
    let bytes = [UInt8((message.count + 3) / 3)] + message
    let characters = Base64.characters(bytes, isURL: false)
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: -characters.count & 3)
    return characters + padding + [0x0D, 0x0A]
  }
}
