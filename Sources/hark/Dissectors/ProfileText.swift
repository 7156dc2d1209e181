import HarkCore
import HarkCrypto
import HarkProfile
import HarkSession

/// A profile for people.
enum ProfileText {
  static func write(_ profile: Profile, to text: inout TextBuffer) {
    text.printable(profile.name)
    text.byte(0x0A)
    for line in profile.documentation.split(separator: "\n") { write(line, to: &text) }
    if let service = profile.service {
      write("  recognized by  GATT service \(service)", to: &text)
    }
    for outline in profile.outlines {
      text.byte(0x0A)
      let place = outline.channel.map { $0.described } ?? "Inside encrypted messages"
      write(place + direction(outline) + (outline.isSecret ? ", private keys" : ""), to: &text)
      let assembly = outline.assembly.map { ", assembled by \($0)" } ?? ""
      write("  read as  \(outline.encoding)\(assembly)", to: &text)
      for message in outline.messages {
        let indent = String(repeating: "  ", count: message.depth + 2)
        write(
          indent + message.kind + (message.encoding.map { ", read as \($0)" } ?? ""), to: &text)
      }
    }
  }

  private static func write(_ line: some StringProtocol, to text: inout TextBuffer) {
    text.printable(line)
    text.byte(0x0A)
  }

  private static func direction(_ outline: Profile.Outline) -> String {
    switch outline.direction {
    case .hostToAccessory: ", from the phone"
    case .accessoryToHost: ", from the accessory"
    case nil: ""
    }
  }
}
