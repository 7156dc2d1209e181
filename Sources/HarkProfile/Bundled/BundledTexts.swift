// Made by Tools/generate-bundled.py from dissectors/. Do not edit.
// swift-format-ignore-file

extension BundledFiles {
  static let texts: [String: String] = [
"lens/lens.ksy": ##"""
meta:
  id: lens
  title: Acme Lens link
  license: CC0-1.0
doc: |
  An SDU between Lens glasses and the phone: a part of a message. The parts together are one item of
  CBOR, a map whose `op` says what it is.
seq:
  - id: message
    type: u1
    doc: Counts the sender's messages.
  - id: part
    type: u1
    doc: From 0.
  - id: num_parts
    type: u1
    valid:
      min: 1
    -hark-severity: error
  - id: bytes
    size-eos: true
"""## + "\n",
"lens/profile.yaml": ##"""
profile:
  id: lens
  name: Acme Lens
  doc: |
    Glasses of an invented vendor: CBOR over an LE credit-based channel, X-Wing, messages in parts.
    The phone learns the SPSM from the second characteristic of the service.
  service: 3D9C0001-7A54-4E0B-8E21-6F0A5B4C9D12

channels:
  - l2cap-psm: 0x00A3
    longest: 1024
    encoding: lens.ksy
    messages:
      - is: fragment
        key: message
        first: part == 0
        more: part + 1 < num_parts
        body: bytes
        encoding: cbor
        messages:
          - when: op == "offer"
            is: security.public-key
            suite: suite
            version: version
            key: key
          - when: op == "agree"
            is: security.encapsulated-key
            suite: suite
            version: version
            key: enc
            identifier: peer
          - when: op == "sealed"
            is: transport.message
            session-id: feature.uuid
            data: box
            receipt-id: id
          - when: op == "taken"
            is: accepted
            id: id
          - when: op == "hello" or op == "status"
            is: nothing

plaintext:
  - from: phone
    encoding: cbor
    messages:
      - when: ev == "add"
        is: notification.add
        message-version: v
        notification-identifier: note.id
        source-identifier: note.app
        source-name: note.source
        title: note.title
        subtitle: note.subtitle
        body: note.text
        thread-identifier: note.thread
        should-alert: alert
        source-icon-size: note.icon.size
        actions:
          each: note.actions
          identifier: id
          title: title
          text-input: input
      - when: ev == "update"
        is: notification.update
        message-version: v
        notification-identifier: note.id
        source-identifier: note.app
        source-name: note.source
        title: note.title
        subtitle: note.subtitle
        body: note.text
        thread-identifier: note.thread
        should-alert: alert
        source-icon-size: note.icon.size
        actions:
          each: note.actions
          identifier: id
          title: title
          text-input: input
      - when: ev == "remove"
        is: notification.remove
        message-version: v
        notification-identifier: id
        source-identifier: app
      - when: ev == "clear"
        is: notification.remove-all
        message-version: v

  - from: accessory
    encoding: cbor
    messages:
      - when: ev == "act"
        is: notification.response
        message-version: v
        notification-identifier: id
        source-identifier: app
        action-identifier: action
        user-text: text
      - when: ev == "shown"
        is: notification.displayed
        message-version: v
        notification-identifier: id
        source-identifier: app
        did-alert: alerted
"""## + "\n",
"pebble/pebble.ksy": ##"""
meta:
  id: pebble
  title: Pebble Accessory Transport
  license: CC0-1.0
  endian: be
doc: |
  What Pebble watches and their phone side say over the two characteristics of the Accessory
  Transport service. A value begins with its kind; messages that are sealed are split over several
  values by flags.
seq:
  - id: kind
    type: u1
    enum: kind
  - id: body
    type:
      switch-on: kind
      cases:
        kind::public_key: public_key
        kind::session: session
        kind::data: fragment
        kind::response: fragment
enums:
  kind:
    0x01:
      id: public_key
      doc: From the watch, each time the phone subscribes.
    0x02:
      id: session
      doc: From the phone. An encapsulated key, and what the phone calls the watch.
    0x03:
      id: data
      doc: From the phone. A part of a sealed message.
    0x82:
      id: response
      doc: From the watch. A part of a sealed message.
  message_type:
    1: present
    2: remove
    3: remove_all
  tag:
    1: title
    2: subtitle
    3: body
    4: source
    5: identifier
    6: alert
    7: action
types:
  public_key:
    seq:
      - id: public_key
        size-eos: true
        doc: X and Y of a point of P-256.
  session:
    seq:
      - id: encapsulated_key
        size: 65
      - id: len_identifier
        type: u1
      - id: identifier
        type: str
        size: len_identifier
        encoding: UTF-8
  fragment:
    seq:
      - id: flags
        type: u1
        doc: 0x01 where more follow, 0x02 for the first.
      - id: chunk
        size-eos: true
    instances:
      has_more:
        value: flags & 1 != 0
      is_first:
        value: flags & 2 != 0
  sealed:
    doc: A message put together from its fragments.
    seq:
      - id: len_session_id
        type: u1
      - id: session_id
        type: str
        size: len_session_id
        encoding: UTF-8
      - id: data
        size-eos: true
        doc: Nonce (12 bytes), ciphertext and tag (16 bytes).
  message:
    doc: What the phone seals.
    seq:
      - id: message_type
        type: u1
        enum: message_type
      - id: body
        type:
          switch-on: message_type
          cases:
            message_type::present: notification
            message_type::remove: removed
  removed:
    seq:
      - id: identifier
        type: str
        size-eos: true
        encoding: UTF-8
  notification:
    seq:
      - id: fields
        type: field
        repeat: eos
  field:
    seq:
      - id: tag
        type: u1
        enum: tag
        -hark-with-next: true
      - id: len_field
        type: u1
        -hark-with-next: true
      - id: field
        size: len_field
        -hark-with-next: true
        type:
          switch-on: tag
          cases:
            tag::title: title
            tag::subtitle: subtitle
            tag::body: body
            tag::source: source
            tag::identifier: removed
            tag::alert: alert
            tag::action: actions
            _: unknown
  title:
    seq:
      - id: title
        type: str
        size-eos: true
        encoding: UTF-8
  subtitle:
    seq:
      - id: subtitle
        type: str
        size-eos: true
        encoding: UTF-8
  body:
    seq:
      - id: body
        type: str
        size-eos: true
        encoding: UTF-8
  source:
    seq:
      - id: source
        type: str
        size-eos: true
        encoding: UTF-8
  alert:
    seq:
      - id: alert
        size-eos: true
        -hark-format: flag
  actions:
    seq:
      - id: action
        type: action
  action:
    seq:
      - id: action_flags
        type: u1
        doc: 0x01 where the user may type a text.
      - id: len_action_identifier
        type: u1
        -hark-with-next: true
      - id: action_identifier
        type: str
        size: len_action_identifier
        encoding: UTF-8
      - id: len_action_title
        type: u1
        -hark-with-next: true
      - id: action_title
        type: str
        size: len_action_title
        encoding: UTF-8
  unknown:
    seq:
      - id: unknown
        size-eos: true
  reply:
    doc: What the watch seals.
    seq:
      - id: len_notification_identifier
        type: u1
        -hark-with-next: true
      - id: notification_identifier
        type: str
        size: len_notification_identifier
        encoding: UTF-8
      - id: len_action_identifier
        type: u1
        -hark-with-next: true
      - id: action_identifier
        type: str
        size: len_action_identifier
        encoding: UTF-8
      - id: len_text
        type: u2le
        -hark-with-next: true
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
"""## + "\n",
"pebble/profile.yaml": ##"""
profile:
  id: pebble
  name: Pebble
  doc: |
    The framing of Pebble watches (PebbleOS and its phone side): P-256, typed values, fragments with
    flags.
  service: 50000000-328E-0FBB-C642-1AA6699BDADA

channels:
  # RX, written.
  - gatt-characteristic: 50000002-328E-0FBB-C642-1AA6699BDADA
    from: phone
    longest: 512
    encoding: pebble.ksy
    messages:
      - when: kind == kind::session
        is: security.encapsulated-key
        cipher-suite: P256
        key: body.encapsulated_key
        identifier: body.identifier
      - when: kind == kind::data
        is: fragment
        first: body.is_first
        more: body.has_more
        body: body.chunk
        encoding: pebble.ksy::sealed
        messages:
          - is: transport.message
            session-id: session_id
            data: data

  # TX, notified.
  - gatt-characteristic: 50000001-328E-0FBB-C642-1AA6699BDADA
    from: accessory
    longest: 512
    encoding: pebble.ksy
    messages:
      - when: kind == kind::public_key
        is: security.public-key
        cipher-suite: P256
        exact-size: true
        key: body.public_key
      - when: kind == kind::response
        is: fragment
        first: body.is_first
        more: body.has_more
        body: body.chunk
        encoding: pebble.ksy::sealed
        messages:
          - is: transport.message
            session-id: session_id
            data: data

plaintext:
  - from: phone
    encoding: pebble.ksy::message
    messages:
      # What was read of a notification stays when the rest cannot be.
      - when: message_type == message_type::present
        is: notification.present
        partial: true
        title: body.fields.field.title.last
        subtitle: body.fields.field.subtitle.last
        body: body.fields.field.body.last
        source-name: body.fields.field.source.last
        notification-identifier: body.fields.field.identifier.last
        should-alert: body.fields.field.alert.last[0]
        actions:
          each: body.fields.field.action
          identifier: action_identifier
          title: action_title.non_empty
          text-input: action_flags & 1 != 0
      - when: message_type == message_type::remove
        is: notification.remove
        notification-identifier: body.identifier
      - when: message_type == message_type::remove_all
        is: notification.remove-all

  - from: accessory
    encoding: pebble.ksy::reply
    messages:
      - is: notification.response
        notification-identifier: notification_identifier
        action-identifier: action_identifier
        user-text: text
"""## + "\n",
  ]

  static let heads: [Head] = [
Head(path: "lens/profile.yaml", name: "Acme Lens", service: "3D9C0001-7A54-4E0B-8E21-6F0A5B4C9D12", channels: [("l2cap-psm", "0x00A3"), ]),
Head(path: "pebble/profile.yaml", name: "Pebble", service: "50000000-328E-0FBB-C642-1AA6699BDADA", channels: [("gatt-characteristic", "50000002-328E-0FBB-C642-1AA6699BDADA"), ("gatt-characteristic", "50000001-328E-0FBB-C642-1AA6699BDADA"), ]),
  ]
}
