# Units of a vendor's values, for the messages of captures/tutorial.
meta:
  id: clip_units
  title: Clip units
  endian: le
-hark-attach:
  - gatt-characteristic: C11F0001-5B7E-4A36-9D2C-E0A4831B66F5
  - gatt-characteristic: C11F0002-5B7E-4A36-9D2C-E0A4831B66F5
seq:
  - id: loss
    type: s1
    -hark-unit: -0.5 dB
  - id: delay
    type: u1
    -hark-unit: 1.25 ms
  - id: kind
    type: u1
  - id: len_body
    type: u2
  - id: session
    size: 16
    if: kind == 0x20
    -hark-format: uuid
  - id: warmth
    type: f4
    if: kind == 0x30
    -hark-unit: °C
instances:
  strength:
    value: loss
    enum: strength
enums:
  strength: {-63: weak, 1: strong}
