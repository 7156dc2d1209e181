import HarkCore

/// Identifiers that start with `com.apple.`: subsystems, bundles, entitlements, extension points.
enum AppleIdentifiers {
  /// What they start with, in lower case. It says nothing about anyone.
  private static let prefix = Array("com.apple.".utf8)

  /// Parts of identifiers that are not words of programs anyway: what Apple's apps, frameworks and services are called
  /// there, in lower case. None is a name that people have.
  private static let parts: Set<String> = Set(
    """
    accessorysetupui accounts accountsd activitykit addressbook applemediaservices appstore asam \
    assets assistant assistantd associated audioaccessory audiotoolbox avconference avfaudio \
    avfcore avfoundation backboard backup biome books btpacketlogger calculator calendar \
    callhistory callkit callservices camera capabilityaccess carplay chatkit chrono classkit \
    clockkit cloudkit commcenter compass contacts contactsui controlcenter coreanalytics coreaudio \
    coredata corelocation coremedia coremidi coremotion corenfc coretelephony coreui corewifi \
    country dataaccess datamigrator deviceaccess devicecheck devicediscoveryui devicemanagement \
    diagnosticd diagnostics dock documentmanager domains duet editing eventkit facetime fairplayd \
    family familycircle fileprovider finder findmy fitness freeform gamecontroller gamekit \
    geoservices groupactivities handoff hapticengine health healthkit helper hiddevices home \
    homekit hotspot ibooks icloud imessage incallservice intents itunes journal keyboardservices \
    keychain libsqlite liveactivities livecommunication localauthentication lockscreen loginwindow \
    mail managedconfiguration maps mdns measure mediaexperience mediaplayer mediaremote \
    mobileactivation mobileasset mobilebackup mobilecal mobilecontacts mobiledevice mobilegestalt \
    mobileinstallation mobilelockdown mobilemail mobilenotes mobilephone mobilesafari \
    mobileslideshow mobilesms mobilestore mobiletimer mobilewifi multitouch music nanoregistry \
    nearby networkextension networkserviceproxy news nfc onboarding packetlogger passbook passd \
    passkit pasteboard photo photos photosui podcasts powerlog powerlogd powermanagement providers \
    proximitycontrol proximitypairing pushkit quicklook rapport reminders safari screensharing \
    screentime sensorkit sessionkit sharesheet shortcuts sidecar skylight social softwareupdate \
    spotlight springboardservices sqlite stocks storekit symptoms telephony \
    telephonyutilities tips tunnel tv uikitcore upload usernotifications videotoolbox \
    visualvoicemail voicememos voiceover voiceshortcuts wallet watch watchconnectivity watchkit \
    watchkitapp weather webapp webkit widget widgetkit widgetrenderer wifiinfrastructure wifikit \
    wifimanager wifivelocity wirelessproximity
    """.split(separator: " ").map(String.init))

  /// The bytes that stay of an identifier that starts at `place`, and where it ends: the prefix, and each part that hark
  /// knows. Whoever names a service or a bundle after a person or a device starts it this way, too. Nil if there is no
  /// identifier.
  /// - Parameter lower: `text` in lower case.
  static func identifier(
    at place: Int, in text: [UInt8], _ lower: [UInt8]
  ) -> (known: [Range<Int>], end: Int)? {
    guard lower[place] == prefix[0], lower[place...].starts(with: prefix) else { return nil }
    let start = place + prefix.count
    var end = start
    while end < text.count, LogVocabulary.isWordByte(text[end]) || ".-".utf8.contains(text[end]) {
      end += 1
    }
    let known = LogVocabulary.words(in: start..<end, of: text).flatMap { word in
      isKnown(text[word])
        ? [word] : LogVocabulary.parts(of: word, in: text).filter { isKnown(text[$0]) }
    }
    return ([place..<start] + known, end)
  }

  private static func isKnown(_ part: ArraySlice<UInt8>) -> Bool {
    LogVocabulary.holds(part, or: parts)
  }
}
