# Runs in the guest as PID 1: records the monitor channel in several ways while the scenarios make
# traffic, then powers off. What lies in the working directory at the end goes to the host.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
here=$(cd "$(dirname "$0")" && pwd)
mkdir /run/work && cd /run/work && cp /run/out/{program,scenarios} .    # tmpfs: 9p is slow
program=$(cat program) hark=$(dirname "$program")/hark

now() { cut -d' ' -f1 /proc/uptime; }
say() { echo "[$(now)] $*"; }

# Waits until COMMAND succeeds: until_ok SECONDS COMMAND... On a machine with other work to do
# the emulated one takes several times as long.
until_ok() {
  local end=$((SECONDS + 4 * $1)); shift
  until "$@"; do
    [ $SECONDS -lt $end ] || { say "gave up waiting for: $*"; return 1; }
    sleep 0.1
  done
}

# HCI sockets that are open now, by the kernel's own list, whose first line is a heading.
hci_sockets() { local lines; mapfile -t lines < /proc/net/hci; echo $((${#lines[@]} - 1)); }

# Starts a recorder and waits until it has its monitor socket: record NAME COMMAND...
declare -A recorders
record() {
  local name=$1 want=$(($(hci_sockets) + 1)) pid; shift
  "$@" > "$name.out" 2> "$name.log" < /dev/null &
  pid=$! recorders[$name]=$!
  listening() { [ "$(hci_sockets)" -ge "$want" ] || ! kill -0 "$pid" 2>/dev/null; }
  until_ok 30 listening && kill -0 "$pid" 2>/dev/null || failed+=" $name-did-not-start"
}

failed=
say "guest is up: $(uname -r), $(awk '/MemAvailable/{print int($2/1024)}' /proc/meminfo) MiB free"
modprobe -a bluetooth hci_vhci hci_uart rfcomm bnep hidp uhid algif_hash algif_skcipher cmac ccm ecb
# A monitor socket that is full loses packets and says so to nobody. tcpdump, which cannot ask for
# more, lost a fifth of them with the default 208 KiB. Each hark-record asks by itself.
echo 33554432 > /proc/sys/net/core/rmem_default
echo 33554432 > /proc/sys/net/core/rmem_max     # for the one that may not force it
record tcpdump tcpdump -Z root -U -i bluetooth-monitor -w tcpdump.pcap
record plain "$program" -w plain.btsnoop
record rotated "$program" -w rotated.btsnoop --rotate-size 16k
record pcap "$program" bluetooth-monitor -w pcap.btsnoop
# The timeline while it happens, of all there is, and the capture beside it. hark starts the recorder
# that opens the socket, and another that writes.
record live "$hark" live -f json -w live.btsnoop
# One that has little room, and whose reader reads nothing until the first scenario is over.
mkfifo slow.fifo
( until [ -e go ]; do sleep 0.1; done; exec cat ) < slow.fifo > slow.btsnoop &
reader=$!
record slow "$program" --buffer 16k -w slow.fifo
say "recording"

# A recorder has nothing left that it could do harm with.
for name in plain rotated pcap slow; do
  grep -E '^(Cap|NoNewPrivs)' "/proc/${recorders[$name]}/status" > "$name.status"
  awk '/^Cap/ && $2 !~ /^0+$/ { bad = 1 } /^NoNewPrivs/ && $2 != 1 { bad = 1 } END { exit bad }' \
    "$name.status" || failed+=" $name-kept-privileges"
done
# Nobody may record without being allowed to, and anybody with the capability alone.
timeout 20 setpriv --reuid 65534 --regid 65534 --clear-groups "$program" -w /tmp/none.btsnoop \
  > not-permitted.log 2>&1 && failed+=" recorded-without-permission"
mkdir -m 777 nobody
record nobody setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps +net_raw \
  --ambient-caps +net_raw "$program" -w nobody/nobody.btsnoop

# Each scenario is a process group of its own, which takes its daemons and its emulated
# controllers with it when it is over.
no_controllers() { [ -z "$(ls /sys/class/bluetooth)" ]; }
set -m
[ -n "$failed" ] || for s in $(cat scenarios); do
  say "scenario $s"
  # shellcheck disable=SC1090
  mkdir "$s"
  ( cd "$s" && . "$here/scenario-$s.sh" ) > "$s/scenario.log" 2>&1 &
  # A failure is the tester's or the emulation's; what there was to record can be compared all the
  # same, and compare.py wants enough of it.
  wait $! || say "scenario $s failed"
  kill -TERM -- -$! 2>/dev/null
  until_ok 10 no_controllers || failed+=" $s-left-a-controller"
  pgrep -l -g $! > "$s/survivors.log" && kill -KILL -- -$!     # bluetoothd, at times
  touch go
done
set +m

# Whether the recorders have read all there is: column 3 is Rmem, 6 the inode.
drained() {
  for pid in "${recorders[@]}" $(pgrep -P "${recorders[live]}"); do readlink /proc/"$pid"/fd/*; done 2>/dev/null |
    awk -F'[][]' 'NR == FNR { if (/^socket/) ours[$2]; next } { split($0, f, " ") }
      f[6] in ours && f[3] > 0 { n++ } END { exit n > 0 }' - /proc/net/hci
}
cp /proc/net/hci hci-sockets.log
until_ok 30 drained || failed+=" not-drained"
sleep 0.5
for name in "${!recorders[@]}"; do
  kill -TERM "${recorders[$name]}"; wait "${recorders[$name]}"; code=$?
  [ $code = 0 ] || failed+=" $name-ended-with-$code"
done
wait $reader
dmesg > dmesg.log
say "finished${failed:+, failed:$failed}"
echo "${failed:-ok}" > result
rm -f slow.fifo
cp -r . /run/out
echo o > /proc/sysrq-trigger
while :; do :; done
