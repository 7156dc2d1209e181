// How messages begin in each exchange: a counter or a length in one exchange is another one in the next.
extension KeySearch.Part {
  /// Fewer messages do not show what differs from message to message.
  private static var leastMessages: Int { 4 }

  /// Leaves bytes out of how its messages begin that are different in most messages of the channel, if the others still
  /// distinguish them.
  mutating func leaveOutVarying(of pieces: [SearchedBytes]) {
    let all = pieces.filter { $0.place == place }.map(\.bytes)
    guard all.count >= Self.leastMessages else { return }
    let varying = prefix.indices.filter { index in
      let values = all.filter { index < $0.count }.map { $0[index] }
      return Set(values).count * 2 > values.count
    }
    guard !varying.isEmpty else { return }
    let least = (count ?? 0) + offset + trailing
    let own = all.filter { bytes in
      bytes.count >= least && bytes.count >= prefix.count
        && prefix.indices.allSatisfy { varying.contains($0) || bytes[$0] == prefix[$0] }
    }
    // Each exchange has messages of the same size.
    guard Set(own.map(\.count)).count == 1 else { return }
    self.varying = Set(varying)
  }
}
