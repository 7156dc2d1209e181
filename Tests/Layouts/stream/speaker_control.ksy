# Pieces of 16 bytes of the data of an External Accessory session that knows no messages.
meta:
  id: speaker_control
  title: Speaker control
  endian: be
doc: What the app and the speaker say, cut every 16 bytes.
-hark-attach:
  - ea-protocol: com.acme.speaker.control
-hark-stream:
  header: 1
  total: 16
to-string: '"a piece that begins with " + first.to_s'
seq:
  - id: first
    type: u1
  - id: rest
    size: 15
