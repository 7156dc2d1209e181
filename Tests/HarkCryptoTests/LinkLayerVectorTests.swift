import Crypto
import FoundationEssentials
import HarkCore
import Testing

@testable import HarkCrypto

/// Sample data of the Core Specification and FIPS 197.
@Suite struct LinkLayerVectorTests {
  @Test func aes() throws {
    for vector in try vectors("aes", as: [String: String].self) {
      let block = AESBlock.encrypt(
        try hex(vector["pt"] ?? ""), SymmetricKey(data: try hex(vector["key"] ?? "")))
      #expect(text(block) == vector["ct"])
    }
  }

  @Test func toolbox() throws {
    var seen: Set<String> = []
    for vector in try vectors("smp-toolbox", as: [String: String].self) {
      func value(_ name: String) throws -> [UInt8] { try hex(try #require(vector[name])) }
      let name = try #require(vector["f"])
      seen.insert(name)
      let result: [UInt8]?
      switch name {
      case "ah": result = SMPToolbox.ah(irk: try value("IRK"), prand: try value("prand"))
      case "c1":
        result = SMPToolbox.c1(
          k: try value("k"), r: try value("r"), request: try value("preq"),
          response: try value("pres"), initiatorType: try value("iat")[0],
          responderType: try value("rat")[0], initiator: try value("ia"),
          responder: try value("ra"))
      case "s1": result = SMPToolbox.s1(k: try value("k"), r1: try value("r1"), r2: try value("r2"))
      default: result = nil
      }
      #expect(text(result) == vector["out"], "\(name)")
    }
    #expect(seen == ["ah", "c1", "s1"])
  }

  @Test func toolboxRefusesWrongSizes() {
    #expect(SMPToolbox.ah(irk: [1], prand: [1, 2, 3]) == nil)
    #expect(SMPToolbox.ah(irk: [], prand: [1, 2, 3]) == nil)
    #expect(SMPToolbox.s1(k: [1], r1: [], r2: []) == nil)
    #expect(
      SMPToolbox.c1(
        k: [], r: [], request: [], response: [], initiatorType: 0, responderType: 0,
        initiator: [], responder: []) == nil)
  }

  struct PDU: Decodable {
    let counter: UInt64
    let dir: Int
    let header, ct, mic, pt: String
  }

  func cipher() throws -> LinkLayerCipher {
    var ltk = try hex("4c68384139f574d836bcf34e9dfb01bf")
    return try #require(
      LinkLayerCipher(
        ltk: Secret(taking: &ltk), centralSKD: try hex("acbdcedfe0f10213"),
        peripheralSKD: try hex("0213243546576879"), centralIV: try hex("badcab24"),
        peripheralIV: try hex("deafbabe")))
  }

  @Test func linkLayer() throws {
    let cipher = try cipher()
    for pdu in try vectors("le-ccm", as: PDU.self) {
      var payload = try hex(pdu.ct + pdu.mic)
      let header = try hex(pdu.header)[0]
      func open() -> [UInt8]? {
        cipher.open(payload, header: header, counter: pdu.counter, fromCentral: pdu.dir == 1)
      }
      #expect(text(open()) == pdu.pt)
      for index in payload.indices {
        payload[index] ^= 0x40
        #expect(open() == nil)
        payload[index] ^= 0x40
      }
      let retransmitted = cipher.open(
        payload, header: header ^ 0x1C, counter: pdu.counter, fromCentral: pdu.dir == 1)
      #expect(text(retransmitted) == pdu.pt, "NESN, SN and MD are not authenticated")
    }
    #expect(cipher.open([1, 2, 3], header: 0, counter: 0, fromCentral: true) == nil)
    #expect(
      cipher.open([1, 2, 3, 4, 5], header: 0, counter: .max, fromCentral: true) == nil)
  }
}
