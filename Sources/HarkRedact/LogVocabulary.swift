/// Words that stay in the texts of logs with `share`: what programs say of links, sessions and errors.
/// None is a name.
enum LogVocabulary {
  static let words: Set<String> = Set(
    """
    a about above accept accepted accepting access accessory accessories acl across action activate \
    activated activating active activity add added adding address advertise advertisement advertising \
    after again agent all allow allowed already an and another any anonymous api app application are as \
    at att attach attached attempt attribute audio auth authenticate authenticated authentication \
    available bad band battery be because been before began begin behind being below ble bluetooth \
    bluetoothd bond bonded bonding bool both br bredr browse buffer bundle busy but by bytes call called \
    callback can cancel cancelled cannot cb cbdevice cbuuid central channel characteristic characteristics \
    check cipher class client close closed closing code command complete completed completion config \
    configuration configured connect connected connecting connection connections consumer container \
    content context controller copy core corebluetooth could count create created creating current daemon \
    data dbm debug decision default delegate delete deleted denied descriptor destroyed detach detached \
    device devices did different disabled disconnect disconnected disconnecting disconnection discover \
    discovered discovering discovery dispatch display does done double down drop dropped due during edr \
    either empty enable enabled encrypt encrypted encryption end ended endpoint endpoints entitled \
    entitlement entitlements entry error errors event events exception exchange exit expected expired \
    extension extensions external fail failed failing failure fallback false fatal fault features fetch \
    fetched file filter find finished first for forward forwarded forwarding found framework from full \
    gatt generic get got granted group handle handled handler handles has have headset hid high host how \
    iap id identifier idle if ignore ignored image in incoming indication info init initial initialized \
    input insufficient internal interrupted interruption interval into invalid invalidate invalidated \
    invalidation iphone ipad is issue it item key keys kit known lacks latency launch launched launching \
    layer le left length level lib like limit link linked list listen listener listening load loaded local \
    localhost lock locked log look lookup lost low mac mach main make manager map match matched maximum \
    media message messages microphone missing mobile mode model monitor more most mtu must name named new \
    nil no node none not notice notification notifications notify null number object of off offset ok old \
    on once one only open opened opening operation option options or order other out outgoing output over \
    packet packets page pair paired pairing parameter parameters parse parsed part payload peer pending \
    peripheral permission permitted pid placement plugin point policy port possible power powered pref \
    present previous priority private proc process product profile property protocol provider proxy public \
    publish pull push put query queue queued quit random range rate raw reached read reading ready reason \
    receive received receiver receiving reconnect record ref refused register registered registration \
    reject rejected rejecting release released remote remove removed replaced reply report request \
    requested requests required reset resolve resolved resource response restart restored result resume \
    retry return returned right role rssi run running sandbox scan scanned scanning schedule scheduled \
    secure security see select send sender sending sent sequence server service services session sessions \
    set setup shared should side signal since size skip skipped slave slot socket some source speaker \
    specified start started starting state statedump status stop stopped stopping store stored stream \
    string sub subscribe subscribed subsystem success successful successfully suite support supported \
    switch sync system table target task terminate terminated termination than that the their then there \
    this thread through time timed timeout timer to token too total transfer transport trigger true trying \
    type uid unable unavailable unexpected unknown unpaired unrelated unsupported until up update updated \
    updates updating usage use used user using uuid valid value values version via wait waiting wake want \
    warning was were what when where which while will with within without work write writing written wrong \
    xpc yes yet zero additional message sent line second got
    """.split(separator: " ").map(String.init))
}
