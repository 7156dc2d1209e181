"""A local network of two hosts, phone and accessory: two network namespaces of Linux and a cable
between them (veth). Everything but the cable is real: the kernel's IP and TCP, the Multicast DNS of
`zeroconf`. The phone's end is recorded, with the clock of the Bluetooth recorder.

Needs root, for the namespaces; `enter` runs before anything else that opens a socket.
"""
import asyncio
import contextlib
import ctypes
import fcntl
import os
import socket
import struct
import subprocess

from zeroconf import IPVersion, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

PHONE, ACCESSORY = "192.168.7.1", "192.168.7.2"
MACS = {"phone": "02:00:5e:10:00:01", "accessory": "02:00:5e:10:00:02"}
CLONE_NEWNET = 0x40000000
SENT, RECEIVED = 0, 1
ALL_PROTOCOLS, OUTGOING = 3, 4                      # ETH_P_ALL, PACKET_OUTGOING
# What a network card would do otherwise: the kernel then hands over segments as they are on a wire.
ETHTOOL, OFFLOADS = 0x8946, (0x15, 0x17, 0x1F, 0x24, 0x2C)

libc = ctypes.CDLL(None, use_errno=True)


def run(*command):
    subprocess.run(command, check=True)


def _plain(name):
    """Switches checksum and segmentation offload of an interface off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", command, 0), 8)
            request = struct.pack("16sP", name.encode(), ctypes.addressof(value)) + bytes(16)
            with contextlib.suppress(OSError):
                fcntl.ioctl(control, ETHTOOL, request)


class Network:
    """The two hosts. `with network.host("accessory"):` opens sockets there."""

    def __init__(self):
        if libc.unshare(CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "no network namespace: this needs root")
        self.other = subprocess.Popen(["unshare", "-n", "sleep", "300"])
        while os.readlink(f"/proc/{self.other.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            pass
        self.spaces = {"phone": os.open("/proc/self/ns/net", os.O_RDONLY),
                       "accessory": os.open(f"/proc/{self.other.pid}/ns/net", os.O_RDONLY)}
        run("ip", "link", "add", "wlan0", "type", "veth", "peer", "name", "wlan1")
        run("ip", "link", "set", "wlan1", "netns", str(self.other.pid))
        for side, name, address in (("phone", "wlan0", PHONE), ("accessory", "wlan1", ACCESSORY)):
            with self.host(side):
                run("ip", "link", "set", "lo", "up")
                run("ip", "link", "set", name, "address", MACS[side])
                _plain(name)
        self.up = False

    @contextlib.contextmanager
    def host(self, side):
        def enter(which):
            if libc.setns(self.spaces[which], CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
        enter(side)
        try:
            yield
        finally:
            enter("phone")

    def record(self, take):
        """Calls `take(direction, frame)` with each frame at the phone."""
        tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
        tap.bind(("wlan0", ALL_PROTOCOLS))
        tap.setblocking(False)

        def ready():
            with contextlib.suppress(OSError):      # nothing more, or the interface was down until now
                while True:
                    frame, source = tap.recvfrom(65535)
                    take(SENT if source[2] == OUTGOING else RECEIVED, frame)

        asyncio.get_running_loop().add_reader(tap, ready)

    async def join(self):
        """Both come into the network."""
        for side, name, address in (("phone", "wlan0", PHONE), ("accessory", "wlan1", ACCESSORY)):
            with self.host(side):
                run("ip", "address", "add", f"{address}/24", "brd", "+", "dev", name)
                run("ip", "link", "set", name, "up")
                run("ip", "route", "add", "224.0.0.0/4", "dev", name)
        await asyncio.sleep(0.3)

    def close(self):
        self.other.kill()
        self.other.wait()


class Service:
    """The accessory: announces its service and takes one connection."""

    def __init__(self, network, instance, kind, host, properties):
        self.network, self.host = network, host
        self.connected = asyncio.get_running_loop().create_future()
        self.names = f"{instance}.{kind}.local.", f"{kind}.local.", properties

    async def start(self, port):
        with self.network.host("accessory"):
            listening = socket.create_server((ACCESSORY, port))
            self.zeroconf = AsyncZeroconf(interfaces=[ACCESSORY], ip_version=IPVersion.V4Only)
            await self.zeroconf.zeroconf.async_wait_for_start()
        self.server = await asyncio.start_server(
            lambda *streams: self.connected.set_result(streams), sock=listening)
        name, kind, properties = self.names
        self.info = AsyncServiceInfo(kind, name, port=port, server=self.host, properties=properties,
                                     addresses=[socket.inet_aton(ACCESSORY)])
        await (await self.zeroconf.async_register_service(self.info))

    async def stop(self):
        await self.zeroconf.async_unregister_all_services()
        await asyncio.sleep(0.3)
        await self.zeroconf.async_close()
        self.server.close()


async def find(kind):
    """The phone: looks for a service, and connects to the first."""
    found = asyncio.get_running_loop().create_future()

    def changed(zeroconf, service_type, name, state_change):
        if state_change is ServiceStateChange.Added and not found.done():
            found.set_result(name)

    zeroconf = AsyncZeroconf(interfaces=[PHONE], ip_version=IPVersion.V4Only)
    browser = AsyncServiceBrowser(zeroconf.zeroconf, f"{kind}.local.", handlers=[changed])
    info = AsyncServiceInfo(f"{kind}.local.", await asyncio.wait_for(found, 10))
    assert await info.async_request(zeroconf.zeroconf, 3000)
    await browser.async_cancel()
    await zeroconf.async_close()
    return await asyncio.open_connection(info.parsed_addresses()[0], info.port)


class Stream:
    """A TCP connection with the calls of an L2CAP channel: `sink` gets items, each with its length in four
    octets before it."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.sink = reader, writer, None
        self.reading = asyncio.ensure_future(self.read())

    async def read(self):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                count = int.from_bytes(await self.reader.readexactly(4), "big")
                self.sink(await self.reader.readexactly(count))

    def write(self, data):
        self.writer.write(len(data).to_bytes(4, "big") + data)

    async def drain(self):
        await self.writer.drain()

    async def close(self):
        self.writer.close()
        await self.writer.wait_closed()
