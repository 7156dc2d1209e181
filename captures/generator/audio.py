#!/usr/bin/env python3
"""Make the sample capture a2dp-session: audio.py OUTDIR

Two Bumble hosts on an emulated BR/EDR link: a phone (A2DP source, AVRCP target), whose HCI is
recorded, and a headset (A2DP sink, AVRCP controller). Bumble has no AVRCP responses in fragments and
no metadata: those are done here by hand, from AVRCP 1.6.
"""
import asyncio
import pathlib
import struct
import sys

from bumble import a2dp, avc, avdtp, avrcp, hci
from bumble.core import PhysicalTransport, ProtocolError
from bumble.link import LocalLink
from bumble.rtp import MediaPacket

import classic

PHONE, HEADSET = "C0:DE:00:00:00:01", "C0:DE:00:00:00:04"
ACL_LENGTH = 1021                                   # for whole media packets
FREQUENCY, SAMPLES, FRAMES = 44_100, 128, 5         # of a frame, and in a media packet
CODE = avc.ResponseFrame.ResponseCode
TYPE = avc.CommandFrame.CommandType
KEY = avc.PassThroughCommandFrame.OperationId
SBC = a2dp.SbcMediaCodecInformation
AAC = a2dp.AacMediaCodecInformation


def sbc(every):
    """SBC as a sink can do it, or as a source chooses it."""
    F, C, B, S, A = (SBC.SamplingFrequency, SBC.ChannelMode, SBC.BlockLength, SBC.Subbands,
                     SBC.AllocationMethod)
    if every:
        information = SBC(F(15), C(15), B(15), S(3), A(3), 2, 53)
    else:
        information = SBC(F.SF_44100, C.JOINT_STEREO, B.BL_16, S.S_8, A.LOUDNESS, 2, 35)
    return avdtp.MediaCodecCapabilities(avdtp.AVDTP_AUDIO_MEDIA_TYPE, a2dp.A2DP_SBC_CODEC_TYPE,
                                        information)


def aac():
    return avdtp.MediaCodecCapabilities(
        avdtp.AVDTP_AUDIO_MEDIA_TYPE, a2dp.A2DP_MPEG_2_4_AAC_CODEC_TYPE,
        AAC(AAC.ObjectType.MPEG_2_AAC_LC, AAC.SamplingFrequency(0x18), AAC.Channels.STEREO, 1,
            256_000))


def sbc_frame(bitpool=35):
    """A frame of silence: 44.1 kHz, 16 blocks, joint stereo, 8 subbands. A2DP 1.4, 12.5."""
    crc = 0x0F
    join, factors = bytes(1), bytes(8)
    for octet in bytes([0xBD, bitpool]) + join + factors[:8]:
        for bit in range(7, -1, -1):
            crc = (crc << 1 ^ (0x1D if (crc >> 7 ^ octet >> bit) & 1 else 0)) & 0xFF
    length = 4 + 8 + (8 + 16 * bitpool + 7) // 8
    return (bytes([0x9C, 0xBD, bitpool, crc]) + join + factors).ljust(length, b"\0")


class Player(avrcp.Protocol):
    """A target with a track, whose attributes go out in fragments of 96 octets."""

    track, rest, position, length = {}, b"", 0, 0
    fragment = 96

    def _on_command_pdu(self, pdu_id, pdu):
        label = self.receive_command_state.transaction_label
        if pdu_id == avrcp.PduId.GET_ELEMENT_ATTRIBUTES:
            self.rest = bytes([len(self.track)]) + b"".join(
                struct.pack(">IHH", attribute, 106, len(text.encode())) + text.encode()
                for attribute, text in self.track.items())
            self.answer(label, isFirst=True)
        elif pdu_id == avrcp.PduId.REQUEST_CONTINUING_RESPONSE:
            self.answer(label, isFirst=False)
        elif pdu_id == avrcp.PduId.GET_PLAY_STATUS:
            self.send_avrcp_response(label, CODE.IMPLEMENTED_OR_STABLE, avrcp.GetPlayStatusResponse(
                self.length, self.position, self.delegate.playback_status))
        else:
            return super()._on_command_pdu(pdu_id, pdu)
        self.receive_command_state = None

    def answer(self, label, isFirst):
        part, self.rest = self.rest[:self.fragment], self.rest[self.fragment:]
        kind = (1 if self.rest else 0) if isFirst else (2 if self.rest else 3)
        self.send_response(label, avc.VendorDependentResponseFrame(
            CODE.IMPLEMENTED_OR_STABLE, avc.Frame.SubunitType.PANEL, 0,
            avrcp.AVRCP_BLUETOOTH_SIG_COMPANY_ID,
            struct.pack(">BBH", 0x20, kind, len(part)) + part))


