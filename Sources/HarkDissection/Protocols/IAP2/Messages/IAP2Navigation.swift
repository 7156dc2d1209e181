/// Messages of iAP2's control session about routes and destinations: what their parameters are
/// called, as independent implementations name them.
struct IAP2Navigation: Sendable {
  typealias Identifier = IAP2ParameterNames.Identifier

  static let laneStatuses: [UInt64: StaticString] = [
    0: "do not take", 1: "usable", 2: "preferred",
  ]

  let startRouteGuidance = Identifier([
    0: "RouteGuidanceDisplayComponentID", 1: "SourceName", 2: "SourceSupportsRouteGuidance",
  ])
  let routeGuidance = Identifier([
    0: "RouteGuidanceDisplayComponentID", 1: "RouteGuidanceState", 2: "ManeuverState",
    3: "CurrentRoadName", 4: "DestinationName", 5: "EstimatedTimeOfArrival",
    6: "TimeRemainingToDestination", 7: "DistanceRemaining", 8: "DistanceRemainingDisplayString",
    9: "DistanceRemainingDisplayUnits", 10: "DistanceRemainingToNextManeuver",
    11: "DistanceRemainingToNextManeuverDisplayString",
    12: "DistanceRemainingToNextManeuverDisplayUnits", 13: "RouteGuidanceManeuverCurrentList",
    14: "RouteGuidanceManeuverTotalCount", 15: "RouteGuidanceVisibleInApp",
    16: "LaneGuidanceCurrentIndex", 17: "LaneGuidanceTotalCount", 18: "PresentLaneGuidance",
    19: "SourceName", 20: "SourceSupportsRouteGuidance", 21: "DestinationTimeZoneOffsetMinutes",
    22: "DestinationChargingInfo", 23: "ChargingStationInfoGroup", 24: "ArrivalBatteryLevel",
    25: "DepartureBatteryLevel", 26: "CompletedTripBatteryLevel",
  ])
  let maneuver = Identifier([
    0: "RouteGuidanceDisplayComponentID", 1: "Index", 2: "ManeuverDescription",
    3: "ManeuverType", 4: "AfterManeuverRoadName", 5: "DistanceBetweenManeuver",
    6: "DistanceBetweenManeuverDisplayString", 7: "DistanceBetweenManeuverDisplayUnits",
    8: "DrivingSide", 9: "JunctionType", 10: "JunctionElementAngle",
    11: "JunctionElementExitAngle", 12: "LinkedLaneGuidanceInformation", 13: "ExitInfo",
  ])
  let laneGuidance = Identifier([1: "Index", 2: "LaneInformation"])
  let lane = Identifier([
    0: "Index", 1: "LaneStatus", 2: "LaneAngle", 3: "LaneAngleHighlight",
  ])
  let startDestination = Identifier([0: "SourceName"])
  let destination = Identifier([
    0: "DestinationIdentifier", 1: "DisplayName", 2: "Coordinate", 3: "Address",
    4: "EntryCoordinate", 5: "CoordinateThreshold", 6: "Locale", 7: "SourceName",
  ])
  let coordinate = Identifier([0: "Latitude", 1: "Longitude"])

  let laneStatus = Field("Lane Status", names: laneStatuses)
  let angle = Field("Angle", .signed, unit: "°")
  let distance = Field("Distance", unit: "m")
  let word = Field("Index")

  static let shared = IAP2Navigation()
}

extension IAP2ParameterSet {
  private static let names = IAP2Navigation.shared

  /// Those of messages 0x10DA to 0x10DD and 0x5200 to 0x5204.
  static let navigation: [UInt16: IAP2ParameterSet] = [
    0x10DA: IAP2ParameterSet(names.startDestination),
    0x10DB: IAP2ParameterSet(
      names.destination,
      [
        0: personal, 1: personal, 2: .group(coordinate), 3: personal, 4: .group(coordinate),
        5: .number(names.distance), 6: personal, 7: personal,
      ]),
    0x5200: IAP2ParameterSet(names.startRouteGuidance, [0: number]),
    0x5201: IAP2ParameterSet(
      names.routeGuidance,
      [
        0: number, 1: number, 2: number, 3: personal, 4: personal, 5: seconds, 6: seconds,
        7: .number(names.distance), 8: personal, 9: number, 10: .number(names.distance),
        11: personal,
        12: number, 13: .words(names.word), 14: number, 15: boolean, 16: number, 17: number,
        18: boolean, 19: personal, 20: boolean, 21: minutes, 22: number, 24: number, 25: number,
        26: number,
      ]),
    0x5202: IAP2ParameterSet(
      names.maneuver,
      [
        0: number, 1: number, 2: personal, 3: number, 4: personal, 5: .number(names.distance),
        6: personal,
        7: number, 8: number, 9: number, 10: .number(names.angle), 11: .number(names.angle),
        12: number, 13: personal,
      ]),
    0x5204: IAP2ParameterSet(
      names.laneGuidance,
      [
        1: number,
        2: .group(
          IAP2ParameterSet(
            names.lane,
            [
              0: number, 1: .number(names.laneStatus), 2: .number(names.angle),
              3: .number(names.angle),
            ])),
      ]),
  ]

  private static let coordinate = IAP2ParameterSet(names.coordinate)
}
