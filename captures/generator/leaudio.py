#!/usr/bin/env python3
"""LE Audio: earbuds that a phone streams to, and a broadcast that a phone finds: leaudio.py OUTDIR

Services, their values and the state machine of the endpoints are Bumble's. Its controller sets
isochronous links up and carries no data on them: what the phone sends is recorded all the same.
"""
import asyncio
import pathlib
import struct
import sys

from bumble import core, gatt, hci
from bumble.core import AdvertisingData
from bumble.device import (
    AdvertisingEventProperties, AdvertisingParameters, CigParameters, Peer, PeriodicAdvertisingParameters)
from bumble.profiles import ascs, bap, csip, mcp, pacs, pbp, vcs
from bumble.profiles.le_audio import Metadata

import classic
from hpke import test_key
from lab import Lab, advertising

LC3 = hci.CodingFormat(hci.CodecID.LC3)
A = ascs.ASE_Operation.Opcode


class Endpoint(ascs.AseStateMachine):
    """Takes no SDU that is larger than its codec configuration needs."""

    def on_config_qos(self, cig_id, cis_id, sdu_interval, framing, phy, max_sdu, *rest):
        if max_sdu > 155:
            return (ascs.AseResponseCode.REJECTED_CONFIGURATION_PARAMETER_VALUE,
                    ascs.AseReasonCode.MAXIMUM_SDU_SIZE)
        return super().on_config_qos(cig_id, cis_id, sdu_interval, framing, phy, max_sdu, *rest)


ascs.AseStateMachine = Endpoint


def metadata(**entries):
    return Metadata([Metadata.Entry(Metadata.Tag[k], v) for k, v in entries.items()])


def capabilities(frequencies, octets, channels=(1,)):
    return bap.CodecSpecificCapabilities(
        supported_sampling_frequencies=frequencies,
        supported_frame_durations=bap.SupportedFrameDuration.DURATION_10000_US_SUPPORTED,
        supported_audio_channel_count=list(channels), min_octets_per_codec_frame=octets[0],
        max_octets_per_codec_frame=octets[1], supported_max_codec_frames_per_sdu=1)


def configuration(frequency, octets, location=None):
    return bap.CodecSpecificConfiguration(
        sampling_frequency=frequency, frame_duration=bap.FrameDuration.DURATION_10000_US,
        audio_channel_allocation=location, octets_per_codec_frame=octets, codec_frames_per_sdu=1)


class Buds:
    """The services of an earbud; notes what they notify."""

    def __init__(self, lab, location=bap.AudioLocation.FRONT_LEFT, rank=1):
        self.lab, device, F = lab, lab.accessory, bap.SupportedSamplingFrequency
        C = bap.ContextType
        media = C.MEDIA | C.CONVERSATIONAL
        self.pacs = pacs.PublishedAudioCapabilitiesService(
            supported_sink_context=media, supported_source_context=C.CONVERSATIONAL,
            available_sink_context=media, available_source_context=C.CONVERSATIONAL,
            sink_pac=[pacs.PacRecord(
                coding_format=LC3, codec_specific_capabilities=capabilities(
                    F.FREQ_16000 | F.FREQ_32000 | F.FREQ_48000, (30, 155)),
                metadata=metadata(PREFERRED_AUDIO_CONTEXTS=struct.pack("<H", media)))],
            sink_audio_locations=location,
            source_pac=[pacs.PacRecord(
                coding_format=LC3, codec_specific_capabilities=capabilities(
                    F.FREQ_16000 | F.FREQ_32000, (30, 80)), metadata=Metadata())],
            source_audio_locations=location)
        self.ascs = ascs.AudioStreamControlService(device, source_ase_id=[2], sink_ase_id=[1])
        self.vcs = vcs.VolumeControlService(step_size=16, volume_setting=96)
        self.set = csip.CoordinatedSetIdentificationService(
            test_key("the set of Acme Buds")[:16], csip.SirkType.PLAINTEXT,
            coordinated_set_size=2, set_member_rank=rank)
        lab.gatt["setIdentityResolvingKey"] = self.set.set_identity_resolving_key.hex()
        for service in (self.pacs, self.ascs, self.vcs, self.set):
            device.add_service(service)
        self.notify, device.notify_subscribers = device.notify_subscribers, self.notified
        for ase in self.ascs.ase_state_machines.values():
            ase.supported_presentation_delay_min, ase.supported_presentation_delay_max = 20000, 40000
            ase.preferred_retransmission_number, ase.preferred_max_transport_latency = 5, 20

    async def notified(self, attribute, value=None, force=False):
        """What a value says, by Bumble's own names."""
        if attribute is self.vcs.volume_state:
            value = self.vcs._on_read_volume_state(None)
        said = bytes(value if value is not None else attribute.value)
        if isinstance(attribute, ascs.AseStateMachine):
            self.note("endpoint", ase=said[0], state=ascs.AseStateMachine.State(said[1]).name,
                      role=attribute.role.name)
        elif attribute is self.ascs.ase_control_point:
            for at in range(2, len(said), 3):
                if said[at + 1]:
                    self.note("refused", operation=A(said[0]).name, ase=said[at],
                              response=ascs.AseResponseCode(said[at + 1]).name,
                              reason=ascs.AseReasonCode(said[at + 2]).name)
        elif attribute is self.vcs.volume_state:
            self.note("volume", setting=said[0], muted=bool(said[1]))
        await self.notify(attribute, value, force)

    def note(self, kind, **fields):
        self.lab.sent(kind, "AccessoryToHost", **fields)


