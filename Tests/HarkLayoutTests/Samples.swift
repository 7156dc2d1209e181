/// Layouts to test with.
enum Samples {
  static let earbud = """
    meta:
      id: acme_earbud
      title: Acme Earbud control link
      license: CC0-1.0
      endian: le
    doc: Control messages between the Acme application and its earbuds.
    doc-ref: Acme Control Protocol 1.2, section 3
    -hark-attach:
      - rfcomm-service: 5e6a0001-8c1d-4f7b-9a53-2f0d6c1b7e42
      - l2cap-psm: 0x1001
    -hark-stream:
      header: 3
      total: len_body + 3
    to-string: '"seq " + sequence.to_s'
    seq:
      - id: sequence
        type: u1
      - id: kind
        type: u1
        enum: kind
      - id: len_body
        type: u1
        valid:
          max: 200
        -hark-severity: error
      - id: body
        size: len_body
        type:
          switch-on: kind
          cases:
            kind::battery: battery
    types:
      battery:
        seq:
          - id: left
            type: u1
            -hark-unit: percent
          - id: is_charging
            type: b1
          - id: reserved
            type: b7
        instances:
          is_low:
            value: left < 10
    enums:
      kind:
        0x01: battery
        0x02:
          id: on
          doc: A name that YAML 1.1 takes for a truth value.
    """

  /// A message of `earbud`.
  static let packet: [UInt8] = [0x07, 0x01, 0x02, 0x64, 0x80]

  /// As many features as fit.
  static let everything = """
    meta:
      id: everything
      endian:
        switch-on: order
        cases:
          1: le
          _: be
      bit-endian: le
      encoding: UTF-8
    params: []
    seq:
      - id: magic
        contents: [0, 'AB', 0x03]
        if: false
      - id: numbers
        type: s2be
        repeat: expr
        repeat-expr: 2
      - id: flags
        type: b3
      - id: more
        type: b9be
      - id: name
        type: strz
      - id: padded
        type: str
        size: 6
        terminator: 0x20
        pad-right: 0
        encoding: UTF-16LE
      - id: mixed
        size: 3
        process: xor(numbers[0])
      - id: turned
        size: 2
        process: rol(3)
      - id: items
        type: item(_index, numbers.last)
        repeat: until
        repeat-until: _io.eof or _.kind == kind::last or _index > 5
      - id: rest
        size-eos: true
    instances:
      order:
        pos: 0
        type: u1
      sum:
        value: 'numbers[0] + numbers[1] * 2 - (-7 / 2) % 3 << 1'
      word:
        value: 'f"{sum} {name.reverse}".substring(0, 4) + name.length.to_s'
      ratio:
        value: 1.5 * sum
      some:
        value: '[numbers.min, numbers.max, 3]'
      elsewhere:
        io: _root._io
        pos: 2
        size: 8
        type: sub
      any:
        value: 'sum > 3 ? elsewhere : elsewhere'
      text:
        value: '[0x41, 0x42].to_s("ASCII")'
    types:
      item:
        params:
          - id: index
            type: u4
          - id: number
            type: s2
        seq:
          - id: kind
            type: u1
            enum: kind
          - id: body
            type:
              switch-on: kind
              cases:
                'kind::first': u2
                'kind::last': sub
                _: sub
        enums: {}
      sub:
        seq:
          - id: number
            type: u2
            valid:
              any-of: [1, 2, 3]
          - id: real
            type: f4
            if: number > 2
        instances:
          null_like:
            value: _parent
    enums:
      kind:
        0: first
        1: last
    """
}
