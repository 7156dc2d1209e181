/// What is known about a PDU, and what is learned while it is read.
///
/// It is beside the PDU: the compiler destroys a value that has a lifetime and more than a few members by a call, for
/// each packet.
@safe struct PDUState {
  // First, so that it is copied as it is.
  var context: Context
  var facts = Facts()
  // Not counted: it outlives every PDU.
  let catalog: Unmanaged<Catalog>
  var layer: Field?
  var limit: Field?
  var depth = 0

  init(_ context: Context, _ catalog: Catalog) {
    self.context = context
    unsafe self.catalog = .passUnretained(catalog)
  }
}

extension PDU {
  public var facts: Facts {
    @inline(__always) _read { yield unsafe state.pointee.facts }
    @inline(__always) _modify { yield unsafe &state.pointee.facts }
  }

  public internal(set) var context: Context {
    @inline(__always) _read { yield unsafe state.pointee.context }
    @inline(__always) _modify { yield unsafe &state.pointee.context }
  }

  var catalog: Unmanaged<Catalog> {
    @inline(__always) get { unsafe state.pointee.catalog }
  }

  /// The protocol being read; nil for the record itself.
  var layer: Field? {
    @inline(__always) get { unsafe state.pointee.layer }
    @inline(__always) set { unsafe state.pointee.layer = newValue }
  }

  /// The length field that limits the available bytes; nil if the record does.
  var limit: Field? {
    @inline(__always) get { unsafe state.pointee.limit }
    @inline(__always) set { unsafe state.pointee.limit = newValue }
  }

  /// The maximum depth of layers. Real packets have fewer than ten.
  static var deepest: Int { 24 }

  var depth: Int {
    @inline(__always) get { unsafe state.pointee.depth }
    @inline(__always) set { unsafe state.pointee.depth = newValue }
  }
}
