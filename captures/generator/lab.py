"""Two emulated Bluetooth devices on one emulated radio link; the phone's HCI is recorded.

Bumble's LocalLink and Controller do for most things; some habits of theirs are mended here,
because a capture of them would teach an analyser what no real controller does:
  - Controller hands data up in one ACL packet however long; a real one fragments to its
    buffer size.
  - It knows no data length and no PHY updates.
  - It reports the reason it was asked to disconnect with also to the one who asked; a real one
    says there that the local host did it.
  - It has no command to connect that goes with its extended scanning.
  - LocalLink delivers at once; here data waits for the next connection event.
"""
import asyncio
import datetime
import time
import uuid

from bumble import core, gatt, hci
from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.link import LocalLink
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.profiles.battery_service import BatteryService
from bumble.profiles.device_information_service import DeviceInformationService
from bumble.transport.common import AsyncPipeSink

IO = PairingDelegate.IoCapability
ENCRYPTION_AND_IDENTITY = 0x03
CONNECTION_INTERVAL = 0.015                         # seconds
SENT, RECEIVED = 0, 1                               # as the phone's host sees it
SUPERVISION_TIMEOUT, REMOTE_USER, LOCAL_HOST = 0x08, 0x13, 0x16


class Link(LocalLink):
    """Delivers data at connection events."""

    def __init__(self):
        super().__init__()
        self.waiting = []
        self.lost = lambda data: False              # whether an L2CAP PDU never arrives

    def send_acl_data(self, *data):
        if self.lost(data[-1]):
            return
        self.waiting.append(data)
        if len(self.waiting) == 1:
            loop = asyncio.get_running_loop()
            events = int(loop.time() / CONNECTION_INTERVAL) + 1
            loop.call_at(events * CONNECTION_INTERVAL, self.connection_event)

    def connection_event(self):
        waiting, self.waiting = self.waiting, []
        for data in waiting:
            super().send_acl_data(*data)


class Radio(Controller):
    """A controller with ACL buffers of a given size in both directions, with the extended or
    only the legacy commands for scanning and connecting."""

    supported_commands = Controller.supported_commands | {
        hci.HCI_LE_SET_DATA_LENGTH_COMMAND, hci.HCI_LE_SET_PHY_COMMAND}
    supported_max_tx_octets = supported_max_rx_octets = 251

    def __init__(self, name, link, public_address, acl_length, extended, **host):
        super().__init__(name, link=link, **host, public_address=hci.Address(
            public_address, hci.Address.PUBLIC_DEVICE_ADDRESS))
        self.acl_data_packet_length = self.le_acl_data_packet_length = acl_length
        if extended:
            self.supported_commands = self.supported_commands | {
                hci.HCI_LE_SET_EXTENDED_SCAN_PARAMETERS_COMMAND,
                hci.HCI_LE_SET_EXTENDED_SCAN_ENABLE_COMMAND,
                hci.HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND}
        else:
            self.le_features = self.le_features & ~(
                hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
                | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING)

    def on_link_acl_data(self, sender_address, transport, data):
        size = self.le_acl_data_packet_length
        connections = (self.le_connections if transport == core.PhysicalTransport.LE
                       else self.classic_connections)
        if connection := connections.get(sender_address):
            for at in range(0, len(data), size):
                part = data[at:at + size]
                self.send_hci_packet(hci.HCI_AclDataPacket(
                    connection.handle, 1 if at else 2, 0, len(part), part))

    def on_hci_disconnect_command(self, command):
        ours = self.find_le_connection_by_handle(command.connection_handle)
        if not ours:
            return super().on_hci_disconnect_command(command)
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        self.link.find_le_controller(ours.peer_address).lose(ours.self_address, command.reason)
        self.on_le_disconnected(ours, LOCAL_HOST)

    def lose(self, peer_address, reason):
        """The connection with a peer ends, for a reason given by the link layer."""
        self.on_le_disconnected(self.le_connections[peer_address], reason)

    def _on_both_sides(self, handle, make_event):
        connection = self.find_le_connection_by_handle(handle)
        peer = self.link.find_le_controller(connection.peer_address)
        self.send_hci_packet(make_event(handle))
        peer.send_hci_packet(make_event(peer.le_connections[connection.self_address].handle))

    def on_hci_le_set_data_length_command(self, command):
        octets, duration = command.tx_octets, command.tx_time
        asyncio.get_running_loop().call_soon(
            self._on_both_sides, command.connection_handle,
            lambda handle: hci.HCI_LE_Data_Length_Change_Event(
                handle, octets, duration, octets, duration))
        return hci.HCI_StatusAndConnectionHandleReturnParameters(
            hci.HCI_ErrorCode.SUCCESS, command.connection_handle)

    def on_hci_le_set_phy_command(self, command):
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        tx, rx = command.tx_phys.bit_length(), command.rx_phys.bit_length()   # the highest
        self._on_both_sides(
            command.connection_handle,
            lambda handle: hci.HCI_LE_PHY_Update_Complete_Event(
                hci.HCI_ErrorCode.SUCCESS, handle, tx, rx))


