#!/usr/bin/env python3
"""Make the sample capture hands-free: hands_free.py OUTDIR

Two Bumble hosts on an emulated BR/EDR link: a phone (Audio Gateway), whose HCI is recorded, and a
headset (Hands-Free unit). The controllers of Bumble are mended where a capture of them would teach
what no real controller does: they give no parameters of synchronous links, carry no sound, and
call it the remote user's doing when their own host disconnects.
"""
import asyncio
import pathlib
import sys

from bumble import hci, hfp, rfcomm
from bumble.core import PhysicalTransport
from bumble.link import LocalLink

import classic

PHONE, HEADSET = "C0:DE:00:00:00:01", "C0:DE:00:00:00:03"
CVSD, TRANSPARENT = 2, 3                            # Air_Mode, Vol 4, Part E, 7.7.35
RECEIVED = hci.HCI_SynchronousDataPacket.Status.CORRECTLY_RECEIVED_DATA
FRAME = 60                                          # bytes of a 2-EV3 packet


class Radio(classic.Radio):
    """A controller whose synchronous links have parameters and carry data."""

    air_mode = CVSD

    def on_hci_enhanced_setup_synchronous_connection_command(self, command):
        coding = command.transmit_coding_format.codec_id
        mode = CVSD if coding == hci.CodecID.CVSD else TRANSPARENT
        for radio in self.link.controllers:
            radio.air_mode = mode
        return super().on_hci_enhanced_setup_synchronous_connection_command(command)

    def send_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_Synchronous_Connection_Complete_Event) and not packet.status:
            packet = hci.HCI_Synchronous_Connection_Complete_Event(
                status=0, connection_handle=packet.connection_handle, bd_addr=packet.bd_addr,
                link_type=packet.link_type, transmission_interval=12, retransmission_window=2,
                rx_packet_length=FRAME, tx_packet_length=FRAME, air_mode=self.air_mode)
        super().send_hci_packet(packet)

    def on_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_SynchronousDataPacket):
            for peer in self.link.controllers:
                for sco in peer.sco_links.values() if peer is not self else ():
                    peer.send_hci_packet(hci.HCI_SynchronousDataPacket(
                        sco.handle, RECEIVED, len(packet.data), packet.data))
        else:
            super().on_hci_packet(packet)


def hands_free_configuration():
    return hfp.HfConfiguration(
        supported_hf_features=[
            hfp.HfFeature.EC_NR, hfp.HfFeature.CLI_PRESENTATION_CAPABILITY,
            hfp.HfFeature.VOICE_RECOGNITION_ACTIVATION, hfp.HfFeature.REMOTE_VOLUME_CONTROL,
            hfp.HfFeature.CODEC_NEGOTIATION, hfp.HfFeature.HF_INDICATORS],
        supported_hf_indicators=[hfp.HfIndicator.BATTERY_LEVEL],
        supported_audio_codecs=[hfp.AudioCodec.CVSD, hfp.AudioCodec.MSBC])


def gateway_configuration():
    state, kind = hfp.AgIndicatorState, hfp.AgIndicator
    return hfp.AgConfiguration(
        supported_ag_features=[
            hfp.AgFeature.IN_BAND_RING_TONE_CAPABILITY, hfp.AgFeature.REJECT_CALL,
            hfp.AgFeature.EXTENDED_ERROR_RESULT_CODES, hfp.AgFeature.CODEC_NEGOTIATION,
            hfp.AgFeature.HF_INDICATORS],
        supported_ag_indicators=[
            state(kind.SERVICE, {0, 1}, 1), state(kind.CALL, {0, 1}, 0),
            state(kind.CALL_SETUP, {0, 1, 2, 3}, 0), state(kind.CALL_HELD, {0, 1, 2}, 0),
            state(kind.SIGNAL, set(range(6)), 4), state(kind.BATTERY_CHARGE, set(range(6)), 5)],
        supported_hf_indicators=[hfp.HfIndicator.BATTERY_LEVEL],
        supported_ag_call_hold_operations=[],
        supported_audio_codecs=[hfp.AudioCodec.CVSD, hfp.AudioCodec.MSBC])


class Gateway(hfp.AgProtocol):
    """An Audio Gateway that knows Apple's accessory commands."""

    def _on_xapl(self, identifier, features):
        self.send_response("+XAPL=iPhone,2")
        self.send_ok()

    def _on_iphoneaccev(self, *pairs):
        self.send_ok()


class Lab(classic.ClassicLab):
    def __init__(self):
        super().__init__("hands-free", "2026-11-21T09:00:00")
        link = LocalLink()
        self.phone = classic.device("Phone", PHONE, link, Radio)
        self.headset = classic.device("Acme Headset", HEADSET, link, Radio)

    async def sound(self, connection, codec, parameters):
        """A synchronous link, some frames on it each way, and its end."""
        loop = asyncio.get_running_loop()
        ours, theirs = loop.create_future(), loop.create_future()
        self.phone.once("sco_connection", ours.set_result)
        self.headset.once("sco_connection", theirs.set_result)
        self.headset.once("sco_request", lambda there, link_type: asyncio.ensure_future(
            self.headset.send_async_command(
                hci.HCI_Enhanced_Accept_Synchronous_Connection_Request_Command(
                    bd_addr=there.peer_address, **parameters.asdict()))))
        self.note("sound", isOn=True, codec=codec, airMode=(
            CVSD if parameters.transmit_coding_format.codec_id == hci.CodecID.CVSD
            else TRANSPARENT))
        await self.phone.send_async_command(hci.HCI_Enhanced_Setup_Synchronous_Connection_Command(
            connection_handle=connection.handle, **parameters.asdict()))
        ours, theirs = await asyncio.wait_for(asyncio.gather(ours, theirs), 5)
        for number in range(8):
            for link in (ours, theirs):
                link.device.host.send_hci_packet(hci.HCI_SynchronousDataPacket(
                    link.handle, RECEIVED, FRAME, bytes([number]) * FRAME))
            await asyncio.sleep(0.0075)
        await self.pause(20)
        self.note("sound", isOn=False, packets=16)
        await ours.disconnect()
        await asyncio.sleep(0.03)


