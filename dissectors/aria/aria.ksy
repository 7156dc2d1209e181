meta:
  id: aria
  title: Acme Aria
  license: CC0-1.0
  endian: le
doc: |
  Frames between Aria headphones and their vendor's app, over RFCOMM.
-hark-attach:
  - rfcomm-service: 8E4B7A10-35C2-4D0F-9C61-0B5F2A94D7E3
-hark-stream:
  header: 5
  total: len_body + 7
seq:
  - id: magic
    contents: [0xac]
    -hark-severity: error
  - id: kind
    type: u1
    enum: kind
  - id: sequence
    type: u1
    doc: Counts the sender's frames.
  - id: len_body
    type: u2
  - id: body
    size: len_body
    type:
      switch-on: kind
      cases:
        kind::hello: hello
        kind::watch: watch
        kind::set: change
        kind::ack: ack
        kind::identity: identity
        kind::capabilities: capabilities
        kind::placement: placement
        kind::sources: sources
        kind::battery: battery
        kind::changed: change
        kind::acked: ack
  - id: crc
    type: u2
    -hark-format: hex
    -hark-checksum:
      algorithm: crc16-ccitt-false
      over: covered
instances:
  covered:
    pos: 1
    size: len_body + 4
enums:
  kind:
    0x01:
      id: hello
      doc: From the app, once it has opened the channel.
    0x02:
      id: watch
      doc: From the app. The values that it subscribes to.
    0x20: set
    0x7e: ack
    0x81: identity
    0x82:
      id: capabilities
      doc: Sent before any report about them.
    0x84: placement
    0x85: sources
    0x86: battery
    0xa0: changed
    0xfe: acked
  place:
    0: in_case
    1: off_head
    2: in_ear
    3: on_head
    4: over_the_ear
  role:
    1: primary
    2: secondary
  audio:
    0: none
    1: media
    2: call
  setting:
    0x0d: listening_mode
types:
  hello:
    seq:
      - id: version
        type: u1
      - id: name
        type: name
  watch:
    seq:
      - id: mask
        type: u2
        -hark-format: hex
  change:
    seq:
      - id: setting
        type: u1
        enum: setting
      - id: value
        type: u1
  ack:
    seq:
      - id: of_sequence
        type: u1
      - id: status
        type: u1
  identity:
    seq:
      - id: version
        type: u1
      - id: model
        type: model
      - id: firmware
        type: text
      - id: serial
        type: serial
  capabilities:
    seq:
      - id: bits
        type: u2
        -hark-format: hex
        doc: 0x0001 audio switching, 0x0002 placement, 0x0100 battery, 0x0200 listening modes.
  placement:
    seq:
      - id: place
        type: u1
        enum: place
  sources:
    seq:
      - id: num_sources
        type: u1
      - id: sources
        type: source
        repeat: expr
        repeat-expr: num_sources
    instances:
      primary:
        value: sources[0].address
        if: num_sources > 0 and sources[0].role == role::primary
      secondary:
        value: sources[num_sources - 1].address
        if: num_sources > 0 and sources[num_sources - 1].role == role::secondary
  source:
    seq:
      - id: role
        type: u1
        enum: role
      - id: audio
        type: u1
        enum: audio
      - id: address
        size: 6
        -hark-format: address-be
        doc: Most significant octet first.
  battery:
    seq:
      - id: level
        type: u1
        -hark-unit: percent
      - id: is_charging
        type: u1
        -hark-format: flag
  name:
    seq:
      - id: len_text
        type: u1
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
        -hark-personal: name
  model:
    seq:
      - id: len_text
        type: u1
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
        -hark-personal: model
  serial:
    seq:
      - id: len_text
        type: u1
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
        -hark-personal: serial-number
  text:
    seq:
      - id: len_text
        type: u1
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
