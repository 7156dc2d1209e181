#!/usr/bin/env python3
"""Periodic advertising and broadcast groups, found, followed and lost: trains.py OUTDIR

Announcements and HCI packets are Bumble's. Its controller follows a train for ever, tells of no
BIGInfo and carries no data of broadcast groups; `Ether` mends that.
"""
import asyncio
import pathlib
import sys

from bumble import hci
from bumble.core import AdvertisingData
from bumble.device import (
    AdvertisingEventProperties, AdvertisingParameters, BigParameters, BigSyncParameters,
    PeriodicAdvertisingParameters)
from bumble.profiles import bap

import classic
from lab import Lab, Radio
from leaudio import LC3, configuration, metadata

INTERVAL = 10_000                                   # of SDUs, in microseconds
REMOTE_USER = 0x13


class Ether(Radio):
    """A controller that loses what is no longer sent, reads BIGInfo and hears broadcast groups."""

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **settings)
        self.timers, self.timeouts = {}, {}         # by Sync_Handle
        self.groups = {}                            # by BIG_Handle: sync, handles of the BISes
        self.paths = set()
        if not hasattr(self.link, "broadcasts"):
            self.link.broadcasts = {}               # by advertiser: BIG, its command, its radio

    # Trains

    def on_hci_le_periodic_advertising_create_sync_command(self, command):
        self.timeouts[0x0010 + command.advertising_sid] = command.sync_timeout * 0.01
        return super().on_hci_le_periodic_advertising_create_sync_command(command)

    def on_advertising_pdu(self, pdu):
        super().on_advertising_pdu(pdu)
        for sync, key in list(self.established_periodic_advertising_syncs.items()):
            if key != (pdu.advertiser_address, getattr(pdu, "sid", None)):
                continue
            if sync in self.timers:
                self.timers[sync].cancel()
            self.timers[sync] = asyncio.get_running_loop().call_later(
                self.timeouts[sync], self.train_lost, sync)
            if made := self.link.broadcasts.get(key[0]):
                big = made["command"]
                self.send_hci_packet(hci.HCI_LE_BIGInfo_Advertising_Report_Event(
                    sync_handle=sync, num_bis=big.num_bis, nse=3, iso_interval=8, bn=1, pto=0,
                    irc=3, max_pdu=big.max_sdu, sdu_interval=big.sdu_interval, max_sdu=big.max_sdu,
                    phy=hci.Phy.LE_2M, framing=big.framing, encryption=big.encryption))

    def train_lost(self, sync):
        if self.established_periodic_advertising_syncs.pop(sync, None):
            self.send_hci_packet(hci.HCI_LE_Periodic_Advertising_Sync_Lost_Event(sync_handle=sync))

    # Groups

    def on_hci_le_create_big_command(self, command):
        at = self.advertising_sets[command.advertising_handle]
        self.link.broadcasts[at.address] = {"command": command, "radio": self}
        return super().on_hci_le_create_big_command(command)

    def on_hci_le_terminate_big_command(self, command):
        ours = [a for a, made in self.link.broadcasts.items() if made["radio"] is self]
        for address in ours:
            del self.link.broadcasts[address]
        for radio in self.link.controllers:
            if radio is not self and ours:
                radio.groups_lost(ours, command.reason)
        return super().on_hci_le_terminate_big_command(command)

    def groups_lost(self, addresses, reason):
        for big, (address, _) in list(self.groups.items()):
            if address in addresses:
                del self.groups[big]
                self.send_hci_packet(hci.HCI_LE_BIG_Sync_Lost_Event(big_handle=big, reason=reason))

    def on_hci_le_big_create_sync_command(self, command):
        address, _ = self.established_periodic_advertising_syncs[command.sync_handle]
        made = self.link.broadcasts[address]["command"]
        handles = [0x0200 + index for index in command.bis]
        self.groups[command.big_handle] = (address, handles)
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        self.send_hci_packet(hci.HCI_LE_BIG_Sync_Established_Event(
            status=hci.HCI_ErrorCode.SUCCESS, big_handle=command.big_handle,
            transport_latency_big=6000, nse=3, bn=1, pto=0, irc=3, max_pdu=made.max_sdu,
            iso_interval=8, connection_handle=handles))

    def on_hci_le_big_terminate_sync_command(self, command):
        self.groups.pop(command.big_handle, None)
        return super().on_hci_le_big_terminate_sync_command(command)

    def on_hci_le_setup_iso_data_path_command(self, command):
        self.paths.add(command.connection_handle)
        return hci.HCI_StatusAndConnectionHandleReturnParameters(
            hci.HCI_ErrorCode.SUCCESS, command.connection_handle)

    def on_hci_packet(self, packet):
        if not isinstance(packet, hci.HCI_IsoDataPacket):
            return super().on_hci_packet(packet)
        # Bumble's controller numbers the BISes it sends from 0x0100 on.
        self.send_hci_packet(hci.HCI_Number_Of_Completed_Packets_Event(
            [packet.connection_handle], [1]))
        for radio in self.link.controllers:
            if radio is not self:
                radio.on_broadcast(packet.connection_handle - 0x0100 + 1, packet)

    def on_broadcast(self, index, packet):
        for _, handles in self.groups.values():
            handle = 0x0200 + index
            if handle in handles and handle in self.paths:
                self.send_hci_packet(hci.HCI_IsoDataPacket(
                    connection_handle=handle, data_total_length=8 + len(packet.iso_sdu_fragment),
                    iso_sdu_fragment=packet.iso_sdu_fragment, pb_flag=0b10,
                    time_stamp=5_000_000 + packet.packet_sequence_number * INTERVAL,
                    packet_sequence_number=packet.packet_sequence_number,
                    iso_sdu_length=len(packet.iso_sdu_fragment), packet_status_flag=0))


