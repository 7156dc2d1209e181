#!/usr/bin/env python3
"""What tshark finds between the packets of a capture, for IndexExpectationTests:
expect.py CAPTURE >NAME.tsv. The lines, with tabs between:

open FRAME HANDLE             a connection was opened
close FRAME HANDLE REASON     and closed
channel FRAME PSM SCID DCID   a Connection Response opened a dynamic L2CAP channel
continues FRAME FIRST         the frame continues the PDU that began in FIRST
answer FRAME REQUEST          the ATT response of a request, the confirmation of an indication,
                              the response of a command of AVDTP or AVCTP, of L2CAP signaling, of
                              SDP, the UA or DM of an RFCOMM data link, the Pairing Response and
                              the second Pairing Public Key of SMP

A response belongs to the last request of the other side on the same link (Core Specification,
Vol 3, Part F, 3.3.2). It is told by tshark's opcodes, handles and directions: its own
btatt.request_in_frame mixes links, and Error Responses have none. A response of AVDTP (1.3, 8.4.1)
or AVCTP (1.4, 6.1.1) has the transaction label of the other side's command; after an interim
response (AVRCP 1.6, 6.7.2) another one follows. A response of L2CAP signaling has the identifier of the
other side's request and the next code, or rejects it (Core Specification, Vol 3, Part A, 4); a pending one
announces the answer. One of SDP has its transaction ID (Part B, 4.2). UA and DM answer the other side's
last SABM or DISC of a DLCI (RFCOMM 1.2, 4.2); the multiplexer itself, DLCI 0, is no data link. If tshark knows no
directions, the identifiers decide.
"""

import subprocess
import sys

FIELDS = """frame.number bthci_evt.code bthci_evt.le_meta_subevent bthci_evt.status
 bthci_evt.connection_handle bthci_evt.reason btl2cap.cmd_code btl2cap.psm btl2cap.scid
 btl2cap.dcid btl2cap.result bthci_acl.continuation_to bthci_acl.chandle frame.p2p_dir
 btatt.opcode btatt.req_opcode_in_error btavdtp.transaction btavdtp.message_type
 btavctp.transaction btavctp.cr btavrcp.ctype btl2cap.cmd_ident btl2cap.conf_result btsdp.pdu
 btsdp.tid btrfcomm.frame_type btrfcomm.dlci btsmp.opcode""".split()
command = ["tshark", "-r", sys.argv[1], "-T", "fields"]
for field in FIELDS:
    command += ["-e", field]
output = subprocess.run(command, capture_output=True, text=True, check=True).stdout


def number(text):
    return int(text, 0) if text else -1


asked = {}
requests = {}
commands = {}
pending = {}


def paired(protocol, label, asks, answers):
    """A request, with what it is, or a response, with the requests that it may answer."""
    side = number(way)
    if asks is not None:
        pending[link, protocol, label, side] = frame, asks
        return
    key = link, protocol, label, 1 - side if side >= 0 else side
    request, asked = pending.get(key, ("", None))
    if request and asked in answers:
        del pending[key]
        print("answer", frame, request, sep="\t")


def labelled(protocol, label, answers, ends):
    """A command or response of a protocol with transaction labels."""
    side = number(way) ^ answers
    if not answers:
        commands[link, protocol, label, side] = frame
        return
    command = commands.get((link, protocol, label, side))
    if command:
        print("answer", frame, command, sep="\t")
        if ends:
            del commands[link, protocol, label, side]


print("# By expect.py, of", " ".join(subprocess.run(
    ["tshark", "-v"], capture_output=True, text=True).stdout.split()[:3]))
for line in output.splitlines():
    (frame, code, sub, status, handle, reason, cmd, psm, scid, dcid, result, first, link, way,
     opcode, error, signal, message, label, response, ctype, ident, configured, sdp, tid, rfcomm, dlci,
     smp) = (column.split(",")[0] for column in line.split("\t"))
    opens = number(code) in (0x03, 0x2C) or number(code) == 0x3E and number(sub) in (0x01, 0x0A)
    if opens and number(status) == 0:
        print("open", frame, number(handle), sep="\t")
    if opens or number(code) == 5:
        for key in [key for key in requests if number(key[0]) == number(handle)]:
            del requests[key]
        for key in [key for key in pending if number(key[0]) == number(handle)]:
            del pending[key]
    if number(code) == 5 and number(status) == 0:
        print("close", frame, number(handle), number(reason), sep="\t")
    if number(cmd) == 2:
        asked[number(scid)] = number(psm)
    if number(cmd) == 3 and number(result) == 0:
        print("channel", frame, asked.get(number(scid), 0), number(scid), number(dcid), sep="\t")
    if first:
        print("continues", frame, first, sep="\t")
    if signal:
        labelled("AVDTP", signal, number(message) != 0, True)
    if label:
        labelled("AVCTP", label, number(response) == 1, number(ctype) != 15)
    cmd, sdp, rfcomm, smp = number(cmd), number(sdp), number(rfcomm), number(smp)
    if cmd > 0 and cmd != 0x16:
        waits = cmd == 3 and number(result) == 1 or cmd == 5 and number(configured) == 4
        if cmd % 2 == 0:
            paired("L2CAP", ident, cmd, None)
        elif not waits:
            paired("L2CAP", ident, None, range(2, 0x1B) if cmd == 1 else [cmd - 1])
    if sdp > 0:
        paired("SDP", tid, sdp if sdp in (2, 4, 6) else None, (2, 4, 6) if sdp == 1 else [sdp - 1])
    if rfcomm in (0x2F, 0x43, 0x63, 0x0F) and number(dlci) > 0:
        paired("RFCOMM", dlci, rfcomm if rfcomm in (0x2F, 0x43) else None, (0x2F, 0x43))
    if smp == 1:
        pending.pop((link, "SMP", "key", 0), None)
        pending.pop((link, "SMP", "key", 1), None)
    if smp in (1, 2):
        paired("SMP", "features", 1 if smp == 1 else None, [1])
    if smp == 0x0C:
        first = (link, "SMP", "key", 1 - number(way)) not in pending
        paired("SMP", "key", 0x0C if first else None, [0x0C])
    opcode, indicates = number(opcode), number(opcode) in (0x1D, 0x1E)
    if opcode < 0 or opcode in (0x1B, 0x23, 0x52, 0xD2):
        continue
    asking = opcode == 0x1D or opcode % 2 == 0 and opcode != 0x1E
    side = number(way) if asking else 1 - number(way)
    if asking:
        requests[link, side, indicates] = frame, opcode
        continue
    request, asks = requests.get((link, side, indicates), ("", -1))
    if asks == (number(error) if opcode == 1 else opcode - 1):
        del requests[link, side, indicates]
        print("answer", frame, request, sep="\t")
