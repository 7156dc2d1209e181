import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// What goes wrong on the channels of audio. AVDTP 1.3, 6 and 8; AVCTP 1.4, 6.1; AVRCP 1.6, 6.13
@Suite struct SessionAudioFaultTests {
  private typealias Audio = SessionAudioTests

  private func incomplete(_ reported: Audio.Reported) -> [Int] {
    reported.events.compactMap {
      if case .capture(.incompletePDU(let it)) = $0.content { it.have } else { nil }
    }
  }

  /// AVDTP_START has no answer until the next command, 5 s later.
  @Test func unansweredSignal() {
    let reported = Audio.reported(
      Audio.opened + [">0041 40 07 04", "+5", ">0041 50 09 04", "<0040 52 09"])
    #expect(reported.names.suffix(3) == ["signalUnanswered", "suspended", "ended"])
    for event in reported.audio {
      if case .signalUnanswered(let it) = event { #expect(it.signal == 7 && !it.byPeer) }
    }
    let soon = Audio.reported(Audio.opened + [">0041 40 07 04", "+3", "<0040 42 07"])
    #expect(!soon.names.contains("signalUnanswered") && soon.names.contains("started"))
  }

  /// The answer comes late, is among the packets that the capture lacks, or the clock is set before it comes.
  @Test func unknownAnswer() {
    let late = Audio.reported(Audio.opened + [">0041 40 07 04", "+5", "<0040 42 07"])
    #expect(!late.names.contains("signalUnanswered") && late.names.contains("started"))
    let next = ["+5", ">0041 50 09 04", "<0040 52 09"]
    let lost = Audio.reported(Audio.opened + [">0041 40 07 04", "!1"] + next)
    #expect(!lost.names.contains("signalUnanswered"))
    let lostBefore = Audio.reported(Audio.opened + ["!1", ">0041 40 07 04"] + next)
    #expect(lostBefore.names.contains("signalUnanswered"))
    // Two days.
    let set = Audio.reported(Audio.opened + [">0041 40 07 04", "+172800"] + next)
    #expect(!set.names.contains("signalUnanswered"))
  }

  /// With the same CID on both sides, it is unknown which side sent a signal, or which side answered.
  @Test func unknownSender() {
    let begun = Audio.open("1900", "4000", "4000", id: "01")
    let next = ["+5", ">0040 10 0c 04", "<0040 12 0c 0100 0706 0000 ffff 0235"]
    for signals in [
      ["?0040 00 01", "?0040 02 01 0408"], [">0040 00 01", "?0040 02 01 0408"],
    ] {
      let reported = Audio.reported(begun + signals + next)
      #expect(!reported.names.contains("signalUnanswered"), "\(signals) \(reported.audio)")
    }
    let known = Audio.reported(begun + [">0040 00 01"] + next)
    #expect(known.names.contains("signalUnanswered"))
  }

  /// The media of a stream whose AVDTP_START the recorder lost, and of one that was not started. 6.6
  @Test(arguments: [true, false]) func mediaWithoutStart(_ isLost: Bool) throws {
    let reported = Audio.reported(
      Audio.opened + (isLost ? ["!2"] : []) + (1...20).map { Audio.media($0, at: $0) }
        + Audio.close("4200", "4300", id: "07"))
    let end = try #require(
      reported.events.last { if case .audio(.ended) = $0.content { true } else { false } })
    guard case .audio(.ended(let ended)) = end.content else { return }
    #expect(ended.stream.account.packets == 20 && ended.stream.account.lost == 0)
    #expect(ended.stream.state == (isLost ? .streaming : .open))
    // The capture may lack the signal that closed it, too.
    #expect((end.severity == .warning) == !isLost)
    #expect(reported.names.contains("idleMedia") == !isLost)
  }

  /// The answer of another signal with the same label accepts nothing. 8.4.6, 8.5
  @Test func answerOfAnotherSignal() {
    let reported = Audio.reported(Audio.opened + [">0041 40 07 04", "<0040 42 09"])
    #expect(!reported.names.contains("started") && !reported.names.contains("suspended"))
  }

