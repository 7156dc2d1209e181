"""What the captures of BR/EDR have in common: the devices, their radio, the list of what really
happened, and the files."""
import asyncio
import datetime

from bumble import hci
from bumble.controller import Controller
from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink

from generate import capture_files, digest, dump, versions
from lab import Recorder, timestamp

LOCAL_HOST = 0x16                                   # what a real controller says to who leaves
UNAUTHENTICATED_P256 = 0x07                         # type of a link key made without comparison


class Radio(Controller):
    """A controller that tells the host which disconnects that it did. Bumble's own calls it the
    remote user's doing."""

    is_leaving = False

    def on_hci_disconnect_command(self, command):
        self.is_leaving = True
        super().on_hci_disconnect_command(command)
        self.is_leaving = False

    def send_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_Disconnection_Complete_Event) and self.is_leaving:
            packet = hci.HCI_Disconnection_Complete_Event(
                status=packet.status, connection_handle=packet.connection_handle,
                reason=LOCAL_HOST)
        super().send_hci_packet(packet)


class SecureRadio(Radio):
    """A controller that asks for a link key before it pairs, tells of an authentication only who
    asked for it, and of IO capabilities once, says of what type a key is, and encrypts. Bumble's
    own does none of these."""

    asks, knows = False, False

    def on_hci_authentication_requested_command(self, command):
        connection = self.find_classic_connection_by_handle(command.connection_handle)
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        connection.ssp_state.is_initiator = self.asks = True
        self.send_hci_packet(hci.HCI_Link_Key_Request_Event(bd_addr=connection.peer_address))

    def on_hci_write_secure_connections_host_support_command(self, command):
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_set_connection_encryption_command(self, command):
        connection = self.find_classic_connection_by_handle(command.connection_handle)
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        peer = next(c for c in self.link.controllers
                    if c.public_address == connection.peer_address)
        there = peer.classic_connections[self.public_address]
        for radio, handle in ((self, connection.handle), (peer, there.handle)):
            radio.send_hci_packet(hci.HCI_Encryption_Change_Event(
                status=0, connection_handle=handle,
                encryption_enabled=hci.HCI_Encryption_Change_Event.Enabled.AES_CCM))

    def send_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_Authentication_Complete_Event):
            if not self.asks:
                return
            self.asks = False
        if isinstance(packet, hci.HCI_IO_Capability_Response_Event):
            if self.knows:
                return
            self.knows = True
        if isinstance(packet, hci.HCI_Simple_Pairing_Complete_Event):
            self.knows = False
        if isinstance(packet, hci.HCI_Link_Key_Notification_Event):
            packet = hci.HCI_Link_Key_Notification_Event(
                bd_addr=packet.bd_addr, link_key=packet.link_key, key_type=UNAUTHENTICATED_P256)
        super().send_hci_packet(packet)


def pairs(device, can_ask):
    """Lets a device keep link keys and pair by Just Works; `can_ask`: whether it has a display."""
    io = PairingDelegate.IoCapability
    config = PairingConfig(sc=True, mitm=False, bonding=True, delegate=PairingDelegate(
        io.DISPLAY_OUTPUT_AND_YES_NO_INPUT if can_ask else io.NO_OUTPUT_NO_INPUT))
    device.keystore = MemoryKeyStore()
    device.pairing_config_factory = lambda connection: config
    return device


async def bonds(**devices):
    """The link keys of devices, in the order of HCI: for truth.json."""
    return {"keys": {side: {str(a).split("/")[0]: k.to_dict() for a, k in await device.keystore.get_all()}
                     for side, device in devices.items()}}


def device(name, address, link, radio=Controller, acl_length=None):
    """A host stack over a controller of class `radio`; `acl_length` is that of its buffers."""
    controller = radio(name, link=link, public_address=hci.Address(
        address, hci.Address.PUBLIC_DEVICE_ADDRESS))
    if acl_length:
        controller.acl_data_packet_length = acl_length
    return Device(host=Host(controller, AsyncPipeSink(controller)), config=DeviceConfiguration(
        name=name, address=hci.Address(address), classic_enabled=True, le_enabled=False))


class ClassicLab:
    """The recording, and what happened."""

    def __init__(self, name, start):
        self.name, self.events = name, []
        self.recorder = Recorder(datetime.datetime.fromisoformat(start + "+00:00"))

    def note(self, kind, **values):
        self.events.append({"kind": kind, "time": timestamp(self.recorder.now()), **values})

    def sent(self, kind, direction, **fields):
        self.events.append({"index": len(self.events), "kind": kind, "direction": direction,
                            "time": timestamp(self.recorder.now()), **fields})

    async def pause(self, seconds):
        """The recording clock is put forward instead of waiting."""
        await asyncio.sleep(0.03)
        self.recorder.skipped += int(seconds * 1_000_000)


def write(folder, name, packets, kind, truth, origin, keys=None):
    """Writes the folder of a scenario: the packets in two formats, the second of which is `kind`,
    with `truth` in truth.json. `origin` is the text of ORIGIN.md; {versions} in it is filled in.
    `keys` are the key files by name: each with what ORIGIN.md says of it."""
    keys = keys or {}
    folder.mkdir(parents=True, exist_ok=True)
    files, others, lines = capture_files(folder, name, kind, packets)
    dump(folder / "truth.json", {
        "scenario": name, "files": files, "keyFiles": sorted(keys), "packets": len(packets),
        "sha256": digest(packets), "first": timestamp(packets[0][0]),
        "last": timestamp(packets[-1][0]), "notPackets": {files[1]: others}, **truth})
    told = "".join(f"* `{n}`: {text}.\n" for n, (_, text) in keys.items())
    for file, (content, _) in keys.items():
        dump(folder / file, content)
    (folder / "ORIGIN.md").write_text(f"""# {name}

{origin.replace("{versions}", versions()).strip()}

{lines}
* `truth.json`: what a decoder must find, as known by the two sides.
{told}""")