class Phone:
    """The phone as a client of the earbud."""

    def __init__(self, lab, here, peer):
        self.lab, self.here, self.peer = lab, here, peer
        self.control = self.characteristic(gatt.GATT_ASE_CONTROL_POINT_CHARACTERISTIC)
        self.volume = self.characteristic(gatt.GATT_VOLUME_CONTROL_POINT_CHARACTERISTIC)
        self.has_volume = False

    def characteristic(self, uuid):
        return self.peer.get_characteristics_by_uuid(uuid)[0]

    async def ask(self, operation, response=False):
        self.lab.sent("operation", "HostToAccessory", operation=operation.op_code.name,
                      endpoints=list(operation.ase_id), bytes=bytes(operation).hex())
        await self.control.write_value(bytes(operation), with_response=response)
        await asyncio.sleep(0.08)

    async def turn(self, opcode, *setting):
        """Changes the volume; the Change_Counter goes with it."""
        state = self.characteristic(gatt.GATT_VOLUME_STATE_CHARACTERISTIC)
        setting_now, muted, counter = bytes(await state.read_value())
        if not self.has_volume:
            self.lab.sent("volume", "AccessoryToHost", setting=setting_now, muted=bool(muted))
            self.has_volume = True
        self.lab.sent("volumeOperation", "HostToAccessory", operation=opcode.name,
                      setting=setting[0] if setting else None)
        await self.volume.write_value(bytes([opcode, counter, *setting]), with_response=True)
        await asyncio.sleep(0.08)


def quality(ase, cis, max_sdu, latency=20):
    return ascs.ASE_Config_QOS(
        ase_id=ase, cig_id=[1] * len(ase), cis_id=cis, sdu_interval=[10000] * len(ase),
        framing=[0] * len(ase), phy=[2] * len(ase), max_sdu=max_sdu,
        retransmission_number=[5] * len(ase), max_transport_latency=[latency] * len(ase),
        presentation_delay=[40000] * len(ase))


async def unicast(name="leaudio-session"):
    """Music to an earbud, then a call: capabilities, endpoints from codec configuration to
    streaming and back, a quality of service that the earbud rejects, isochronous links with data,
    volume, the phone's media player, and a call that ends with the link, without a release."""
    async with Lab(name, "2026-11-22T08:15:00", "Acme Buds L") as lab:
        buds = Buds(lab)
        player = mcp.GenericMediaControlService("Music")
        lab.phone.add_service(player)
        player.media_state_characteristic.value = bytes([mcp.MediaState.PAUSED])
        player.track_title_characteristic.value = "Noches en el muelle".encode()
        data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([0x06])),
            (AdvertisingData.SERVICE_DATA_16_BIT_UUID, bytes(
                core.UUID.from_16_bits(0x184E)) + bytes([1, 6, 0, 2, 0, 0]))]))
        here, there, peer = await lab.first_meeting(
            data, advertising(lab.accessory_name)[1], mtu=251)
        phone = Phone(lab, here, peer)
        for uuid in (gatt.GATT_SINK_PAC_CHARACTERISTIC, gatt.GATT_SOURCE_PAC_CHARACTERISTIC,
                     gatt.GATT_SINK_AUDIO_LOCATION_CHARACTERISTIC,
                     gatt.GATT_AVAILABLE_AUDIO_CONTEXTS_CHARACTERISTIC,
                     gatt.GATT_SUPPORTED_AUDIO_CONTEXTS_CHARACTERISTIC,
                     gatt.GATT_SET_IDENTITY_RESOLVING_KEY_CHARACTERISTIC,
                     gatt.GATT_COORDINATED_SET_SIZE_CHARACTERISTIC,
                     gatt.GATT_SINK_ASE_CHARACTERISTIC, gatt.GATT_SOURCE_ASE_CHARACTERISTIC):
            await phone.characteristic(uuid).read_value()
        for uuid in (gatt.GATT_SINK_ASE_CHARACTERISTIC, gatt.GATT_SOURCE_ASE_CHARACTERISTIC,
                     gatt.GATT_ASE_CONTROL_POINT_CHARACTERISTIC,
                     gatt.GATT_VOLUME_STATE_CHARACTERISTIC):
            await phone.characteristic(uuid).subscribe()
        await lab.pause(1.0)
        await media(lab, here, there, player)
        await stream(lab, phone, here)
        await phone.turn(vcs.VolumeControlPointOpcode.SET_ABSOLUTE_VOLUME, 128)
        await lab.pause(4.0)
        await phone.turn(vcs.VolumeControlPointOpcode.RELATIVE_VOLUME_UP)
        await phone.turn(vcs.VolumeControlPointOpcode.MUTE)
        await lab.pause(31.0)
        await phone.ask(ascs.ASE_Disable(ase_id=[1]))
        await phone.ask(ascs.ASE_Release(ase_id=[1]))
        await lab.pause(2.0)
        await call(lab, phone, here)
        await lab.pause(9.0)
        lab.note = "the link ends while both streams run"
        lab.sent("linkEnds", "AccessoryToHost", streaming=[1, 2])
        lab.lose_link(here)
        await asyncio.sleep(0.05)
    return lab


