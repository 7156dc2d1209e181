extension Tree.Node {
  /// The value of a `.float` field in the fewest digits that distinguish it from its neighbors.
  public var floatText: String {
    count == 4 ? float32.description : Double(bitPattern: value).description
  }

  /// As `floatText`, for people. Medical devices send NaN for a value that they do not have. IEEE 11073-20601, F.1
  public var floatWords: String { double.isNaN ? "not available" : floatText }

  public var isFinite: Bool {
    double.isFinite
  }

  /// The value of a `.float` field.
  public var double: Double {
    count == 4 ? Double(float32) : Double(bitPattern: value)
  }

  private var float32: Float { Float(bitPattern: UInt32(truncatingIfNeeded: value)) }
}
