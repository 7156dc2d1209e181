extension Tree.Node {
  /// The value of a `.float` or `.medical` field in the fewest digits that distinguish it from its neighbors.
  public var floatText: String {
    count == 4 ? float32.description : Double(bitPattern: value).description
  }

  /// As `floatText`, for people.
  /// - Parameter isMedical: Whether NaN means that the device does not have the value. IEEE 11073-20601, F.1
  public func floatWords(isMedical: Bool) -> String {
    if double.isNaN { return isMedical ? "not available" : "NaN" }
    return double.isInfinite ? "\(double < 0 ? "-" : "")infinity" : floatText
  }

  public var isFinite: Bool {
    double.isFinite
  }

  /// The value of a `.float` or `.medical` field.
  public var double: Double {
    count == 4 ? Double(float32) : Double(bitPattern: value)
  }

  private var float32: Float { Float(bitPattern: UInt32(truncatingIfNeeded: value)) }
}
