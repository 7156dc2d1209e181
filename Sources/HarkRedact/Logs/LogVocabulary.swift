/// Words that stay in the texts of logs with `share`: what programs say about links, sessions and errors,
/// what Apple's programs and frameworks are called, and the words between. None is a name that people or
/// their devices have, nor says how somebody feels or where they are.
enum LogVocabulary {
  static let words: Set<String> = Set(
    """
    a aac aad aap able abort aborted about above absent accept acceptable acceptance accepted \
    accepting accepts access accessed accessibility accessories accessory accessoryd accessorykit \
    accessorynotifications accessorysetupd accessorysetupkit accessorytransport accessoryupdaterd \
    account accuracy accurate ack acked acknowledge acknowledged acknowledgement acknowledgements \
    acknowledges acknowledgment acl across acting action actions activate activated activating \
    activation active activities activity activityid actor actual adaptation adaptive adb add \
    added adding additional addr address addressed addresses adds adjust adjustment advance \
    advanced advertise advertised advertisement advertisements advertiser advertisers advertises \
    advertising advice advt aes affected afh after afterwards again against agent agreed ahead aid \
    air airpod airpods airportd ak alert alerted alerting alerts algorithm all allocate allocated \
    allocating allocation allow allowed allows along already also alternative although always \
    among amplifier ams an analysis anc ancs and anew announced announces announcing anonymous \
    another answer answered answers antenna any anything anywhere apart api app appear appearance \
    appears append appex appid appkit apple application applications applied apply apps apsd \
    archive are argument arguments around array arrival arrive arrived arrives artifact as ascii \
    ascs ase ask asked asks assert assertion assertionfailure assertions assign assigned assisted \
    assumed async at att attach attached attachment attachments attempt attempts attention attr \
    attribute attributes audio audioaccessoryd audioaccessorykit audiomxd auth authenticate \
    authenticated authentication authorization authorized auto automatic automatically aux \
    auxiliary av availability available avdtp average avrcp await awareness away back backboardd \
    background backtrace backward bad band bandwidth base based basic batch batteries battery \
    baudrate bcc bcd bcsp bdada bddd be bearer became because become becomes been before began \
    begin beginning begins behind being believe belong belongs below beside beta between binary \
    bind bip bis bit bits ble blob block blocked blocks bluetool bluetooth bluetoothaudiod \
    bluetoothd bluetoothservices bluetoothuserd bnep board body bond bondable bonded bonding bonds \
    bool boolean bootup both bottom bound bplist br break breaks bredr bridge broadcast \
    broadcaster broadcasting broken browsable browse browsing bs bt btle btsnoop buffer buffers \
    bug build bundle bundleid bundles burst buses busy but button by byte bytes cable cache cached \
    calibration call callback called calling calls can cancel canceling cancelled candidates \
    cannot capabilities capability capable capacity capitals capture captured captures carried \
    carrier carries carry case cases categories categorized category cause cb cbatt cbdevice \
    cberror cbinternal cbor cbuuid cccd cce ccid ccm ccs ccwa cell center central certainty \
    certificate certification certified cf cfbundle cfnetwork cfprefsd cfrg cgm chain challenge \
    change changed changes channel channels character characteristic characteristics characters \
    charge charger charging charset check checked checks checksum checksums choose chronod chunk \
    chunks cid cids cipher ciphersuite ciphertext cis clamping class classes classification clause \
    clear cleared cli click client clients clip clock clocks close closed closes closing cloudd \
    cmd cme coalesced codable code codec codecs coded codes coding coefficient coex collect column \
    com combination combined comes command commands comment comments common communication \
    communications compare compared compile complement complete completed completes completion \
    component components compressed compression compute computed computer concatenated condition \
    confidence config configd configs configuration configure configured confirm confirmation \
    confirmations confirmed conflict conn connect connectable connected connecting connection \
    connectionless connections connectivity connector connects consecutive consent considerations \
    console constant constants constraint construct consumed consumer consumption contact \
    container containers contains content contents context contexts contextstored continuation \
    continue continuing continuity control controlled controller controllers controls convert \
    coordinate coordinated coordination copy core coreaudiod corebluetooth coreduetd \
    corefoundation corespeechd coreutils correct corrected could count counted counter counters \
    counts crash crashed crc crcs create created creating credentials credit credits critical \
    cross crypto cscs csis csrk ctrl cu cumulative current curve custom cut cvsd daemon daemons \
    damaged damages dasd data database date dates db dbi dbm ddc deactivate deadline dealloc \
    deallocated deallocating deassert debug decided decides decimal decimals decision declaration \
    declare declared declares declaring declined decoded decrease decrement decrypt decrypted \
    decryption decryptor decrypts dedicated default defect deferred defined definition delay \
    delayed delegate delegates delete deleted delimiter deliver delivered delivery delta demands \
    denied deny depth dequeue dequeued derivation derive derived derives described description \
    descriptions descriptor descriptors deserialize design designation designator desktop \
    destination destroy destroyed detach detached detaching details detected detection dev \
    developer deviation device deviceaccessd devices dhkey did differ difference differences \
    different differs digest digests digit digital digits direct directed direction directional \
    directions directory disable disabled disagree disagreement disc discharging disconnect \
    disconnected disconnecting disconnection disconnects discover discoverable discovered \
    discovering discovery dismiss dismissed dispatch dispatched dispatching display displayable \
    displayed dissector dissectors distance distnoted distribution disturbed div diversifier dlci \
    dns documentation documented documents does domain done double down downgrade download draft \
    drift driver drop dropped dropping drops dst dual due duetexpertd dult dump duplicate \
    duplicates duration durations during duty dyld dynamic ea each earlier early easier eatt ecdh \
    ecosystem edr effective either eject elapsed element else elsewhere embedded emit emitted \
    empty enable enabled enc encapsulated encoded encoding encodings encrypt encrypted encryption \
    end ended endian ending endpoint endpoints ends enhanced enough enqueue enqueued enter entered \
    entitled entitlement entitlements entity entries entry enum enumerate enums envelope ephemeral \
    equal equalizer equals equivalent erased err errno erroneous error errors escapes esp \
    established estimated ethernet evaluate evaluated event events ever every everything evict \
    evicted exact exactly example exceeded exception exchange exchanged exchangesyncd executable \
    execute execution exist existing exists exit exited exiting expect expected expecting expects \
    experimental expired expiry exponent export exported exporter exposed exposes exposure \
    expression expressions extended extension extensionfoundation extensionkit extensionkitservice \
    extensions external externalaccessory extreme extremely factor factory facts fail failed \
    failing fails failure failures fallback falls false fast faster fatal fault faults fb fcs \
    feature features fetch fetched fetching few field fields file fileproviderd files fill filling \
    filter filtered filtering filters final find finding findings findmydeviced finds fingerprint \
    fingerprints finish finished finishes finishing fire fired fires firmware first fit fits five \
    fix fixed flag flags flush flushable flushed flushing focus folder folders follow followed \
    follows for forbids force foreground forge forget forgets forgot forgotten form format formats \
    forms forward forwarded forwarding found foundation four fragment fragmentation fragments \
    frame framed frames framework frameworks framing framings freed frequencies frequency from \
    frontboard fulfill fulfilled full function further future gap gateway gatt gave gb gcm general \
    generate generated generation generations generic get gets ghz give given gives global goes \
    going gone got granted group groupid groups gsm guaranteed guard guarded guidelines gzip had \
    half hand handle handleconnectioncomplete handled handler handles handshake hang hangs \
    happened happens hardware hark has hash hashed have hci head header headers heading headphone \
    headphones headset healthd held here hex hexadecimal hfp hid high higher hint hints hkdf hold \
    holds hole holes homed homepod host hosts how hpke html http https hyphens hz iap \
    iaptransportd icon icons id ident identification identifier identifiers identifies identify \
    identity identityservicesd idle ids ieee if ifs ignore ignored ignores imac image imagent \
    immediate immediately impedance implementation implementations implemented implementer \
    important improper improperly in inactive inc include included incoming incomplete incorrect \
    increase increment ind independent index indexed indexes indicate indicates indication \
    indications indicator indicators inferred info inform information infrastructure init initial \
    initialized initially initiate initiated initiating initiator input inquiry inserted insertion \
    inside install installd instance instances instant instantaneous instantiate instead \
    instructions insufficient int integer integrity intent interace interface interfaces \
    interference intermediate internal internet interrupt interrupted interruption interval \
    intervals into invalid invalidate invalidated invalidates invalidating invalidation \
    invalidationhandler invalidations invocations invoke invoked invoking io iobluetooth iokit ios \
    ip ipad ipados ipads iphone iphones irk is iso isoal isochronous issue issues it item items \
    iterate iterating its itself iv jetsam jitter job jobs join joined joint json judged kb kbit \
    keep keeping keeps kem kept kernel key keyboard keys khz kill killed kind kinds kit know known \
    knows lacking lacks larger last lasts late latency later launch launchd launched launches \
    launching launchservices layer layers layout layouts ldac le leading leak leaked learn lease \
    least leave leaves left legacy len length lengths less let lets letters level levels lib \
    libdispatch libexec libobjc library libsystem libxpc lies like likely limit limited limits \
    line linear lines link linked links linux list listed listen listener listening listens \
    listing lists little load loaded local localhost location locationd locations lock lockdownd \
    locked log logd logger logging logic logical logs long longer look looked lookup lookups loop \
    loopback loses losing lost low lower lsd ltk mac macbook mach machine macos made main major \
    make makes malformed managed management manager mandatory manufacturer many map mapping \
    mappings marker masinstance match matched matches maximum mb mcap mces mcs mdep mdl \
    mdnsresponder mean meaning means meanwhile measured measurement media mediaremoted \
    mediaserverd member members memory menu merge merged message messages metadata method metric \
    metrics mgmt mhz mic microphone microseconds migrate migrated migration milliseconds min \
    minimum minor minute minutes missed missing mitm mixed mobile mobileactivationd \
    mobilebluetooth mobileprovision mode model modes modified modify modprobe modulation module \
    modules modulo monitor monitored monitoring mono more most mostly mps ms msb msg mtu much \
    multi multicast multimedia multiparty multiple multiplex multiplexing multipoint multisink \
    must mute muted mutex nak name named nanoseconds native ndjson nearbyd need needed needs \
    negative negotiate negotiated negotiation nehelper neither nesessionmanager nested net network \
    networking networks never new next nfcd nil nist no nobody node non nonce nonconn none nonzero \
    nop nor not notes nothing notice notification notifications notified notifies notify notifyd \
    notifying now ns nsaccessory nsbluetooth nscocoa nserror nsextension nsinternal nskeyed nsmach \
    nsosstatus nsposix nsurl nsurlsessiond nsxpc null num number numbers numeric nw obex \
    obfuscated objc object objects observation observed observer observers occurred occurrences \
    octet octets of off offered offers offline offload offset often ok old older oldest omitted on \
    once one ones ongoing only oob opaque opcode opcodes open opendirectoryd opened opening opens \
    operand operating operation operations operator optimized option optional options or order \
    origin original os osstatus other others otherwise ours out outcome outgoing output outside \
    outstanding over overflow overflowed override overrun own owned owner pace packed packet \
    packets pad padding page pages pair paired pairing pairs param parameter parameters params \
    parent parity parse parsed parsing part partial parts pass passed passes passive passkey past \
    patch patches path paths pause paused pay payload payloads pbap pcap pcapng pcie pdu pdus peer \
    peers pending percent percentage perform performed performing period periodic peripheral \
    permission permissions permitted persist persistent phase phone phones phy phys physical \
    picker piconet pid pids pin pipe pipes pkd place placement plain plaintext plaintexts platform \
    playable playback played player playing plc plist plists plug plugin pluginid pluginkit plural \
    point pointer points policy poll polling pong pool populate port position positioning \
    positions positive posix possible possibly post posted posting power powerd powered pref \
    preference preferences preferred prefix preflight prepare prepared preparing present preset \
    presets press pressed pressure previous primary print priority privacy private \
    privateframeworks privileges prk pro problem proc procedure procedures proceed proceeding \
    process processing product profile profiled profiles program programs progress prohibited \
    project promise prompt prompted properties property proposed protected protection protects \
    protobuf protocol protocols provider provisioned provisioning proximity proximitycontrold \
    proxy prune pruned pseudonyms psk psm public publish published pull purge purged purpose push \
    put puts quality quantum query question questionable queue queued quit quotes radio radix \
    raised ram random randomizer range ranges rapportd rate rates rating raw rawv rb reach reached \
    reaches read readable reader readers reading reads ready real rearm reason reasons reassembled \
    reassembly reboot rebuild receipt receipts receive received receiver receives receiving \
    reception recipient reclaim recognise recognised recognition recognized recommended \
    reconfiguration reconfigure reconfigured reconnect reconnected reconnecting record recorded \
    recorder recording recordings records recover recovered recovery redact redacted redial \
    reduction redundant reentrant ref reflector refresh refreshed refusal refuse refused refuses \
    region register registered registering registers registration regulatory reinstallation reject \
    rejected rejecting rejects related relative relay relayed release released releasing \
    reliability reliable reload reloaded remaining remark remarks remote remoted remotely \
    remotepairingd remove removed removes removing rename renamed renames render rendering \
    reordered repeat repeated repeats repetition repetitive replaced replaces replay reply report \
    reported reporting reports representation req request requested requesting requests required \
    requirement requirements requires reschedule rescheduled reserved reset resetting resistance \
    resolution resolvable resolve resolved resolving resource resources resp response responses \
    rest restart restarted restarts restore restored result results resume resumed resuming ret \
    retain retained retransmission retransmissions retransmitted retries retrieve retry retrying \
    return returned returns reuse reverse reversed revision revoke revoked revolution revolutions \
    rewinding rfc rfcomm rfkill right role roles rollback room root rotate rotation route routed \
    routes routing row rp rsp rssi rule rules run running runningboard runningboardd runs runtime \
    said same sample samples sampling sandbox sandboxed sandboxing save saved saving sbin scalable \
    scalar scan scannable scanned scanner scanning scans scene schedule scheduled scheduling scms \
    scmst scope screen sdk sdp sdu sdus seal sealed sealing seals search searched searching sec \
    second secondary seconds secret section sections secure secured security securityd see seed \
    seen sees segment seid sel select selected selection selector self semantic semiconductor send \
    sender sending sends sensitive sensor sent sentence sentences sentinels separator seq sequence \
    serial serialize serialized server service services session sessionid sessionresult sessions \
    sessionuuid set sets setting settings settled setup several severity sha shall shape share \
    shared shares sharing sharingd shifted short shortened shorter should show shown shows \
    shutdown sid side sides sig signal signaling signature signed significant signpost silent \
    simple simplified simulator simultaneous since single sink sint siri six size sizes sk skip \
    skipped slave sleep sleeping sleepmode slice sliced slices slot slots slow slower slowest \
    smallest snapshot snk socket socketinterace software solicit solicitation solicited soliciting \
    some something sorted source sources spacing span spatialization spawn spawned spawning speak \
    speaker speaking speaks specific specification specified spelling spellings spells spelt spent \
    spoken springboard spsm src stack stacktrace stale stall stalled stamp stand standard stands \
    start started starting starts startup state statedump states static status stay stays stdout \
    stem step steps stereo still stop stopped stopping stops storage store stored stream streaming \
    streams strict string strings strip structure stub sub subcommand subevent subevents subgroup \
    subgroups subject subscribe subscribed subscriber subscribers subscribing subscription \
    subsystem subversion succeed succeeded success successful successfully such suite sum summary \
    sums supervision supplement support supported supports suppressed suspend suspended suspending \
    svc swb swift swiftui switch switched switches switching symbol symmetric symptomsd syn sync \
    synced synchronization synchronize synchronized synchronous syncing syslog syslogd system \
    table tag tags take taken takes target targeted task tasks tcc tccd tcp teamid teardown tell \
    term terminal terminate terminated terminating termination test testcase testsuite testsuites \
    tethering text than that the their them themselves then there therefore thermalmonitord these \
    they this those thread threads thresh threshold threw throttle throttled through throughput \
    throw throwing thrown throws tick time timed timeline timeout timer times timestamp timing to \
    together toggle toggled toggles token tokens told too took tool topic total touch touches \
    trace traces tracking tracks traffic train transaction transfer transition translate \
    transmission transmit transmits transmitted transmitter transmitting transparency transparent \
    transport transportfailed transports transportunavailable trap tries trigger triggered \
    triggering true truncated trust trustd trusted truth try trying tuple turn tvos twice two tws \
    type types uart ui uid uids uikit uint unable unacceptable unanswered unarchive unasked \
    unauthenticated unauthorized unavailable unblock unblocked unconfigured unconfirmed undecided \
    undeclared undecoded undefined under understood undetermined undo unencrypted unentitled \
    unexpected unexpectedly unfiltered unframed unhandled unicast unicode unified uninstall \
    uninstalled unique uniqueness unit units unix unknown unless unlikely unload unloaded unlock \
    unlocked unmute unopened unpair unpaired unreadable unregister unregistered unregistering \
    unrelated unsegmented unsigned unspecified unsubscribe unsubscribed unsubscribing unsuccessful \
    unsupported until unusable unused unwanted unwind up update updated updates updating upgrade \
    upgraded upper uppercased uri url us usable usac usage usb usbdevice usbhost usbmuxd use used \
    useless user useractivityd userid usernoted usernotificationsd users uses using usr usual utc \
    utf uuid uuids valid validate validated validating validation value values var variable \
    variant variation vendor vendors verification verified verify verifying version versions very \
    via view violated violation visionos voice vs wait waited waiting waits wake wakeup want \
    wanted wants warning warnings was watchdog watchdogd watchos way weak web were what whatever \
    when where whether which while who whole whose why wideband wifi wifianalyticsd wifid wifip2pd \
    will wind window wire wireless wirelessproxd wirelessradiomanagerd wireshark wish with within \
    without word words work working works worn would wrap wrapped wrapper writable write writes \
    writing written wrong wrote www xml xoff xon xor xpc xpcservice xwing yes yet yield yielding \
    you yours zero zeros zip
    """.split(separator: " ").map(String.init))
}
