/// What `--help` says.
let help = """
  Record Bluetooth traffic into files.

  USAGE: hark record [SOURCE] -w FILE [options]
         hark record --list

  SOURCE
    monitor             every controller of this Linux machine (default; needs
                        root or capabilities, which are given up once it is open)
    bluetooth0, ...     a device that libpcap opens; --list shows them
    usbmon1, ...        the controllers of a USB bus, without SCO
                        ('sudo modprobe usbmon')
    -, FILE, FIFO       a capture that another program is writing: btsnoop,
                        PacketLogger, pcap, pcapng
    unix:PATH           the same from a socket
    tcp:HOST:PORT
    unix-listen:PATH    the same from who connects to that socket, which is made

  OPTIONS
    -w, --write FILE    the file to write, readable by you alone; - for standard
                        output. Its ending says what is written: .btsnoop (.log,
                        .cfa), .pcap (.cap), .pcapng (.ntar), .pklg; without an
                        ending btsnoop
    --rotate-size SIZE  go on in a new file at so many bytes: 100M, 1G
    --rotate-time TIME  ... after so long: 90s, 10m, 1h, 1d
    --rotate-count N    keep the last N of them; the files are FILE.00001 and so
                        on, with the number in front of the suffix
    --buffer SIZE       so much may wait in the kernel, and so much in memory
                        (default 32M)
    --list              show the devices, and why one cannot be opened;
                        --list=tsv for programs
    -h, --help          show this

  'hark record' also takes filters, -Y FILTER, --device, --service and
  --quiet-iso, which need a decoder: see 'hark record -Y x --help'. This program
  has none.

  Ctrl-C ends a recording. Packets that were lost are counted in the file and at
  the end.

  Examples:
    sudo hark record -w trace.btsnoop
    sudo hark record -w trace.btsnoop --rotate-size 100M --rotate-count 10
    idevicebtlogger -f packetlogger - | hark record - -w phone.btsnoop

  Exit codes:
    0   the recording was ended, or its source did
    1   the source or the file cannot be opened, read or written
    2   what the source sent is truncated or damaged; what could be read was
        recorded
    64  the command line is wrong

  """
