import Crypto
import Foundation
import Testing

@testable import HarkCrypto

@Suite struct SecretTests {
  @Test func holdsAndWipes() {
    var bytes: [UInt8] = [1, 2, 3, 4]
    let secret = Secret(taking: &bytes)
    #expect(bytes == [0, 0, 0, 0])
    #expect(secret.key.bytes == [1, 2, 3, 4])
    #expect(secret.count == 4)
    #expect(secret.isGuarded)
    #expect(secret.key.bytes == [1, 2, 3, 4], "readable again after it was closed")
  }

  @Test func compares() {
    func secret(_ bytes: [UInt8]) -> Secret {
      var bytes = bytes
      return Secret(taking: &bytes)
    }
    #expect(secret([1, 2, 3]).equals(secret([1, 2, 3])))
    #expect(secret([1, 2, 3]).equals(secret([1, 2, 4])) == false)
    #expect(secret([1, 2, 3]).equals(secret([1, 2])) == false)
    #expect(secret([]).equals(secret([])))
  }

  @Test func cannotBeReadWhenNotInUse() async {
    await #expect(processExitsWith: .failure) {
      var bytes = [UInt8](repeating: 7, count: 32)
      let secret = Secret(taking: &bytes)
      let value = unsafe secret.addressForTests.load(as: UInt8.self)
      print(value, secret.count)
    }
  }

  #if os(Linux)
    /// What the stack of a thread holds, on which a key was made, and nothing else.
    @Test func leavesNoPartOnTheStack() throws {
      final class Work {
        var octets = [UInt8](0xA0...0xAF)
        var key: BondingKey?
      }
      let work = Work()
      let size = 1 << 18
      let stack = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1 << 12)
      defer { unsafe stack.deallocate() }
      unsafe stack.initializeMemory(as: UInt8.self, repeating: 0)
      var attributes = pthread_attr_t()
      #expect(unsafe pthread_attr_init(&attributes) == 0)
      #expect(unsafe pthread_attr_setstack(&attributes, try #require(stack.baseAddress), size) == 0)
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, &attributes,
        { raw in
          guard let raw = unsafe raw else { return nil }
          let work = unsafe Unmanaged<Work>.fromOpaque(raw).takeUnretainedValue()
          work.key = try? BondingKey(
            .longTermKey, &work.octets, address: nil, origin: .file("test"))
          return nil
        }, unsafe Unmanaged.passUnretained(work).toOpaque())
      try #require(code == 0)
      pthread_join(thread, nil)
      #expect(work.key != nil)
      let used = unsafe [UInt8](stack)
      #expect(used.contains { $0 != 0 })
      // Registers of eight octets are what is left of a key.
      let key = [UInt8](0xA0...0xAF)
      for part in [key[..<8], key[8...]].map(Array.init) {
        for trace in [part, part.reversed()] {
          #expect(!used.indices.dropLast(8).contains { used[$0..<($0 + 8)].elementsEqual(trace) })
        }
      }
    }
  #endif

  @Test func fingerprints() throws {
    var bytes = [UInt8](repeating: 7, count: 32)
    let fingerprint = Fingerprint(Secret(taking: &bytes))
    #expect(fingerprint.description.count == 8)
    #expect(fingerprint.description != "07070707")
    #expect(Fingerprint(hash: [0, 1, 2, 3, 4]).description == "00010203")

    let bare = try hex(Sample.publicKey)
    #expect(Fingerprint(publicKey: bare) == Fingerprint(publicKey: [4] + bare))
    let digest = Array(SHA256.hash(data: bare).prefix(4))
    #expect(Fingerprint(publicKey: bare).description == text(digest))
  }

  @Test func concurrentUse() async {
    var bytes = [UInt8](repeating: 9, count: 32)
    let secret = Secret(taking: &bytes)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { _ in secret.key.bytes == [UInt8](repeating: 9, count: 32) }
        }
      }
      for await intact in group { #expect(intact) }
    }
  }
}
