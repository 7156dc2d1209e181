# Divides the data of an External Accessory session, which has no message boundaries, into pieces of 16 bytes.
meta:
  id: speaker_control
  title: Speaker control
  endian: be
doc: The data of the app and the speaker, in pieces of 16 bytes.
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