  /// The first of two packets of a signal, 5 bytes, is followed by another signal. 8.4.1
  @Test func signalWithoutEnd() {
    let reported = Audio.reported(
      Audio.opened + [">0041 44 02 07 0408", ">0041 50 09 04", "<0040 52 09"])
    #expect(incomplete(reported) == [5])
  }

  /// The first of two packets of an AVCTP message, 6 bytes, is followed by another message. AVCTP 1.4, 6.1
  @Test func messageWithoutEnd() {
    let reported = Audio.reported(
      Audio.open("1700", "4000", "4100", id: "01") + [
        ">0041 04 02 110e 0048", ">0041 10 110e 00 48 7c 44 00",
      ])
    #expect(incomplete(reported) == [6])
  }

  /// The peer closes the channel of a stream that nobody closed: it ends there, and only once.
  @Test func mediaChannelClosed() throws {
    let reported = Audio.reported(
      Audio.opened + Audio.started + [1, 2].map { Audio.media($0, at: $0) }
        + Audio.close("4200", "4300", id: "07") + ["+9", ">0041 50 01", "<0040 52 01 0408"])
    #expect(reported.names.filter { $0 == "ended" }.count == 1)
    let index = try #require(reported.names.firstIndex(of: "ended"))
    guard case .ended(let ended) = reported.audio[index] else {
      Issue.record("no end")
      return
    }
    #expect(ended.stream.state == .streaming && ended.stream.account.packets == 2)
    #expect(!ended.withCapture)
  }

  /// A stream that was closed does not end again with its channel.
  @Test func mediaChannelClosedAfterClose() {
    let reported = Audio.reported(
      Audio.opened + Audio.started + [">0041 60 08 04", "<0040 62 08"]
        + Audio.close("4200", "4300", id: "07"))
    #expect(reported.names.suffix(2) == ["started", "closed"])
  }

  /// Media that were queued may still come; later ones may not. They are no loss: 93 numbers are skipped.
  @Test func mediaOfSuspendedStream() {
    let suspended =
      Audio.opened + Audio.started + [1, 2].map { Audio.media($0, at: $0) }
      + [">0041 50 09 04", "<0040 52 09"]
    let late = (0..<20).map { Audio.media(96 + $0, at: $0) }
    let reported = Audio.reported(suspended + late)
    #expect(reported.names.filter { $0 == "idleMedia" }.count == 1)
    #expect(!reported.names.contains("gap"))
    #expect(!Audio.reported(suspended + late.prefix(5)).names.contains("idleMedia"))
  }

  /// IPID of the response to a PASS THROUGH command. AVCTP 1.4, 6.1.1
  @Test func unknownProfile() {
    let reported = Audio.reported(
      Audio.open("1700", "4000", "4100", id: "01") + [
        ">0041 00 110e 00 48 7c 44 00", "<0040 03 110e",
      ])
    #expect(reported.names == ["operation", "profileUnknown"])
    guard case .profileUnknown(let it)? = reported.audio.last else { return }
    #expect(it.profile == 0x110E && it.toPeer)
  }

  /// SetAbsoluteVolume is rejected, then the user of this host sets the same volume. AVRCP 1.6, 6.13.2, 6.13.3
  @Test func rejectedVolume() {
    let reported = Audio.reported(
      Audio.open("1700", "4000", "4100", id: "01") + [
        "<0040 00 110e 00 48 00 001958 50 00 0001 40",
        ">0041 02 110e 09 48 00 001958 50 00 0001 40",
        "<0040 10 110e 00 48 00 001958 50 00 0001 60",
        ">0041 12 110e 0a 48 00 001958 50 00 0001 03",
        ">0041 22 110e 0d 48 00 001958 31 00 0002 0d60",
        ">0041 30 110e 00 48 00 001958 50 00 0001 60",
        "<0040 32 110e 09 48 00 001958 50 00 0001 55",
      ])
    let volumes = reported.audio.compactMap {
      if case .volume(let it) = $0 {
        "\(it.volume)\(it.isRequest ? " requested" : "")\(it.isLocal ? " here" : "")"
      } else {
        nil
      }
    }
    #expect(
      volumes == [
        "64 requested here", "96 requested here", "96 here", "96 requested", "85",
      ])
  }
}
