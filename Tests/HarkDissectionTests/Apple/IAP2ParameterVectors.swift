@testable import HarkDissection

/// Messages of iAP2's control session. The names are those of public independent implementations; the
/// bytes are written by hand where no source is named.
enum IAP2ParameterVectors {
  static let all = [
    Vector(
      "StartNowPlayingUpdates as a shipping accessory was seen to send it, by a public project",
      .iap2(0),
      """
      40 40 00 2e 50 00 00 18 00 00 00 04 00 01 00 04 00 04 00 04 00 06 00 04 00 0c 00 04 00 1a
      00 10 00 01 00 04 00 00 00 04 00 01 00 04 00 07
      """,
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 46",
        "  Message: StartNowPlayingUpdates (0x5000)",
        "  Parameter", "    Parameter Length: 24", "    Parameter ID: MediaItemAttributes (0)",
        "    Parameter", "      Parameter Length: 4", "      Parameter ID: MediaItemTitle (1)",
        "    Parameter", "      Parameter Length: 4",
        "      Parameter ID: MediaItemPlaybackDurationInMilliseconds (4)",
        "    Parameter", "      Parameter Length: 4",
        "      Parameter ID: MediaItemAlbumTitle (6)",
        "    Parameter", "      Parameter Length: 4", "      Parameter ID: MediaItemArtist (12)",
        "    Parameter", "      Parameter Length: 4",
        "      Parameter ID: MediaItemArtworkFileTransferIdentifier (26)",
        "  Parameter", "    Parameter Length: 16", "    Parameter ID: PlaybackAttributes (1)",
        "    Parameter", "      Parameter Length: 4", "      Parameter ID: PlaybackStatus (0)",
        "    Parameter", "      Parameter Length: 4",
        "      Parameter ID: PlaybackElapsedTimeInMilliseconds (1)",
        "    Parameter", "      Parameter Length: 4", "      Parameter ID: PlaybackAppName (7)",
      ]),
    Vector(
      "NowPlayingUpdate", .iap2(0),
      """
      40 40 00 2a 50 01 00 0f 00 00 00 0b 00 01 46 65 61 74 68 65 00
      00 15 00 01 00 05 00 00 01 00 08 00 01 00 00 03 e8 00 04 00 11
      """,
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 42",
        "  Message: NowPlayingUpdate (0x5001)",
        "  Parameter", "    Parameter Length: 15", "    Parameter ID: MediaItemAttributes (0)",
        "    Parameter", "      Parameter Length: 11", "      Parameter ID: MediaItemTitle (1)",
        "      Text: \"Feathe\"",
        "  Parameter", "    Parameter Length: 21", "    Parameter ID: PlaybackAttributes (1)",
        "    Parameter", "      Parameter Length: 5", "      Parameter ID: PlaybackStatus (0)",
        "      Playback Status: Playing (1)",
        "    Parameter", "      Parameter Length: 8",
        "      Parameter ID: PlaybackElapsedTimeInMilliseconds (1)", "      Milliseconds: 1000 ms",
        "    Parameter", "      Parameter Length: 4",
        "      Parameter ID: PlaybackQueueListContentTransfer (17)",
      ]),
    Vector(
      "CallStateUpdate", .iap2(0),
      "40 40 00 1c 41 55 00 07 00 00 31 31 00 00 05 00 02 02 00 05 00 03 01 00 05 00 08 01",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 28",
        "  Message: CallStateUpdate (0x4155)",
        "  Parameter", "    Parameter Length: 7", "    Parameter ID: RemoteID (0)",
        "    Text: \"11\"",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: Status (2)",
        "    Status: Ringing (2)",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: Direction (3)",
        "    Direction: Incoming (1)",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: Service (8)",
        "    Service: Telephony (1)",
      ]),
    Vector(
      "CommunicationsUpdate has no parameter 3", .iap2(0),
      "40 40 00 19 41 58 00 05 00 01 04 00 09 00 04 54 65 6c 63 00 00 05 00 03 01",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 25",
        "  Message: CommunicationsUpdate (0x4158)",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: RegistrationStatus (1)",
        "    Registration Status: Registered, Home (4)",
        "  Parameter", "    Parameter Length: 9", "    Parameter ID: CarrierName (4)",
        "    Text: \"Telc\"",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: Unknown (3)", "    Data: 01",
      ]),
    Vector(
      "ListUpdate: a missed call, and no favorites", .iap2(0),
      """
      40 40 00 27 41 71 00 1b 00 01 00 06 00 00 00 00 00 07 00 02 4a 6f 00 00 05 00 06 03
      00 05 00 09 02 00 06 00 07 00 00
      """,
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 39",
        "  Message: ListUpdate (0x4171)",
        "  Parameter", "    Parameter Length: 27", "    Parameter ID: RecentsList (1)",
        "    Parameter", "      Parameter Length: 6", "      Parameter ID: Index (0)",
        "      Number: 0",
        "    Parameter", "      Parameter Length: 7", "      Parameter ID: DisplayName (2)",
        "      Text: \"Jo\"",
        "    Parameter", "      Parameter Length: 5", "      Parameter ID: Type (6)",
        "      Type: Missed (3)",
        "    Parameter", "      Parameter Length: 5", "      Parameter ID: Occurrences (9)",
        "      Number: 2",
        "  Parameter", "    Parameter Length: 6", "    Parameter ID: FavoritesListCount (7)",
        "    Number: 0",
      ]),
    Vector(
      "PowerUpdate", .iap2(0),
      "40 40 00 16 ae 01 00 05 00 05 01 00 06 00 06 00 50 00 05 00 02 03",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 22",
        "  Message: PowerUpdate (0xae01)",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: BatteryChargingState (5)",
        "    Charging State: charging (1)",
        "  Parameter", "    Parameter Length: 6", "    Parameter ID: BatteryChargeLevel (6)",
        "    Level: 80 %",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: AccessoryPowerMode (2)",
        "    Accessory Power Mode: Ultra High Power (3)",
      ]),
    Vector(
      "VehicleStatusUpdate: cold, and two alerts", .iap2(0),
      """
      40 40 00 1d a1 01 00 06 00 04 ff f6 00 06 00 13 02 03 00 05 00 06 01
      00 06 00 03 01 2c
      """,
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 29",
        "  Message: VehicleStatusUpdate (0xa101)",
        "  Parameter", "    Parameter Length: 6", "    Parameter ID: OutsideTemperature (4)",
        "    Temperature: -10 °C",
        "  Parameter", "    Parameter Length: 6", "    Parameter ID: Alerts (19)",
        "    Alert: Low tire pressure warning (2)", "    Alert: Hazard warning (3)",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: RangeWarning (6)",
        "    Boolean: yes (1)",
        "  Parameter", "    Parameter Length: 6", "    Parameter ID: Range (3)",
        "    Range: 300 km",
      ]),
    Vector(
      "StartHID and its descriptor", .iap2(0),
      "40 40 00 18 68 00 00 06 00 00 14 e9 00 06 00 01 1d 6b 00 06 00 04 05 0c",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 24",
        "  Message: StartHID (0x6800)",
        "  Parameter", "    Parameter Length: 6",
        "    Parameter ID: HIDComponentIdentifier (0)", "    Number: 5353",
        "  Parameter", "    Parameter Length: 6", "    Parameter ID: VendorIdentifier (1)",
        "    Number: 0x1d6b",
        "  Parameter", "    Parameter Length: 6", "    Parameter ID: HIDReportDescriptor (4)",
        "    Data: 050c",
      ]),
    Vector(
      "LocationInformation holds NMEA sentences", .iap2(0),
      "40 40 00 11 ff fb 00 0b 00 00 24 47 50 47 47 41 00",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 17",
        "  Message: LocationInformation (0xfffb)",
        "  Parameter", "    Parameter Length: 11", "    Parameter ID: NMEASentence (0)",
        "    Text: \"$GPGGA\"",
      ]),
    Vector(
      "RouteGuidanceUpdate: the maneuvers to come", .iap2(0),
      "40 40 00 14 52 01 00 08 00 0d 00 02 00 03 00 06 00 15 fe 20",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 20",
        "  Message: RouteGuidanceUpdate (0x5201)",
        "  Parameter", "    Parameter Length: 8",
        "    Parameter ID: RouteGuidanceManeuverCurrentList (13)", "    Index: 2", "    Index: 3",
        "  Parameter", "    Parameter Length: 6",
        "    Parameter ID: DestinationTimeZoneOffsetMinutes (21)", "    Minutes: -480 min",
      ]),
    Vector(
      "IdentificationInformationUpdate: its sixth parameter is no list of messages", .iap2(0),
      "40 40 00 0d 1d 06 00 07 00 06 64 65 00",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 13",
        "  Message: IdentificationInformationUpdate (0x1d06)",
        "  Parameter", "    Parameter Length: 7", "    Parameter ID: CurrentLanguage (6)",
        "    Text: \"de\"",
      ]),
  ]
}
