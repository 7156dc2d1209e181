extension PDU {
  /// Reads the payload header of an ACL packet of one slot. Core Specification, Vol 2, Part B, 6.6.2.
  /// - Returns: The octets of the payload body.
  mutating func payloadHeader(_ llid: Field, _ flow: Field, _ length: Field) throws(Malformed)
    -> Int
  {
    let header = try word(1, of: llid)
    part(llid, header & 3, of: 1)
    part(flow, header >> 2 & 1, of: 1)
    part(length, header >> 3, of: 1)
    return Int(header >> 3)
  }
}