async def scenario(lab):
    """A headset is connected to a phone. A call comes in, is answered on the headset, uses mSBC
    and is hung up. The second call is dialed on the headset and stays silent: both sides agreed on
    mSBC, but the phone opens a CVSD link. Then the headset sends a command that the phone does not
    know, in two pieces, and disconnects."""
    recorder = lab.recorder
    lab.phone.host.snooper = recorder
    lab.headset.sdp_service_records = {0x00010001: hfp.make_hf_sdp_records(
        0x00010001, 7, hands_free_configuration())}
    for one in (lab.phone, lab.headset):
        await one.power_on()
    units = asyncio.get_running_loop().create_future()
    rfcomm.Server(lab.headset).listen(
        lambda dlc: units.set_result(hfp.HfProtocol(dlc, hands_free_configuration())), 7)
    await lab.headset.set_connectable(True)
    connection = await lab.phone.connect(HEADSET, transport=PhysicalTransport.BR_EDR)
    await lab.pause(0.2)
    channel, version, features = await hfp.find_hf_sdp_record(connection)
    lab.note("service", serverChannel=channel, version=int(version))
    client = rfcomm.Client(connection)
    session = await client.start()
    gateway = Gateway(await session.open_dlc(channel), gateway_configuration())
    lab.note("dataLink", serverChannel=channel, isOpen=True)
    unit = await units
    await unit.initiate_slc()
    lab.note("connected", handsFree=int(unit.supported_hf_features),
             gateway=int(gateway.supported_ag_features))
    await unit.execute_command("AT+CLIP=1")
    gateway.cli_notification_enabled = True
    await unit.execute_command("AT+CMEE=1")
    gateway.cme_error_enabled = True
    await unit.execute_command("AT+XAPL=00E0-4F2A-0100,10")
    await unit.execute_command("AT+IPHONEACCEV=2,1,7,2,0")
    asyncio.ensure_future(listen(unit))
    await lab.pause(5)

    indicator = hfp.AgIndicator
    lab.note("call", state="incoming", number="+15550100")
    gateway.update_ag_indicator(indicator.CALL_SETUP, 1)
    for _ in range(3):
        gateway.send_ring()
        gateway.dlc.write('\r\n+CLIP: "+15550100",145\r\n')
        await lab.pause(3)
    lab.note("command", command="ATA")
    await unit.answer_incoming_call()
    lab.note("call", state="active")
    gateway.update_ag_indicator(indicator.CALL, 1)
    gateway.update_ag_indicator(indicator.CALL_SETUP, 0)
    await gateway.negotiate_codec(hfp.AudioCodec.MSBC)
    lab.note("codec", codec=2)
    await asyncio.sleep(0.05)
    codecs = hfp.ESCO_PARAMETERS
    await lab.sound(connection, 2, codecs[hfp.DefaultCodecParameters.ESCO_MSBC_T2])
    lab.note("command", command="AT+CHUP")
    await unit.terminate_call()
    lab.note("call", state="ended")
    gateway.update_ag_indicator(indicator.CALL, 0)
    await lab.pause(60)

    lab.note("command", command="ATD", number="5550123")
    await unit.execute_command("ATD5550123;")
    lab.note("call", state="outgoing")
    gateway.update_ag_indicator(indicator.CALL_SETUP, 2)
    gateway.update_ag_indicator(indicator.CALL_SETUP, 3)
    await lab.pause(4)
    lab.note("call", state="active")
    gateway.update_ag_indicator(indicator.CALL, 1)
    gateway.update_ag_indicator(indicator.CALL_SETUP, 0)
    await lab.sound(connection, 2, codecs[hfp.DefaultCodecParameters.ESCO_CVSD_S4])
    lab.note("call", state="ended")
    gateway.update_ag_indicator(indicator.CALL, 0)
    await lab.pause(2)

    lab.note("refused", command="AT+CNUM")
    try:
        await unit.execute_command("AT+CNUM")
    except hfp.HfpProtocolError:
        pass
    lab.note("pieces", command="AT+VGS=9")
    unit.dlc.write("AT+V")
    await asyncio.sleep(0.02)
    unit.dlc.write("GS=9\r")
    await lab.pause(1)
    lab.note("dataLink", serverChannel=channel, isOpen=False)
    await gateway.dlc.disconnect()
    await client.shutdown()
    await asyncio.sleep(0.05)
    await connection.disconnect()
    await asyncio.sleep(0.05)


async def listen(unit):
    """Confirms the codec that the gateway proposes, and takes notice of the rest."""
    try:
        while True:
            await unit.handle_unsolicited()
    except hfp.HfProtocol.HfLoopTermination:
        pass


async def main(out):
    lab = Lab()
    await asyncio.wait_for(scenario(lab), 15)
    packets = lab.recorder.packets
    classic.write(pathlib.Path(out) / lab.name, lab.name, packets, "monitor", {
        "addresses": {"phone": PHONE, "headset": HEADSET}, "events": lab.events}, f"""
{" ".join(scenario.__doc__.split())}

Made by `captures/generator/hands_free.py captures` with {{versions}}: two
emulated devices, each a full host stack, on an emulated BR/EDR link. Every packet was actually sent;
the recording is the phone's HCI. The generator does not wait: it advances the recording clock
instead. The capture contains no real device, person or number.
""")
    print(len(packets), "packets")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1]))
