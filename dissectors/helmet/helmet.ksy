meta:
  id: helmet
  title: Acme Helmet
  license: CC0-1.0
  endian: be
doc: The envelope of a message between the helmet and its app, in the bytes of an External Accessory session.
seq:
  - id: magic
    contents: HL
    -hark-severity: error
  - id: len_body
    type: u2
  - id: body
    size: len_body
    doc: An Envelope of helmet.proto.
