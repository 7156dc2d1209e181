# BlueZ's own kernel testers (bluez-test-tools). Each case makes an emulated controller,
# talks to it through the kernel and removes it: many New/Delete Index records, SMP, L2CAP,
# SCO and ISO. Not rfcomm-tester: Linux 6.1 crashes in it now and then, in rfcomm_session_del.
# Some cases fail against any one kernel; that is not our business,
# so only a tester that could not run at all fails the scenario.
for t in ${TESTERS:-smp l2cap sco iso}; do
  timeout 100 "$t-tester" -q > "tester-$t.log" 2>&1 < /dev/null
  say "$t-tester: $(grep -a ^Total "tester-$t.log")"
  grep -qa ^Total "tester-$t.log" || exit 1
done
