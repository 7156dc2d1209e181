extension Tree.Node {
  /// The value of a `.float` field in the fewest digits that distinguish it from its neighbors.
  public var floatText: String {
    count == 4 ? float32.description : Double(bitPattern: value).description
  }

  public var isFinite: Bool {
    double.isFinite
  }

  /// The value of a `.float` field.
  public var double: Double {
    count == 4 ? Double(float32) : Double(bitPattern: value)
  }

  private var float32: Float { Float(bitPattern: UInt32(truncatingIfNeeded: value)) }
}