def base(language, streams=2):
    """The Basic Audio Announcement of one subgroup."""
    return bap.BasicAudioAnnouncement(40000, [bap.BasicAudioAnnouncement.Subgroup(
        codec_id=LC3, codec_specific_configuration=configuration(
            bap.SamplingFrequency.FREQ_24000, 60),
        metadata=metadata(STREAMING_AUDIO_CONTEXTS=b"\4\0", LANGUAGE=language),
        bis=[bap.BasicAudioAnnouncement.BIS(
            index=at + 1, codec_specific_configuration=bap.CodecSpecificConfiguration(
                audio_channel_allocation=side))
            for at, side in enumerate((bap.AudioLocation.FRONT_LEFT,
                                       bap.AudioLocation.FRONT_RIGHT)[:streams])])])


async def advertise(device, name, broadcast_id, sid, announcement):
    return await device.create_advertising_set(
        advertising_parameters=AdvertisingParameters(
            primary_advertising_interval_min=160, primary_advertising_interval_max=160,
            advertising_sid=sid, advertising_event_properties=AdvertisingEventProperties(
                is_connectable=False, is_scannable=False)),
        advertising_data=bap.BroadcastAudioAnnouncement(broadcast_id).get_advertising_data() + bytes(
            AdvertisingData([(AdvertisingData.BROADCAST_NAME, name.encode())])),
        periodic_advertising_parameters=PeriodicAdvertisingParameters(
            periodic_advertising_interval_min=80, periodic_advertising_interval_max=80),
        periodic_advertising_data=announcement.get_advertising_data(), auto_start=True)


def group(streams, octets):
    return BigParameters(num_bis=streams, sdu_interval=INTERVAL, max_sdu=octets,
                         max_transport_latency=20, rtn=2)


