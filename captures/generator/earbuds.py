#!/usr/bin/env python3
"""LE Audio: two earbuds of a coordinated set, with isochronous data both ways: earbuds.py OUTDIR

Services, their values and the state machines of the endpoints are Bumble's, as are the HCI packets of
both hosts. Its controller sets isochronous links up, but tells no parameters of them and carries no
data; `Air` mends that, because a capture of it would teach an analyser what no real controller does.
"""
import asyncio
import pathlib
import struct
import sys

from bumble import core, gatt, hci
from bumble.core import AdvertisingData
from bumble.device import CigParameters, Device, DeviceConfiguration
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.profiles import ascs, bap, csip
from bumble.profiles.battery_service import BatteryService
from bumble.profiles.device_information_service import DeviceInformationService
from bumble.transport.common import AsyncPipeSink

import classic
from lab import LOCAL_HOST, REMOTE_USER, Lab, Radio, advertising
from leaudio import LC3, Buds, Phone, configuration, metadata, quality

INTERVAL = 10_000                                   # of SDUs, in microseconds
SIDES = ("L", "R")


class Air(Radio):
    """A controller that carries isochronous data: one SDU an interval, with the time stamps and
    sequence numbers of the receiver's own clock; what the air loses is reported as lost."""

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **settings)
        self.reason = REMOTE_USER
        self.received = {}                          # by handle: how many SDUs
        if not hasattr(self.link, "streams"):
            self.link.streams, self.link.lost_sdus, self.link.carried = {}, set(), []

    def on_hci_le_set_cig_parameters_command(self, command):
        for at, cis in enumerate(command.cis_id):
            self.link.streams[command.cig_id, cis] = {
                "latency": (command.max_transport_latency_c_to_p,
                            command.max_transport_latency_p_to_c),
                "sdu": (command.max_sdu_c_to_p[at], command.max_sdu_p_to_c[at]),
                "rtn": max(command.rtn_c_to_p[at], command.rtn_p_to_c[at]),
                "number": len(self.link.streams)}
        return super().on_hci_le_set_cig_parameters_command(command)

    def _ours(self, cig, cis):
        links = list(self.central_cis_links.values()) + list(self.peripheral_cis_links.values())
        return next(link for link in links if (link.cig_id, link.cis_id) == (cig, cis))

    def on_le_cis_established(self, cig_id, cis_id):
        link, at = self._ours(cig_id, cis_id), self.link.streams[cig_id, cis_id]
        uses = [int(size > 0) for size in at["sdu"]]
        self.received[link.handle] = 0
        self.send_hci_packet(hci.HCI_LE_CIS_Established_Event(
            status=hci.HCI_ErrorCode.SUCCESS, connection_handle=link.handle,
            cig_sync_delay=6200, cis_sync_delay=6200 - 2600 * at["number"],
            transport_latency_c_to_p=at["latency"][0] * 500,
            transport_latency_p_to_c=at["latency"][1] * 500,
            phy_c_to_p=2, phy_p_to_c=2, nse=at["rtn"] + 1, bn_c_to_p=uses[0], bn_p_to_c=uses[1],
            ft_c_to_p=1, ft_p_to_c=1, max_pdu_c_to_p=at["sdu"][0], max_pdu_p_to_c=at["sdu"][1],
            iso_interval=INTERVAL // 1250))

    def on_hci_disconnect_command(self, command):
        self.reason = LOCAL_HOST
        result = super().on_hci_disconnect_command(command)
        self.reason = REMOTE_USER
        return result

    def on_le_cis_disconnected(self, cig_id, cis_id):
        handle = self._ours(cig_id, cis_id).handle
        host, self.send_hci_packet = self.send_hci_packet, lambda packet: None
        super().on_le_cis_disconnected(cig_id, cis_id)
        self.send_hci_packet = host
        self.send_hci_packet(hci.HCI_Disconnection_Complete_Event(
            status=hci.HCI_ErrorCode.SUCCESS, connection_handle=handle, reason=self.reason))

    def on_hci_packet(self, packet):
        if not isinstance(packet, hci.HCI_IsoDataPacket):
            return super().on_hci_packet(packet)
        ours = self.find_iso_link_by_handle(packet.connection_handle)
        stream = (ours.cig_id, ours.cis_id)
        self.send_hci_packet(hci.HCI_Number_Of_Completed_Packets_Event([ours.handle], [1]))
        peer = self.link.find_le_controller(ours.acl_connection.peer_address)
        from_phone = ours.handle in self.central_cis_links
        heard = (*stream, from_phone, packet.packet_sequence_number) not in self.link.lost_sdus
        self.link.carried.append((*stream, from_phone, packet.packet_sequence_number, heard))
        peer.on_link_sdu(stream, packet.iso_sdu_fragment if heard else None)

    def on_link_sdu(self, stream, sdu):
        handle = self._ours(*stream).handle
        if 1 not in self.find_iso_link_by_handle(handle).data_paths:
            return
        number, self.received[handle] = self.received[handle], self.received[handle] + 1
        sdu_bytes = sdu or b""
        self.send_hci_packet(hci.HCI_IsoDataPacket(
            connection_handle=handle, data_total_length=8 + len(sdu_bytes),
            iso_sdu_fragment=sdu_bytes, pb_flag=0b10, time_stamp=2_000_000 + number * INTERVAL,
            packet_sequence_number=number, iso_sdu_length=len(sdu_bytes),
            packet_status_flag=int(sdu is None)))


class Bud(Buds):
    """One of the two; its notes say which."""

    def __init__(self, lab, side):
        self.side = side
        super().__init__(
            lab, bap.AudioLocation.FRONT_LEFT if side == "L" else bap.AudioLocation.FRONT_RIGHT,
            SIDES.index(side) + 1)

    def note(self, kind, **fields):
        super().note(kind, device=self.side, **fields)


class Client(Phone):
    """The phone as the client of one of the two."""

    def __init__(self, lab, here, peer, side):
        super().__init__(lab, here, peer)
        self.side, sent = side, lab.sent
        self.lab = type("Notes", (), {"sent": staticmethod(
            lambda *arguments, **fields: sent(*arguments, device=side, **fields))})

    async def begin(self):
        for uuid in (gatt.GATT_SINK_PAC_CHARACTERISTIC, gatt.GATT_SINK_AUDIO_LOCATION_CHARACTERISTIC,
                     gatt.GATT_SET_IDENTITY_RESOLVING_KEY_CHARACTERISTIC,
                     gatt.GATT_COORDINATED_SET_SIZE_CHARACTERISTIC,
                     gatt.GATT_SET_MEMBER_RANK_CHARACTERISTIC):
            await self.characteristic(uuid).read_value()
        for uuid in (gatt.GATT_SINK_ASE_CHARACTERISTIC, gatt.GATT_SOURCE_ASE_CHARACTERISTIC,
                     gatt.GATT_ASE_CONTROL_POINT_CHARACTERISTIC):
            await self.characteristic(uuid).subscribe()


def second_bud(lab):
    """A third device on the link, with the services of the accessory."""
    address = "E6:4F:2A:33:33:33"
    radio = Air("right", lab.link, "C0:DE:00:00:00:03", 251, True)
    device = Device(host=Host(radio, AsyncPipeSink(radio)), config=DeviceConfiguration(
        name="Acme Buds R", irk=bytes(range(32, 48)), address=hci.Address(address)))
    device.keystore = MemoryKeyStore()
    lab.radios["right"], lab.devices["right"] = radio, device
    lab.addresses["right"] = {
        "public": "C0:DE:00:00:00:03", "staticRandom": address, "irk": bytes(range(32, 48)).hex()}
    lab._pairing(device, "accessory")
    device.add_service(DeviceInformationService(
        manufacturer_name="Acme Devices", model_number="AW-2", serial_number="AW2-000418",
        hardware_revision="rev C", firmware_revision="4.2.1"))
    device.add_service(BatteryService(lambda connection: 85))
    return device


async def meet(lab, side):
    """The phone connects to one of the two, by its Resolvable Set Identifier."""
    bud = Bud(lab, side)
    rsi = csip.generate_rsi(bud.set.set_identity_resolving_key)
    data = bytes(AdvertisingData([
        (AdvertisingData.FLAGS, bytes([0x06])), (AdvertisingData.RESOLVABLE_SET_IDENTIFIER, rsi),
        (AdvertisingData.SERVICE_DATA_16_BIT_UUID,
         bytes(core.UUID.from_16_bits(0x184E)) + bytes([1, 6, 0, 2, 0, 0]))]))
    lab.sent("set", "AccessoryToHost", device=side, rsi=rsi.hex())
    here, there, peer = await lab.first_meeting(
        data, advertising(f"Acme Buds {side}")[1], mtu=251)
    client = Client(lab, here, peer, side)
    await client.begin()
    await lab.pause(0.5)
    return client


async def connect_streams(lab, clients, sizes):
    """A group of one stream for each; `sizes` of SDUs to the Peripheral and to the Central."""
    P = CigParameters.CisParameters
    handles = await lab.phone.setup_cig(CigParameters(
        cig_id=1, cis_parameters=[
            P(cis_id=at + 1, max_sdu_c_to_p=sizes[0], max_sdu_p_to_c=sizes[1])
            for at in range(len(clients))],
        sdu_interval_c_to_p=INTERVAL, sdu_interval_p_to_c=INTERVAL,
        max_transport_latency_c_to_p=20, max_transport_latency_p_to_c=20))
    made = await lab.phone.create_cis(
        [(handle, client.here) for handle, client in zip(handles, clients)])
    made = sorted(made, key=lambda link: link.cis_id)
    for link, client in zip(made, clients):
        for direction, size in zip((link.Direction.HOST_TO_CONTROLLER,
                                    link.Direction.CONTROLLER_TO_HOST), sizes):
            if size:
                await link.setup_data_path(direction)
        lab.isochronous.append({
            "handle": link.handle, "link": client.here.handle, "device": client.side,
            "cig": 1, "cis": link.cis_id, "maxSDU": list(sizes)})
    await asyncio.sleep(0.1)
    return made


def sound(number, size):
    return bytes((number * 31 + at) & 0xFF for at in range(size))


async def configure(clients, frequency, octets, context, source=False):
    """Config Codec, Config QoS and Enable of all, as one stream of music or a call."""
    ases = [1, 2] if source else [1]
    count = len(ases)
    for at, client in enumerate(clients):
        place = bap.AudioLocation.FRONT_LEFT if client.side == "L" else bap.AudioLocation.FRONT_RIGHT
        await client.ask(ascs.ASE_Config_Codec(
            ase_id=ases, target_latency=[3 - 2 * source] * count, target_phy=[2] * count,
            codec_id=[LC3] * count,
            codec_specific_configuration=[bytes(configuration(frequency, octets, place))] * count),
            True)
        await client.ask(quality(ases, [at + 1] * count, [octets] * count))
    for client in clients:
        said = bytes(metadata(STREAMING_AUDIO_CONTEXTS=struct.pack("<H", context)))
        await client.ask(ascs.ASE_Enable(ase_id=ases, metadata=[said] * count))


async def music(lab, clients):
    F = bap.SamplingFrequency
    await configure(clients, F.FREQ_48000, 120, bap.ContextType.MEDIA)
    links = await connect_streams(lab, clients, (120, 0))
    for number in range(10):
        for link in links:
            link.write(sound(number, 120))
        await asyncio.sleep(INTERVAL / 1_000_000)
    said = bytes(metadata(STREAMING_AUDIO_CONTEXTS=struct.pack("<H", bap.ContextType.GAME)))
    for client in clients:
        await client.ask(ascs.ASE_Update_Metadata(ase_id=[1], metadata=[said]))
    for client in clients:
        await client.ask(ascs.ASE_Disable(ase_id=[1]))
        await client.ask(ascs.ASE_Release(ase_id=[1]))
    await hang_up(lab, links)


async def call(lab, client):
    """Both directions: the left earbud's microphone."""
    await configure([client], bap.SamplingFrequency.FREQ_32000, 80, bap.ContextType.CONVERSATIONAL,
                    source=True)
    links = await connect_streams(lab, [client], (80, 80))
    theirs = next(iter(lab.accessory.cis_links.values()))
    await client.ask(ascs.ASE_Receiver_Start_Ready(ase_id=[2]))
    lab.link.lost_sdus = {(1, 1, False, 5), (1, 1, False, 6)}
    for number in range(16):
        links[0].write(sound(number, 80))
        theirs.write(sound(number + 100, 80))
        await asyncio.sleep(INTERVAL / 1_000_000)
    await client.ask(ascs.ASE_Disable(ase_id=[1, 2]))
    await client.ask(ascs.ASE_Receiver_Stop_Ready(ase_id=[2]))
    await client.ask(ascs.ASE_Release(ase_id=[1, 2]))
    await hang_up(lab, links)
    # The recorder missed one that the phone received.
    missed = struct.pack("<H", 11)
    lab.recorder.forget(lambda packet: packet[0] == 5 and packet[2] & 0x40 and packet[9:11] == missed)


async def hang_up(lab, links):
    for link in links:
        await link.disconnect()
    await asyncio.sleep(0.05)
    await lab.phone.send_sync_command(hci.HCI_LE_Remove_CIG_Command(cig_id=1))
    await lab.pause(2.0)


async def earbuds(name="earbuds-session"):
    """A phone connects to both earbuds of a coordinated set, streams music to them over a group of
    two isochronous streams, changes the metadata, and disables and releases the streams. Then the
    left one handles a call, with sound in both directions over one stream. Two SDUs of the
    microphone are lost over the air, and another is missing from the recording."""
    lab = Lab(name, "2026-11-23T09:40:00", "Acme Buds L", radio=Air)
    lab.isochronous = []
    left, right = lab.accessory, second_bud(lab)
    async with lab:
        clients = [await meet(lab, "L")]
        lab.accessory = right
        clients.append(await meet(lab, "R"))
        lab.accessory = left
        await music(lab, clients)
        await call(lab, clients[0])
        for client in clients:
            await lab.disconnect(client.here, "phone")
            await asyncio.sleep(0.05)
    return lab


async def main(out):
    lab = await asyncio.wait_for(earbuds(), 60)
    carried = [{"cig": cig, "cis": cis, "direction": "HostToAccessory" if down else "AccessoryToHost",
                "sequence": number, "heard": heard}
               for cig, cis, down, number, heard in lab.link.carried]
    classic.write(pathlib.Path(out) / lab.name, lab.name, lab.recorder.packets, "pcapng", {
        "addresses": lab.addresses, "pairing": {"keys": lab.bond}, "gatt": lab.gatt,
        "disconnections": lab.reasons, "isochronous": lab.isochronous, "sdus": carried,
        "notRecorded": [{"cig": 1, "cis": 1, "direction": "AccessoryToHost", "sequence": 11}],
        "events": lab.events}, f"""
{" ".join(earbuds.__doc__.split())}

Made by `captures/generator/earbuds.py captures` with {{versions}}:
three emulated devices, each a full host stack, on an emulated radio link; the services of LE Audio and
the HCI packets of all hosts are Bumble's. Its controller carries no isochronous data: the generator
simulates how SDUs cross the air, with their parameters, time stamps and sequence numbers, following the
Core Specification. The recording is the phone's HCI. The generator does not wait: it advances the recording
clock instead. The Set Identity Resolving Key is a TEST KEY. The capture contains no real device,
person or place.
""")
    print(f"{lab.name:26} {len(lab.recorder.packets):5} packets  {len(lab.events):3} events")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1]))