async def media(lab, here, there, player):
    """The earbud looks at the phone's player and starts it."""
    peer = Peer(there)
    await peer.discover_service(gatt.GATT_GENERIC_MEDIA_CONTROL_SERVICE)
    service = peer.get_services_by_uuid(gatt.GATT_GENERIC_MEDIA_CONTROL_SERVICE)[0]
    await service.discover_characteristics()
    proxy = mcp.MediaControlServiceProxy(service)
    await proxy.track_title.read_value()
    lab.sent("track", "HostToAccessory", title="Noches en el muelle")
    lab.sent("mediaState", "HostToAccessory", state="PAUSED")
    await proxy.media_state.read_value()
    for one in (proxy.media_state, proxy.media_control_point):
        await one.subscribe()
    lab.sent("mediaOperation", "AccessoryToHost", operation="PLAY")
    lab.sent("mediaResult", "HostToAccessory", operation="PLAY", result="SUCCESS")
    await proxy.media_control_point.write_value(
        bytes([mcp.MediaControlPointOpcode.PLAY]), with_response=True)
    await asyncio.sleep(0.05)
    lab.sent("mediaState", "HostToAccessory", state="PLAYING")
    await lab.phone.notify_subscriber(
        here, player.media_state_characteristic, bytes([mcp.MediaState.PLAYING]))
    await asyncio.sleep(0.05)


async def links(lab, here, cis):
    """Isochronous links of one group, and paths for their data."""
    P = CigParameters.CisParameters
    handles = await lab.phone.setup_cig(CigParameters(
        cig_id=1, cis_parameters=[P(cis_id=c, max_sdu_c_to_p=120, max_sdu_p_to_c=0) for c in cis],
        sdu_interval_c_to_p=10000, sdu_interval_p_to_c=10000,
        max_transport_latency_c_to_p=20, max_transport_latency_p_to_c=20))

    async def accept(link):
        await lab.accessory.accept_cis_request(link)

    lab.accessory.on("cis_request", lambda link: asyncio.ensure_future(accept(link)))
    made = await lab.phone.create_cis([(handle, here) for handle in handles])
    for link in made:
        await link.setup_data_path(link.Direction.HOST_TO_CONTROLLER)
    await asyncio.sleep(0.05)
    return made


async def stream(lab, phone, here):
    """Media to the sink, with a quality of service that is rejected first."""
    await phone.ask(ascs.ASE_Config_Codec(
        ase_id=[1], target_latency=[3], target_phy=[2], codec_id=[LC3],
        codec_specific_configuration=[bytes(configuration(
            bap.SamplingFrequency.FREQ_48000, 120, bap.AudioLocation.FRONT_LEFT))]), True)
    await phone.ask(quality([1], [1], [240]))
    await phone.ask(quality([1], [1], [120]))
    await phone.ask(ascs.ASE_Enable(ase_id=[1], metadata=[bytes(metadata(
        STREAMING_AUDIO_CONTEXTS=b"\4\0", CCID_LIST=b"\1"))]))
    link, = await links(lab, here, [1])
    for number in range(8):
        link.write(bytes((number * 31 + at) & 0xFF for at in range(120)))
        await asyncio.sleep(0.01)


