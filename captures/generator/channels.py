"""L2CAP channels that carry SDUs in segments: credit-based on LE, Enhanced ATT, and
Enhanced Retransmission mode on BR/EDR.

Channels, credits and segmentation are Bumble's. Its Enhanced Retransmission mode neither asks for
a frame again nor sends one again: `Retransmitting` does, by Core Specification, Vol 3, Part A, 8.6.
"""
import asyncio

from bumble import core, gatt, l2cap
from bumble.gatt_client import Client

from hpke import TO_ACCESSORY, TO_HOST

P, A = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
S = l2cap.SupervisoryEnhancedControlField
PRIVATE_SPSM, PRIVATE_PSM, EATT_PSM = 0x0081, 0x1011, 0x0027


def blob(name, length):
    """Bytes that are the same on every run, and look like text that counts."""
    line = f"{name} " + " ".join(f"{i:04}" for i in range(length // 5 + 1))
    return line.encode()[:length]


class Endpoint:
    """One side of a channel: tells the lab what it sends and what it got."""

    def __init__(self, lab, channel, number, is_phone):
        self.lab, self.channel, self.number = lab, channel, number
        self.out, self.back = (TO_ACCESSORY, TO_HOST) if is_phone else (TO_HOST, TO_ACCESSORY)
        self.write, self.sink = channel.write, channel.sink
        channel.write, channel.sink = self.send, self.receive

    def send(self, sdu, **fields):
        self.lab.sent("sdu", self.out, (self.number, bytes(sdu)), channel=self.number,
                      bytes=bytes(sdu).hex(), **fields)
        self.write(sdu)

    def receive(self, sdu):
        self.lab.arrived("sdu", self.back, (self.number, bytes(sdu)))
        if self.sink:
            self.sink(sdu)

    async def deliver(self, sdu, **fields):
        """Sends an SDU and waits until the last frame of it is out."""
        self.send(sdu, **fields)
        if drain := getattr(self.channel, "drain", None):
            await drain()
        await asyncio.sleep(0.08)


def described(lab, psm, channels):
    lab.gatt["channels"] = [
        {"channel": n, "psm": psm, "phoneCID": c.source_cid, "accessoryCID": c.destination_cid}
        for n, c in enumerate(channels)]


# --- Credit-based ------------------------------------------------------------------------------

async def credit_based(lab, here, spec, accessory_spec):
    """A channel the phone asks for; both its endpoints, the phone's first."""
    there = asyncio.get_running_loop().create_future()
    lab.accessory.create_l2cap_server(accessory_spec, handler=there.set_result)
    mine = await here.create_l2cap_channel(spec)
    described(lab, PRIVATE_SPSM, [mine])
    return Endpoint(lab, mine, 0, True), Endpoint(lab, await there, 0, False)


# --- Enhanced ATT ------------------------------------------------------------------------------

STATUS, LOG, SETTINGS = "A7E10001", "A7E10002", "A7E10003"


def uuid(which):
    return core.UUID(f"{which}-68D1-4B0B-9C07-2C5A6F1D3E90")


class Recorder:
    """An accessory with a slow log, a status that changes, and settings."""

    def __init__(self, lab):
        self.lab, self.log, self.settings = lab, blob("log", 150), b"quiet"
        self.status = gatt.Characteristic(uuid(STATUS), P.READ | P.NOTIFY, A.READABLE, b"idle")
        slow = gatt.CharacteristicValue(read=self.read_log)
        settings = gatt.CharacteristicValue(read=lambda _: self.settings, write=self.change)
        lab.accessory.add_service(gatt.Service(uuid("A7E10000"), [
            self.status, gatt.Characteristic(uuid(LOG), P.READ, A.READABLE, slow),
            gatt.Characteristic(uuid(SETTINGS), P.READ | P.WRITE,
                                A.READABLE | A.WRITEABLE, settings)]))
        self.bearers = []
        self.endpoints = []
        lab.accessory.gatt_server.register_eatt(self.spec)
        server = lab.accessory.l2cap_channel_manager.le_coc_servers[EATT_PSM]
        server.once = server.on_connection
        server.on_connection = self.on_bearer

    spec = l2cap.LeCreditBasedChannelSpec(psm=EATT_PSM, mtu=247, mps=64, max_credits=5)

    def on_bearer(self, channel):
        channel.manager.le_coc_servers[EATT_PSM].once(channel)
        self.endpoints.append(Endpoint(self.lab, channel, len(self.bearers), False))
        self.bearers.append(channel)

    async def read_log(self, connection):
        await asyncio.sleep(0.1)
        return self.log

    def change(self, connection, value):
        self.settings = bytes(value)

    async def become(self, bearer, value):
        await self.lab.accessory.gatt_server.notify_subscriber(
            self.bearers[bearer], self.status, value)


async def bearers(lab, here, count):
    """Enhanced ATT bearers the phone asks for: a GATT client of each."""
    clients = await Client.connect_eatt(here, Recorder.spec, count)
    for number, client in enumerate(clients):
        Endpoint(lab, client.bearer, number, True)
        client.bearer.att_mtu = 247                 # that of the channel; Bumble begins with 23
    described(lab, EATT_PSM, [c.bearer for c in clients])
    return clients


# --- Enhanced Retransmission mode --------------------------------------------------------------

class Retransmitting(l2cap.EnhancedRetransmissionProcessor):
    """Asks with a REJ for the frames from the first that is missing, and sends those again the
    other side asks for."""

    rejected = False

    def on_pdu(self, pdu):
        field = l2cap.EnhancedControlField.from_bytes(pdu)
        is_reject = isinstance(field, S) and field.supervision_function == S.SupervisoryFunction.REJ
        if is_reject:
            self._remote_is_busy = True             # nothing new before what was asked for
        is_next = isinstance(field, S) or field.tx_seq == self._req_seq_num
        super().on_pdu(pdu)
        if is_reject:
            for pending in self._tx_window:
                pending.req_seq = self._req_seq_num
                self.channel.send_pdu(bytes(pending))
            self._process_output()
        if not is_next and not self.rejected:
            self.rejected = True
            self._send_s_frame(S.SupervisoryFunction.REJ, 0)
        elif is_next and not isinstance(field, S):
            self.rejected = False


async def retransmission(lab, here):
    """An ERTM channel with FCS on a private PSM the phone asks for; both its endpoints."""
    def make(channel, mode, peer_tx_window_size, peer_max_retransmission, peer_mps, **timeouts):
        assert mode == l2cap.TransmissionMode.ENHANCED_RETRANSMISSION
        return Retransmitting(channel, peer_tx_window_size, peer_max_retransmission, peer_mps)

    spec = l2cap.ClassicChannelSpec(
        PRIVATE_PSM, mtu=672, mps=100, tx_window_size=8,
        mode=l2cap.TransmissionMode.ENHANCED_RETRANSMISSION, fcs_enabled=True)
    there = asyncio.get_running_loop().create_future()
    for device in (lab.phone, lab.accessory):
        device.l2cap_channel_manager.make_mode_processor = make
    lab.accessory.create_l2cap_server(spec, handler=there.set_result)
    mine = await here.create_l2cap_channel(spec)
    described(lab, PRIVATE_PSM, [mine])
    return Endpoint(lab, mine, 0, True), Endpoint(lab, await there, 0, False)


def i_frame(data, tx_seq, direction_cid):
    """Whether L2CAP bytes are the I-frame with a TxSeq for an endpoint."""
    return (int.from_bytes(data[2:4], "little") == direction_cid and not data[4] & 1
            and data[4] >> 1 & 0x3F == tx_seq)
