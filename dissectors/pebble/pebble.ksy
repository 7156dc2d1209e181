meta:
  id: pebble
  title: Pebble Accessory Transport
  license: CC0-1.0
  endian: be
doc: |
  Messages between Pebble watches and their phone app over the two characteristics of the Accessory
  Transport service. A value begins with its kind; flags split encrypted messages into several
  values.
-hark-attach:
  - gatt-characteristic: 50000001-328E-0FBB-C642-1AA6699BDADA
  - gatt-characteristic: 50000002-328E-0FBB-C642-1AA6699BDADA
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
      doc: From the phone. An encapsulated key, and the phone's identifier for the watch.
    0x03:
      id: data
      doc: From the phone. A part of an encrypted message.
    0x82:
      id: response
      doc: From the watch. A part of an encrypted message.
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
        doc: X and Y of a point on P-256.
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
        doc: 0x01 if more fragments follow, 0x02 for the first.
      - id: chunk
        size-eos: true
    instances:
      has_more:
        value: flags & 1 != 0
      is_first:
        value: flags & 2 != 0
  sealed:
    doc: A message reassembled from its fragments.
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
    doc: The phone's plaintext.
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
        doc: 0x01 if the user can enter text.
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
    doc: The watch's plaintext.
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
