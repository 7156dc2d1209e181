#!/usr/bin/env python3
"""The other end of the guest's second UART: peer.py SOCKET OUT

An emulated controller that the guest's kernel drives over H4, and on the same emulated link a sensor,
which is Bumble's own host stack: it advertises, pairs and notifies. So every value and every key of
what the guest records is known here too. OUT gets them as JSON when the peer is ended.
"""
import asyncio
import json
import pathlib
import signal
import sys

from bumble import gatt
from bumble.core import AdvertisingData, PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.link import LocalLink
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "captures" / "generator"))
from lab import Radio  # noqa: E402

SERVICE, VALUE, STREAM = (f"9e15000{n}-5f3b-4c5e-8e0a-6d2f00000000" for n in (1, 2, 4))
NOTIFICATIONS = 20


class Link(LocalLink):
    """Bumble's names the sender of LE data by its random address, so that what a host with a public
    one sends, as the kernel does, would never arrive."""

    def send_acl_data(self, sender, destination, transport, data):
        if transport == PhysicalTransport.LE and destination in sender.le_connections:
            source = sender.le_connections[destination].self_address
            receiver = self.find_le_controller(destination)
            asyncio.get_running_loop().call_soon(
                receiver.on_link_acl_data, source, transport, data)
        else:
            super().send_acl_data(sender, destination, transport, data)


def sensor_on(link):
    radio = Radio("sensor", link, "C0:DE:00:00:00:02", 27, False)
    device = Device(host=Host(radio, AsyncPipeSink(radio)), config=DeviceConfiguration(
        name="Sensor", address=Address("E2:22:22:22:22:22"), irk=bytes(range(16, 32))))
    device.keystore = MemoryKeyStore()
    pairing = PairingConfig(
        mitm=False, delegate=PairingDelegate(PairingDelegate.NO_OUTPUT_NO_INPUT),
        identity_address_type=PairingConfig.AddressType.RANDOM)
    device.pairing_config_factory = lambda connection: pairing
    return device


def serve(sensor, facts):
    """A value to read and write, and one that notifies as soon as it is subscribed to."""
    properties, permissions = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
    value = gatt.Characteristic(
        VALUE, properties.READ | properties.WRITE, permissions.READABLE | permissions.WRITEABLE,
        gatt.CharacteristicValue(
            read=lambda connection: b"hello from the sensor",
            write=lambda connection, data: facts["written"].append(data.hex())))
    stream = gatt.Characteristic(STREAM, properties.NOTIFY, permissions.READABLE, b"")
    sensor.add_service(gatt.Service(SERVICE, [value, stream]))

    async def notify(connection):
        for i in range(NOTIFICATIONS):
            data = bytes((i + n) & 0xFF for n in range(connection.att_mtu - 3))
            facts["notified"].append(data.hex())
            await sensor.notify_subscriber(connection, stream, data)

    running = []                                   # a task that nobody holds may be collected
    stream.on("subscription", lambda connection, notifies, indicates:
              notifies and running.append(asyncio.ensure_future(notify(connection))))


async def main(socket, out):
    facts = {"written": [], "notified": []}
    uart = await open_transport(f"unix-server:{socket}")
    link = Link()
    Radio("guest", link, "C0:DE:00:00:00:01", 27, False,
          host_source=uart.source, host_sink=uart.sink)
    sensor = sensor_on(link)
    serve(sensor, facts)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await sensor.power_on()
    await sensor.start_advertising(
        auto_restart=True, advertising_interval_min=100, advertising_interval_max=100,
        advertising_data=bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([6])),
            (AdvertisingData.COMPLETE_LOCAL_NAME, b"Sensor")])))
    await ended.wait()
    bonds = [keys.to_dict() for _, keys in await sensor.keystore.get_all()]
    facts["ltk"] = [bond["ltk"]["value"] for bond in bonds if "ltk" in bond]
    pathlib.Path(out).write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