class Remote(avrcp.Protocol):
    """A controller that asks for the rest of what comes in fragments."""

    waiting = None

    def _on_avctp_response(self, label, payload):
        if self.waiting and self.waiting[0] == label:
            return self.waiting[1].set_result(payload)
        return super()._on_avctp_response(label, payload)

    async def ask(self, kind, pdu, parameters):
        pending = await self._obtain_pending_command()
        self.waiting = pending.transaction_label, asyncio.get_running_loop().create_future()
        self.send_command(pending.transaction_label, avc.VendorDependentCommandFrame(
            kind, avc.Frame.SubunitType.PANEL, 0, avrcp.AVRCP_BLUETOOTH_SIG_COMPANY_ID,
            struct.pack(">BBH", pdu, 0, len(parameters)) + parameters))
        payload = await asyncio.wait_for(self.waiting[1], 5)
        self.waiting = None
        self.recycle_pending_command(pending)
        return payload[7], payload[10:]

    async def attributes(self):
        """The attributes of the track, put together."""
        kind, whole = await self.ask(TYPE.STATUS, 0x20, bytes(9))
        while kind in (1, 2):
            kind, part = await self.ask(TYPE.CONTROL, 0x40, b"\x20")
            whole += part
        found, at = {}, 1
        for _ in range(whole[0]):
            attribute, _, length = struct.unpack_from(">IHH", whole, at)
            found[attribute] = whole[at + 8:at + 8 + length].decode()
            at += 8 + length
        assert at == len(whole)
        return found

    async def press(self, key):
        for pressed in (True, False):
            await self.send_key_event(key, pressed)


class Lab(classic.ClassicLab):
    def __init__(self):
        super().__init__("a2dp-session", "2026-11-21T19:30:00")
        link = LocalLink()
        self.phone, self.headset = (
            classic.device(name, address, link, classic.Radio, ACL_LENGTH)
            for name, address in (("Phone", PHONE), ("Acme Speaker", HEADSET)))
        self.sequence, self.stamp = 0xFFF0, 0

    async def play(self, stream, count, lost=(), twice=()):
        """`count` media packets, of which some are never sent and some are sent again."""
        payload = bytes([FRAMES]) + sbc_frame() * FRAMES
        for number in range(count):
            packet = MediaPacket(2, 0, 0, 0, self.sequence, self.stamp, 1, [], 96, payload)
            for _ in range((number not in lost) + (number in twice)):
                stream.send_media_packet(packet)
            self.sequence = (self.sequence + 1) & 0xFFFF
            self.stamp = (self.stamp + SAMPLES * FRAMES) & 0xFFFFFFFF
            await asyncio.sleep(SAMPLES * FRAMES / FREQUENCY)
        return {"packets": count - len(lost) + len(twice), "lost": len(lost),
                "duplicates": len(twice)}


