import HarkCore
import HarkProfile
import HarkSession

/// Gives any values and plaintexts to profiles that are sound. The first byte picks the profile; its
/// highest bit says that a plaintext follows.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProfileValues(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let choice = input.byte()
  let profile = profiles[Int(choice & 0x7F) % profiles.count]
  let framing = profile.framing
  if choice & 0x80 != 0 {
    checkPlaintext(input.all(), framing, profile)
  } else {
    feed(&input, framing, framing.channels)
  }
  return 0
}

/// `seeds.py` counts in this order: new ones go to the end.
private let profiles: [Profile] =
  [streams, objects].map { (text: String) -> Profile in
    do {
      return try Profile.load("profile.yaml", from: Files(texts: ["profile.yaml": text]))
    } catch {
      preconditionFailure("\(error)")
    }
  } + Profile.bundled

/// All that cuts streams and joins values.
private let streams = """
  profile:
    id: streams
  channels:
    - l2cap-psm: 0x81
      assembly: cobs
      encoding: cbor
      messages:
        - is: nothing
    - l2cap-psm: 0x82
      assembly: slip
      encoding: json
      messages:
        - is: nothing
    - ea-protocol: com.example.length
      assembly:
        length:
          header: 3
          total: _[1] * 256 + _[2]
      encoding: raw
      messages:
        - is: transport.message
          session-id: '"s"'
          data: _
    - rfcomm-channel: 4
      wrapper:
        prefix: [1, 2]
        size: 4
      assembly:
        sentinels:
          start: [0x3c]
          end: [0x3e]
      encoding: raw
      messages:
        - is: security.encapsulated-key
          cipher-suite: P256
          key: _.slice(0, 65)
    - l2cap-psm: 0x83
      assembly:
        sequence:
          number: _[0] & 0x1f
          modulo: 32
          first: _[0] & 0x40 != 0
          last: _[0] & 0x80 != 0
          key: _[1] & 1
          body: _.slice(2, _.size)
          gap: keep
          longest: 512
      encoding: json
      messages:
        - is: nothing
    - l2cap-psm: 0x84
      assembly:
        sequence:
          number: _[0]
          total: _[1]
          body: _.slice(2, _.size)
          repeat: restart
      encoding: cbor
      messages:
        - is: nothing
  """

/// Messages in general encodings, with lists and transforms.
private let objects = """
  profile:
    id: objects
  tables:
    kinds:
      1: one
      2: two
  channels:
    - l2cap-psm: 0x81
      encoding: json
      messages:
        - when: key.exists
          is: security.public-key
          key: key.base64
          suite: suite
        - when: data.exists
          is: transport.message
          session-id: session
          data: data.base64
        - when: part.exists
          is: fragment
          key: id
          first: part == 0
          more: more.default(false)
          body: body.hex
          encoding: cbor
          messages:
            - is: accepted
              id: _.first
        - is: notification.add
          notification-identifier: id.uuid
          title: title.non_empty
          body: kind.named("kinds")
          body-size: body.size
          actions:
            each: actions
            when: identifier.exists
            identifier: identifier
            title: title.to_hex
    - l2cap-psm: 0x82
      encoding: cbor
      messages:
        - is: command-result
          command-id: _[0]
          success: _[1] != 0
          message: _[2].json.text
  plaintext:
    - encoding: json
      messages:
        - is: envelope
          body: data.base64
          encoding: cbor
          messages:
            - is: notification.remove
              notification-identifier: id
  """
