# The second UART leads to peer.py on the host: a controller that this kernel drives over H4, and
# near it a sensor. Scan, pair, read, write, and take 20 notifications as long as the MTU allows.
sensor=E2:22:22:22:22:22
uuid() { echo "9e15000$1-5f3b-4c5e-8e0a-6d2f00000000"; }

btattach -B /dev/ttyS1 -P h4 -S 3000000 -N > btattach.log 2>&1 &
until_ok 15 test -e /sys/class/bluetooth/hci0 || exit 1
. "$here/bluez.sh"
expect 15 "Controller C0:DE:00:00:00:01" || exit 1
ctl "select C0:DE:00:00:00:01" "power on"
expect 10 "power on succeeded" || exit 1
ctl "scan on"
expect 15 "Device $sensor" || exit 1
ctl "scan off" "pair $sensor"
expect 30 "Pairing successful" || exit 1
expect 20 "ServicesResolved: yes"
ctl "menu gatt" "select-attribute $(uuid 2)" "read"
expect 10 "hello from the" || exit 1
ctl 'write "0x01 0x02 0x03"' "select-attribute $(uuid 4)" "notify on"
expect 10 "Notify started" || exit 1
notifications() { [ "$(grep -c "char.* Value:" bluetoothctl.log)" -ge 20 ]; }
until_ok 20 notifications || exit 1
ctl "back" "disconnect $sensor"
expect 10 "Successful disconnected" || exit 1
