meta:
  id: faulty
  endian: le
-hark-attach:
  - l2cap-psm: 0x0081
  - zigbee-cluster: 6
seq:
  - id: kind
    type: u9
  - id: length
    type: u2
  - id: body
    size: lenght
  - id: crc
    size: 2
    -hark-checksum:
      algorithm: crc77
      over: body