async def scenario(lab):
    """A phone discovers a speaker's stream end points, tries one that does not exist, configures
    SBC and plays. One media packet is lost, one is sent twice, and later eight in a row are
    missing; in between, the stream is suspended. The speaker requests the track, whose attributes
    arrive in fragments, is notified when it changes, and sends key presses. Both sides set the
    volume."""
    phone, headset = lab.phone, lab.headset
    phone.host.snooper = lab.recorder
    headset.sdp_service_records = {
        0x00010001: a2dp.make_audio_sink_service_sdp_records(0x00010001)}
    for one in (phone, headset):
        await one.power_on()
    sinks = asyncio.get_running_loop().create_future()
    avdtp.Listener.for_device(headset).on("connection", sinks.set_result)
    Event = avrcp.EventId
    player = Player(avrcp.Delegate([Event.PLAYBACK_STATUS_CHANGED, Event.TRACK_CHANGED]))
    player.listen(phone)
    remote = Remote(avrcp.Delegate([Event.VOLUME_CHANGED]))
    await headset.set_connectable(True)
    connection = await phone.connect(HEADSET, transport=PhysicalTransport.BR_EDR)
    await lab.pause(0.2)
    version = await avdtp.find_avdtp_service_with_connection(connection)
    signals = await avdtp.Protocol.connect(connection, version)
    server = await sinks
    server.add_sink(aac())
    server.add_sink(sbc(every=True))
    lab.note("endpoints", seids=[1, 2], codecs=["AAC", "SBC"])
    await signals.discover_remote_endpoints()
    source = signals.add_source(sbc(every=False), None)
    lab.note("rejected", signal=avdtp.AVDTP_SET_CONFIGURATION, error=avdtp.AVDTP_BAD_ACP_SEID_ERROR)
    try:
        await signals.set_configuration(7, source.seid, source.configuration)
    except ProtocolError:
        pass
    await lab.pause(0.1)
    lab.note("configured", samplingFrequency=FREQUENCY, bitpool=[2, 35])
    stream = await signals.create_stream(source, signals.remote_endpoints[2])
    await server.send_command(avdtp.DelayReport_Command(source.seid, 1_502))
    lab.note("delay", delay=1_502)
    await lab.pause(0.3)
    there = headset.find_connection_by_bd_addr(hci.Address(
        PHONE, hci.Address.PUBLIC_DEVICE_ADDRESS), transport=PhysicalTransport.BR_EDR)
    await remote.connect(there)
    await asyncio.sleep(0.05)
    lab.note("notifications", events=[1, 2], isLocal=True)
    await remote.get_supported_events()
    lab.note("notifications", events=[13], isLocal=False)
    await player.get_supported_events()

    async def watch(monitor):
        async for _ in monitor:
            pass

    player.delegate.playback_status = avrcp.PlayStatus.PAUSED
    player.delegate.current_track_uid = 1
    remote.delegate.volume = 40
    lab.note("playStatus", status=2)
    watches = [asyncio.ensure_future(watch(remote.monitor_playback_status()))]
    await asyncio.sleep(0.05)
    watches.append(asyncio.ensure_future(watch(remote.monitor_track_changed())))
    await asyncio.sleep(0.05)
    lab.note("volume", volume=40, isRequest=False)
    watches.append(asyncio.ensure_future(watch(player.monitor_volume())))
    await asyncio.sleep(0.05)

    player.track = {1: "Die Lampe im Fenster am Hafen brennt noch (Konzertfassung für zwei Gitarren)",
                    2: "Orquesta del Faro", 3: "Noches en el muelle", 7: "314506"}
    lab.note("track", attributes={str(k): v for k, v in player.track.items()})
    assert await remote.attributes() == player.track
    await lab.pause(2)
    lab.note("operation", operation=0x44)
    await remote.press(KEY.PLAY)
    lab.note("opened")
    lab.note("started")
    await stream.start()
    player.delegate.playback_status = avrcp.PlayStatus.PLAYING
    lab.note("playStatus", status=1)
    player.notify_playback_status_changed(avrcp.PlayStatus.PLAYING)
    counts = await lab.play(stream, 60, lost=(20,), twice=(41,))
    lab.note("volume", volume=64, isRequest=True)
    await player.send_avrcp_command(TYPE.CONTROL, avrcp.SetAbsoluteVolumeCommand(64))
    lab.note("suspended", **counts)
    await stream.stop()
    player.delegate.playback_status = avrcp.PlayStatus.PAUSED
    lab.note("playStatus", status=2)
    player.notify_playback_status_changed(avrcp.PlayStatus.PAUSED)
    await lab.pause(30)

    lab.note("started")
    await stream.start()
    player.delegate.playback_status = avrcp.PlayStatus.PLAYING
    lab.note("playStatus", status=1)
    player.notify_playback_status_changed(avrcp.PlayStatus.PLAYING)
    await lab.play(stream, 20)
    lab.note("changed", event=2)
    player.delegate.current_track_uid = 2
    player.notify_track_changed(2)
    await asyncio.sleep(0.05)
    player.track = {1: "Marea baja", 2: "Orquesta del Faro", 3: "Noches en el muelle", 7: "201000"}
    lab.note("track", attributes={str(k): v for k, v in player.track.items()})
    assert await remote.attributes() == player.track
    lab.note("gap", lost=8)
    await lab.play(stream, 30, lost=range(10, 18))
    lab.note("volume", volume=70, isRequest=False)
    remote.delegate.volume = 70
    remote.notify_volume_changed(70)
    await lab.pause(1)
    lab.note("operation", operation=0x46)
    await remote.press(KEY.PAUSE)
    lab.note("closed", packets=42, lost=8, duplicates=0)
    await stream.close()
    for task in watches:
        task.cancel()
    await lab.pause(1)
    await signals.l2cap_channel.disconnect()
    await connection.disconnect()
    await asyncio.sleep(0.05)


async def main(out):
    lab = Lab()
    await asyncio.wait_for(scenario(lab), 30)
    packets = lab.recorder.packets
    classic.write(pathlib.Path(out) / lab.name, lab.name, packets, "pcapng", {
        "addresses": {"phone": PHONE, "headset": HEADSET}, "events": lab.events}, f"""
{" ".join(scenario.__doc__.split())}

Made by `captures/generator/audio.py captures` with {{versions}}: two
emulated devices, each a full host stack, on an emulated BR/EDR link. Every packet was actually sent;
the recording is the phone's HCI. The generator does not wait: it advances the recording clock
instead. The sound is silence. The capture contains no real device, person or work.
""")
    print(len(packets), "packets")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1]))
