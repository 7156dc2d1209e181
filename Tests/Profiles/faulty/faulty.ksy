meta:
  id: faulty
seq:
  - id: kind
    type: u9
