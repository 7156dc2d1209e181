import Testing

@testable import HarkRedact

/// A value in the packets of a message, whole or in pieces.
@Suite struct LocalPlacesTests {
  private static func find(_ text: String, in packets: [String]) -> [String] {
    let ends = packets.indices.map { packets[...$0].joined().utf8.count }
    let ranges = zip([0] + ends, ends).map { $0..<$1 }
    let places = LocalPlaces(capture: Array(packets.joined().utf8), packets: ranges)
    return places.find(Array(text.utf8)).map { "\($0.place)+\($0.count)" }
  }

  @Test func inPieces() {
    #expect(Self.find("tSecret", in: ["..tSe", "..cret."]) == ["2+3", "7+4"])
    #expect(Self.find("tSecret", in: ["..tSe##", "..cr", "..et"]) == ["2+3", "9+2", "13+2"])
    #expect(Self.find("tSecret", in: ["..tSe", "..cra."]).isEmpty)
  }

  /// The end of the packet before it has the same letter by chance: only the whole value is one.
  @Test func beginsByChance() {
    #expect(Self.find("tSecret", in: ["....t9", "..tSecret."]) == ["8+7"])
    #expect(Self.find("tSecret", in: ["....tS", "..tSecret.", "tSecret"]) == ["8+7", "16+7"])
  }
}