class Recorder:
    """Keeps what passes between the phone's host and controller, on a clock that runs as real
    time does and can be put forward."""

    def __init__(self, start):
        self.packets = []                           # (microseconds since 1970, direction, H4)
        self._base = int(start.timestamp() * 1_000_000)
        self._zero = time.monotonic()
        self.skipped = 0

    def now(self):
        elapsed = int((time.monotonic() - self._zero) * 1_000_000)
        return self._base + elapsed + self.skipped

    def snoop(self, packet, direction):
        last = self.packets[-1][0] if self.packets else 0
        self.packets.append((max(self.now(), last), int(direction), bytes(packet)))

    def forget(self, is_lost):
        """Loses the one packet that is the one meant, as a recorder does that cannot keep up."""
        found = [i for i, packet in enumerate(self.packets) if is_lost(packet[2])]
        assert len(found) == 1
        del self.packets[found[0]]


class Agent(PairingDelegate):
    """Answers a pairing with yes; notes the numbers compared."""

    def __init__(self, io, compared):
        super().__init__(io, ENCRYPTION_AND_IDENTITY, ENCRYPTION_AND_IDENTITY)
        self.compared = compared

    async def compare_numbers(self, number, digits):
        self.compared.append(f"{number:0{digits}}")
        return True


def test_uuid(name):
    """An UUID that is the same on every run, as Foundation's uuidString writes it."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://hark.example/{name}")).upper()


class Lab:
    """Phone and accessory on one link, and the list of what really happened between them.

    `events` holds the truth in order of sending. A side calls `sent` just before it puts a
    message on the air and the other side calls `arrived` when it has put one together; at the
    end the two must agree.
    """

    def __init__(self, name, start, accessory_name, acl_length=251, numeric_comparison=False,
                 extended=True, battery=87, classic=False, radio=Radio):
        self.name, self.accessory_name, self.battery = name, accessory_name, battery
        self.recorder = Recorder(datetime.datetime.fromisoformat(start + "+00:00"))
        self.events, self.received, self.expected, self.compared = [], [], [], []
        self.gatt, self.reasons = {}, []
        self.numeric_comparison = numeric_comparison
        self.link = link = Link()
        self.radios, self.devices, self.addresses = {}, {}, {}
        for side, public, static, irk in (
                ("phone", "C0:DE:00:00:00:01", "D1:11:11:11:11:11", bytes(range(16))),
                ("accessory", "C0:DE:00:00:00:02", "E2:4F:2A:22:22:22", bytes(range(16, 32)))):
            controller = radio(side, link, public, acl_length, extended)
            config = DeviceConfiguration(
                name="iPhone" if side == "phone" else accessory_name, irk=irk,
                address=hci.Address(static), le_privacy_enabled=side == "phone",
                classic_enabled=classic)
            device = Device(host=Host(controller, AsyncPipeSink(controller)), config=config)
            device.keystore = MemoryKeyStore()
            self.radios[side], self.devices[side] = controller, device
            self.addresses[side] = {"public": public, "staticRandom": static, "irk": irk.hex()}
            self._pairing(device, side)
        self.phone, self.accessory = self.devices["phone"], self.devices["accessory"]
        self.accessory.add_service(DeviceInformationService(
            manufacturer_name="Acme Devices", model_number="AW-2",
            serial_number="AW2-000417", hardware_revision="rev C", firmware_revision="4.2.1"))
        self.accessory.add_service(BatteryService(lambda connection: self.battery))

    def _pairing(self, device, side):
        io = IO.DISPLAY_OUTPUT_AND_YES_NO_INPUT
        if side == "accessory" and not self.numeric_comparison:
            io = IO.NO_OUTPUT_NO_INPUT
        config = PairingConfig(
            sc=True, mitm=self.numeric_comparison, bonding=True,
            delegate=Agent(io, self.compared if side == "phone" else []),
            identity_address_type=PairingConfig.AddressType.RANDOM)
        device.pairing_config_factory = lambda connection: config

    async def __aenter__(self):
        self.phone.host.snooper = self.recorder
        for device in self.devices.values():
            await device.power_on()
        self.addresses["phone"]["resolvablePrivate"] = str(self.phone.random_address).split("/")[0]
        return self

    async def __aexit__(self, kind, error, trace):
        await asyncio.sleep(0.05)                   # what is still under way
        def by_direction(messages):
            return sorted(messages, key=lambda message: message[1])
        if kind is None and by_direction(self.received) != by_direction(self.expected):
            raise AssertionError(f"{self.name}: what arrived is not what was sent")
        self.bond = await self.bond_keys()

    async def pause(self, seconds):
        """Lets the radio come to rest, then puts the recorder's clock forward."""
        await asyncio.sleep(0.05)
        self.recorder.skipped += int(seconds * 1_000_000)

    def sent(self, kind, direction, message=None, arrives=True, **fields):
        """Notes one event of the truth; `message` are the bytes the other side must receive."""
        entry = {"index": len(self.events), "kind": kind, "direction": direction,
                 "time": timestamp(self.recorder.now()), **fields}
        self.events.append({k: v for k, v in entry.items() if v is not None})
        if message is not None and arrives:
            self.expected.append((kind, direction, message))

    def arrived(self, kind, direction, message):
        self.received.append((kind, direction, message))

    async def connect(self, advertising_data, scan_response):
        """The accessory advertises, the phone scans, finds it and connects."""
        loop = asyncio.get_running_loop()
        found, there = loop.create_future(), loop.create_future()

        def on_advertisement(advertisement):
            if not found.done():
                found.set_result(advertisement.address)

        self.accessory.once("connection", there.set_result)
        self.phone.on("advertisement", on_advertisement)
        await self.accessory.start_advertising(
            advertising_data=advertising_data, scan_response_data=scan_response,
            advertising_interval_min=30, advertising_interval_max=30)
        await self.phone.start_scanning(active=True)
        address = await asyncio.wait_for(found, 5)
        await asyncio.sleep(0.07)
        await self.phone.stop_scanning()
        self.phone.remove_listener("advertisement", on_advertisement)
        connection = await self.phone.connect(address, own_address_type=hci.OwnAddressType.RANDOM)
        return connection, await asyncio.wait_for(there, 5)

    async def tune(self, connection, mtu):
        """MTU, data length and PHY."""
        peer = Peer(connection)
        self.gatt["mtu"] = await peer.request_mtu(mtu)
        await connection.set_data_length(251, 2120)
        await asyncio.sleep(0.02)
        await connection.set_phy([hci.Phy.LE_2M], [hci.Phy.LE_2M])
        await asyncio.sleep(0.02)
        return peer

    async def discover(self, peer):
        """The whole database, and a few values everyone reads."""
        await peer.discover_all()
        self.gatt["handles"] = {
            str(c.uuid).split(":")[-1]: c.handle for s in peer.services for c in s.characteristics}
        self.gatt["read"] = {}
        for what in (gatt.GATT_DEVICE_NAME_CHARACTERISTIC,
                     gatt.GATT_MANUFACTURER_NAME_STRING_CHARACTERISTIC,
                     gatt.GATT_MODEL_NUMBER_STRING_CHARACTERISTIC,
                     gatt.GATT_FIRMWARE_REVISION_STRING_CHARACTERISTIC,
                     gatt.GATT_BATTERY_LEVEL_CHARACTERISTIC):
            value = await peer.get_characteristics_by_uuid(what)[0].read_value()
            self.gatt["read"][what.to_hex_str()] = bytes(value).hex()

    async def first_meeting(self, advertising_data, scan_response, mtu):
        """From advertising to a discovered database over an encrypted link."""
        here, there = await self.connect(advertising_data, scan_response)
        await self.pause(0.3)
        peer = await self.tune(here, mtu)
        await here.pair()
        await self.pause(0.4)
        await self.discover(peer)
        return here, there, peer

    async def request_parameters(self, there):
        """The accessory asks for a connection interval, by an L2CAP signalling request."""
        await there.update_parameters(15, 30, 0, 6000, use_l2cap=True)
        await asyncio.sleep(0.05)

    async def disconnect(self, connection, by):
        await connection.disconnect(REMOTE_USER)
        self.reasons.append({"by": by, "phoneSees": LOCAL_HOST if by == "phone" else REMOTE_USER})

    def lose_link(self, here):
        """The accessory is gone: both sides run into the supervision timeout."""
        phone, accessory = self.radios["phone"], self.radios["accessory"]
        ours = phone.find_le_connection_by_handle(here.handle)
        address = ours.self_address
        phone.lose(ours.peer_address, SUPERVISION_TIMEOUT)
        accessory.lose(address, SUPERVISION_TIMEOUT)
        self.reasons.append({"by": "link layer", "phoneSees": SUPERVISION_TIMEOUT})

    async def bond_keys(self):
        return {side: {str(a): k.to_dict() for a, k in await device.keystore.get_all()}
                for side, device in self.devices.items()}


def advertising(name, uuid16=None, uuid128=None):
    """Advertising data with the services, scan response with the name."""
    data = [(AdvertisingData.FLAGS, bytes([0x06]))]
    if uuid128:
        data.append((AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
                     bytes(core.UUID(uuid128))))
    if uuid16:
        data.append((AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
                     bytes(core.UUID(uuid16))))
    response = [(AdvertisingData.COMPLETE_LOCAL_NAME, name.encode())]
    return bytes(AdvertisingData(data)), bytes(AdvertisingData(response))


def timestamp(microseconds):
    moment = datetime.datetime.fromtimestamp(microseconds // 1_000_000, datetime.UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{microseconds % 1_000_000:06}Z"
