/// The text of `--help`.
let help = """
  Record Bluetooth traffic to files.

  USAGE: hark record [SOURCE] -w FILE [options]
         hark record --list

  SOURCE
    monitor             all controllers of this Linux machine (default; needs
                        root or capabilities, which hark-record drops after
                        opening it)
    bluetooth0, ...     a libpcap device; --list shows them
    usbmon1, ...        the controllers of a USB bus, without SCO
                        ('sudo modprobe usbmon')
    -, FILE, FIFO       a capture that another program is writing: btsnoop,
                        PacketLogger, pcap, pcapng
    unix:PATH           such a capture from a socket
    tcp:HOST:PORT
    nrf:DEVICE          an nRF Sniffer for Bluetooth LE or a Sniffle on a serial
    sniffle:DEVICE      line, with options: nrf:/dev/ttyACM0,
                        sniffle:/dev/ttyUSB0,follow=C0:DE:00:00:00:01
                        (see 'hark live --help'); as pcapng or pcap
    unix-listen:PATH    such a capture from a program that connects to this
                        socket; hark-record creates it

  OPTIONS
    -w, --write FILE    the file to write, readable only by you; - for standard
                        output. The extension selects the format: .btsnoop
                        (.log, .cfa), .pcap (.cap), .pcapng (.ntar), .pklg;
                        without an extension btsnoop, over the air pcapng
    --rotate-size SIZE  start a new file at this size: 100M, 1G
    --rotate-time TIME  start a new file after this time: 90s, 10m, 1h, 1d
    --rotate-count N    keep only the last N files; the names are FILE.00001 and
                        so on, with the number before the extension
    --buffer SIZE       buffer size in the kernel, and the same in memory
                        (default 32M)
    --list              list the devices, and why one cannot be opened;
                        --list=tsv for programs
    --version           show the version
    -h, --help          show this help

  'hark record' also takes the filters -Y FILTER, --device, --service and
  --quiet-iso, which need a decoder: see 'hark record -Y x --help'. hark-record
  has no decoder.

  Ctrl-C ends a recording. Lost packets are counted in the file and at the end.

  Examples:
    sudo hark record -w trace.btsnoop
    sudo hark record -w trace.btsnoop --rotate-size 100M --rotate-count 10
    idevicebtlogger -f packetlogger - | hark record - -w phone.btsnoop
    hark record nrf:/dev/ttyACM0 -w air.pcapng

  Exit codes:
    0   the recording was ended, or its source ended
    1   the source or the file cannot be opened, read or written
    2   the source's data is truncated or damaged; everything readable was
        recorded
    64  the command line is wrong

  """