async def call(lab, phone, here):
    """Both directions at once, for a call."""
    voice = bytes(configuration(bap.SamplingFrequency.FREQ_32000, 80,
                                bap.AudioLocation.FRONT_LEFT))
    await phone.ask(ascs.ASE_Config_Codec(
        ase_id=[1, 2], target_latency=[1, 1], target_phy=[2, 2], codec_id=[LC3, LC3],
        codec_specific_configuration=[voice, voice]))
    await phone.ask(quality([1, 2], [1, 1], [80, 80]))
    said = bytes(metadata(STREAMING_AUDIO_CONTEXTS=b"\2\0"))
    await phone.ask(ascs.ASE_Enable(ase_id=[1, 2], metadata=[said, said]))
    await phone.ask(ascs.ASE_Receiver_Start_Ready(ase_id=[2]))


async def broadcast(name="broadcast-session"):
    """A television broadcasts its sound in two languages. A phone finds the broadcast, and follows
    its periodic advertising until it ends."""
    async with Lab(name, "2026-11-22T20:00:00", "Acme TV") as lab:
        tv, F = lab.accessory, bap.SamplingFrequency

        def group(language, first):
            return bap.BasicAudioAnnouncement.Subgroup(
                codec_id=LC3, codec_specific_configuration=configuration(F.FREQ_24000, 60),
                metadata=metadata(STREAMING_AUDIO_CONTEXTS=b"\4\0", LANGUAGE=language),
                bis=[bap.BasicAudioAnnouncement.BIS(
                    index=first + n, codec_specific_configuration=bap.CodecSpecificConfiguration(
                        audio_channel_allocation=side))
                     for n, side in enumerate((bap.AudioLocation.FRONT_LEFT,
                                               bap.AudioLocation.FRONT_RIGHT))])

        base = bap.BasicAudioAnnouncement(40000, [group(b"eng", 1), group(b"spa", 3)])
        found = bap.BroadcastAudioAnnouncement(0x4F2A17)
        public = pbp.PublicBroadcastAnnouncement(
            features=pbp.PublicBroadcastAnnouncement.Features.STANDARD_QUALITY_CONFIGURATION,
            metadata=metadata(PROGRAM_INFO=b"Evening news"))
        lab.sent("broadcast", "AccessoryToHost", broadcastID=found.broadcast_id,
                 broadcastName="Acme TV", base=bytes(base).hex(), subgroups=2, streams=[1, 2, 3, 4])
        advertised = await tv.create_advertising_set(
            advertising_parameters=AdvertisingParameters(
                primary_advertising_interval_min=200, primary_advertising_interval_max=200,
                advertising_sid=3, advertising_event_properties=AdvertisingEventProperties(
                    is_connectable=False, is_scannable=False)),
            advertising_data=(
                found.get_advertising_data() + public.get_advertising_data() + bytes(
                    AdvertisingData([(AdvertisingData.BROADCAST_NAME, b"Acme TV")]))),
            periodic_advertising_parameters=PeriodicAdvertisingParameters(
                periodic_advertising_interval_min=80, periodic_advertising_interval_max=80),
            periodic_advertising_data=base.get_advertising_data(), auto_start=True)
        await advertised.start_periodic()
        await lab.phone.start_scanning(active=False)
        await asyncio.sleep(0.3)
        sync = await lab.phone.create_periodic_advertising_sync(
            advertiser_address=advertised.random_address or tv.random_address, sid=3)
        await asyncio.sleep(0.8)
        await sync.terminate()
        await lab.phone.stop_scanning()
        await advertised.stop_periodic()
        await advertised.stop()
    return lab


async def main(out):
    for make in (unicast, broadcast):
        lab = await asyncio.wait_for(make(), 60)
        text = " ".join(make.__doc__.split())
        classic.write(pathlib.Path(out) / lab.name, lab.name, lab.recorder.packets, "pcapng", {
            "addresses": lab.addresses, "pairing": {"keys": lab.bond}, "gatt": lab.gatt,
            "disconnections": lab.reasons, "events": lab.events}, f"""
{text}

Made by `captures/generator/leaudio.py captures` with {{versions}}:
two emulated devices, phone (central) and accessory, each a full host stack, on an emulated radio
link; the services of LE Audio are Bumble's. Every packet was actually sent; the recording is the
phone's HCI. The generator does not wait: it advances the recording clock instead. The Set
Identity Resolving Key is a TEST KEY. The capture contains no real device, person or place.
""")
        print(f"{lab.name:26} {len(lab.recorder.packets):5} packets  {len(lab.events):3} events")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1]))
