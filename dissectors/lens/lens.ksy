meta:
  id: lens
  title: Acme Lens link
  license: CC0-1.0
doc: |
  An SDU between Lens glasses and the phone: a part of a message. All parts together are one CBOR item,
  a map whose `op` is its type.
seq:
  - id: message
    type: u1
    doc: Counts the sender's messages.
  - id: part
    type: u1
    doc: Starts at 0.
  - id: num_parts
    type: u1
    valid:
      min: 1
    -hark-severity: error
  - id: bytes
    size-eos: true
