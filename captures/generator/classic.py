"""What the captures of BR/EDR have in common: the devices, their radio, the list of what really
happened, and the files."""
import asyncio
import datetime

from bumble import hci
from bumble.controller import Controller
from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from generate import capture_files, digest, dump, versions
from lab import Recorder, timestamp

LOCAL_HOST = 0x16                                   # what a real controller says to who leaves


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


def write(folder, name, packets, kind, truth, origin):
    """Writes the folder of a scenario: the packets in two formats, the second of which is `kind`,
    with `truth` in truth.json. `origin` is the text of ORIGIN.md; {versions} in it is filled in."""
    folder.mkdir(parents=True, exist_ok=True)
    files, others, lines = capture_files(folder, name, kind, packets)
    dump(folder / "truth.json", {
        "scenario": name, "files": files, "keyFiles": [], "packets": len(packets),
        "sha256": digest(packets), "first": timestamp(packets[0][0]),
        "last": timestamp(packets[-1][0]), "notPackets": {files[1]: others}, **truth})
    (folder / "ORIGIN.md").write_text(f"""# {name}

{origin.replace("{versions}", versions()).strip()}

{lines}
* `truth.json`: what a decoder must find, as the two sides knew it.
""")