async def listen(lab, tv):
    """The phone finds the television, follows it and hears its sound until it is switched off."""
    shown = await advertise(tv, "Acme TV", 0x4F2A17, 3, base(b"eng"))
    await shown.start_periodic()
    await lab.phone.start_scanning(active=False)
    nobody = await lab.phone.create_periodic_advertising_sync(
        advertiser_address=tv.random_address, sid=9, sync_timeout=0.25)
    await asyncio.sleep(0.4)
    lab.note("syncFailed", sid=9, state=str(nobody.state.name))
    address = shown.random_address or tv.random_address
    sync = await lab.phone.create_periodic_advertising_sync(
        advertiser_address=address, sid=3, sync_timeout=0.35)
    lost = asyncio.get_running_loop().create_future()
    sync.on("loss", lambda: lost.set_result(None))
    await asyncio.sleep(0.35)
    lab.note("synchronized", sid=3, address=str(address).split("/")[0], sync=sync.sync_handle)
    big = await tv.create_big(shown, group(2, 60))
    await asyncio.sleep(0.25)
    lab.note("announced", streams=2, maxSDU=60)
    heard = await lab.phone.create_big_sync(sync, BigSyncParameters(big_sync_timeout=50, bis=[1, 2]))
    handles = [bis.handle for bis in heard.bis_links]
    for bis in heard.bis_links:
        await bis.setup_data_path(bis.Direction.CONTROLLER_TO_HOST)
    lab.note("groupSynchronized", handles=handles)
    for bis in big.bis_links:
        await bis.setup_data_path(bis.Direction.HOST_TO_CONTROLLER)
    for number in range(8):
        for at, bis in enumerate(big.bis_links):
            bis.write(bytes((number * 7 + at + n) & 0xFF for n in range(60)))
        await asyncio.sleep(INTERVAL / 1_000_000)
    await shown.set_periodic_advertising_data(base(b"spa").get_advertising_data())
    lab.note("changed", data=bytes(base(b"spa")).hex())
    await asyncio.sleep(0.3)
    await big.terminate()
    lab.note("groupLost", reason=REMOTE_USER)
    await asyncio.sleep(0.1)
    await shown.stop_periodic()
    await shown.stop()
    await asyncio.wait_for(lost, 5)
    lab.note("lost", sync=0x0013)
    await lab.phone.stop_scanning()


async def share(lab):
    """The phone broadcasts itself."""
    shown = await advertise(lab.phone, "iPhone", 0x00C0DE, 1, base(b"eng", 1))
    await shown.start_periodic()
    lab.note("started", interval=80)
    big = await lab.phone.create_big(shown, group(1, 60))
    lab.note("groupCreated", handles=[bis.handle for bis in big.bis_links])
    for bis in big.bis_links:
        await bis.setup_data_path(bis.Direction.HOST_TO_CONTROLLER)
    for number in range(6):
        big.bis_links[0].write(bytes((number * 5 + n) & 0xFF for n in range(60)))
        await asyncio.sleep(INTERVAL / 1_000_000)
    await shown.set_periodic_advertising_data(base(b"deu", 1).get_advertising_data())
    await big.terminate()
    lab.note("groupEnded", reason=REMOTE_USER)
    await shown.stop_periodic()
    await shown.stop()
    lab.note("stopped")


async def trains(name="periodic-session"):
    """A phone searches for a periodic advertising train that does not exist, then follows the train
    of a television, learns of its broadcast group and listens to it. The announcement changes, the
    group ends, and the train is lost. Then the phone itself broadcasts."""
    lab = Lab(name, "2026-11-24T19:05:00", "Acme TV", radio=Ether)
    lab.note = lambda kind, **fields: lab.sent(kind, "AccessoryToHost", **fields)
    async with lab:
        await listen(lab, lab.accessory)
        await lab.pause(3.0)
        await share(lab)
    return lab


async def main(out):
    lab = await asyncio.wait_for(trains(), 60)
    classic.write(pathlib.Path(out) / lab.name, lab.name, lab.recorder.packets, "pcapng", {
        "addresses": lab.addresses, "events": lab.events}, f"""
{" ".join(trains.__doc__.split())}

Made by `captures/generator/trains.py captures` with {{versions}}:
two emulated devices, phone and television, each a full host stack, on an emulated radio link. The
announcements and the HCI packets of both hosts are Bumble's. Its controller does not lose trains,
support BIGInfo or carry data of broadcast groups: the generator simulates these, following the Core
Specification. The recording is the phone's HCI. The capture contains no real device, person or place.
""")
    print(f"{lab.name:26} {len(lab.recorder.packets):5} packets  {len(lab.events):3} events")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1]))
