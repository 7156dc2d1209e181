# BlueZ's own kernel testers (bluez-test-tools). Each case makes an emulated controller,
# talks to it through the kernel and removes it: many New/Delete Index records, SMP, L2CAP,
# SCO and ISO. Not rfcomm-tester: Linux 6.1 crashes in it now and then, in rfcomm_session_del.
# Some cases fail against any one kernel; that is not our business. A tester itself may crash, which
# is not either: it is run again, and compare.py says if there was too little traffic at last.
for t in ${TESTERS:-smp l2cap sco iso}; do
  for attempt in 1 2 3; do
    timeout 300 "$t-tester" -q > "tester-$t.log" 2>&1 < /dev/null
    code=$?
    say "$t-tester, run $attempt: $(grep -a ^Total "tester-$t.log" || echo "ended with $code")"
    grep -qa ^Total "tester-$t.log" && break
  done
done
