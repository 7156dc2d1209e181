meta:
  id: pebble_transport
  title: Pebble accessory transport
  endian: be
doc: Values of the two characteristics, before reassembly.
doc-ref: docs/layouts.md
-hark-attach:
  - gatt-characteristic: 50000001-328E-0FBB-C642-1AA6699BDADA
  - gatt-characteristic: 50000002-328E-0FBB-C642-1AA6699BDADA
seq:
  - id: kind
    type: u1
    enum: kind
    doc: The kind of the value.
  - id: body
    type:
      switch-on: kind
      cases:
        kind::public_key: public_key
        kind::session: session
        kind::data: fragment
        kind::response: fragment
    size-eos: true
types:
  public_key:
    seq:
      - id: key
        size: 64
  session:
    seq:
      - id: key
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
        -hark-format: hex
      - id: data
        size-eos: true
enums:
  kind:
    1: public_key
    2: session
    3: data
    0x82: response
