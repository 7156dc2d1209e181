import HarkPresentation
import HarkProfile

/// What `hark dissectors guess` says, for programs. docs/reports-json.md has the members.
struct GuessJSON {
  var json = JSONText()

  mutating func write(
    _ guesses: [ChannelGuess], _ search: KeySearch?, _ summary: [String], profile: String
  ) {
    json.object { json in
      json.array("channels") { json in
        for guess in guesses { json.object { Self.write(guess, to: &$0) } }
      }
      if !summary.isEmpty {
        json.array("search") { json in
          for line in summary { json.element(line.trimmingPrefix("  ").description) }
        }
      }
      if let search {
        json.array("plaintexts") { json in
          for message in search.messages {
            json.object { json in
              json.number("packet", Int(message.frame))
              json.string(
                "from", message.direction == .hostToAccessory ? "phone" : "accessory")
              json.hex("bytes", message.plaintext)
            }
          }
        }
      }
      json.string("profile", profile)
    }
    json.text.byte(0x0A)
  }

  private static func write(_ guess: ChannelGuess, to json: inout JSONText) {
    let values = guess.traffic.values
    json.string("channel", guess.traffic.channel.selector)
    json.string("name", guess.traffic.channel.described)
    json.string("device", guess.traffic.device)
    json.string("id", guess.id)
    json.string("overview", guess.traffic.overview)
    json.number("values", values.count)
    json.number("values_to_server", values.count(where: \.toServer))
    json.number("left_out", guess.traffic.leftOut > 0 ? guess.traffic.leftOut : nil)
    json.number("messages", guess.messageCount)
    json.string("assembly", guess.assemblyName)
    json.string("encoding", guess.encodingName)
    json.array("remarks") { json in
      for line in guess.summary.dropFirst() { json.element(line) }
    }
    parts("fields", guess.valueParts, to: &json)
    if !guess.messageParts.isEmpty { parts("message", guess.messageParts, to: &json) }
    if !guess.memberParts.isEmpty {
      json.array("members") { json in
        for member in guess.memberParts {
          json.object { json in
            json.string("name", member.name)
            json.string("holds", member.holds)
            json.string("key", member.key)
            json.number("count", member.count)
            json.number("of", member.of)
          }
        }
      }
    }
    json.string("layout", guess.layout)
  }

  private static func parts(
    _ name: StaticString, _ parts: [GuessedPart], to json: inout JSONText
  ) {
    json.array(name) { json in
      for part in parts {
        json.object { json in
          json.string("name", part.name)
          json.string("meaning", part.meaning)
          json.string("size", part.size)
          json.number("code", part.code)
          if let bytes = part.bytes { json.hex("bytes", bytes) }
          if !part.codes.isEmpty {
            json.array("codes") { json in
              for code in part.codes {
                json.object { json in
                  json.number("value", code.value)
                  json.number("count", code.count)
                }
              }
            }
          }
          if !part.evidence.isEmpty { json.string("evidence", part.evidence) }
          if !part.parts.isEmpty { Self.parts("fields", part.parts, to: &json) }
        }
      }
    }
  }
}
