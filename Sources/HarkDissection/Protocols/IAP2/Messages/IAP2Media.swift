/// Messages of iAP2's control session about what is played and the library it is from: what their
/// parameters are called, as independent implementations name them.
struct IAP2Media: Sendable {
  typealias Identifier = IAP2ParameterNames.Identifier

  static let mediaTypes: [UInt64: StaticString] = [
    0: "Music", 1: "Podcast", 2: "Audiobook", 3: "iTunes U",
  ]
  static let playbackStatuses: [UInt64: StaticString] = [
    0: "Stopped", 1: "Playing", 2: "Paused", 3: "Seek Forward", 4: "Seek Backward",
  ]
  static let shuffleModes: [UInt64: StaticString] = [0: "Off", 1: "Songs", 2: "Albums"]
  static let repeatModes: [UInt64: StaticString] = [0: "Off", 1: "One", 2: "All"]

  let startNowPlaying = Identifier([
    0: "MediaItemAttributes", 1: "PlaybackAttributes",
    2: "PlaybackQueueListContentTransferInfoRequest",
  ])
  let nowPlaying = Identifier([0: "MediaItemAttributes", 1: "PlaybackAttributes"])
  let mediaItem = Identifier([
    0: "MediaItemPersistentIdentifier", 1: "MediaItemTitle", 2: "MediaItemMediaType",
    3: "MediaItemRating", 4: "MediaItemPlaybackDurationInMilliseconds",
    5: "MediaItemAlbumPersistentIdentifier", 6: "MediaItemAlbumTitle",
    7: "MediaItemAlbumTrackNumber", 8: "MediaItemAlbumTrackCount",
    9: "MediaItemAlbumDiscNumber", 10: "MediaItemAlbumDiscCount",
    11: "MediaItemArtistPersistentIdentifier", 12: "MediaItemArtist",
    13: "MediaItemAlbumArtistPersistentIdentifier", 14: "MediaItemAlbumArtist",
    15: "MediaItemGenrePersistentIdentifier", 16: "MediaItemGenre",
    17: "MediaItemComposerPersistentIdentifier", 18: "MediaItemComposer",
    19: "MediaItemIsPartOfCompilation", 21: "MediaItemIsLikeSupported",
    22: "MediaItemIsBanSupported", 23: "MediaItemIsLiked", 24: "MediaItemIsBanned",
    25: "MediaItemIsResidentOnDevice", 26: "MediaItemArtworkFileTransferIdentifier",
    27: "MediaItemChapterCount",
  ])
  let playback = Identifier([
    0: "PlaybackStatus", 1: "PlaybackElapsedTimeInMilliseconds", 2: "PlaybackQueueIndex",
    3: "PlaybackQueueCount", 4: "PlaybackQueueChapterIndex", 5: "PlaybackShuffleMode",
    6: "PlaybackRepeatMode", 7: "PlaybackAppName", 8: "PlaybackMediaLibraryUniqueIdentifier",
    9: "PlaybackAppleMusicRadioAd", 10: "PlaybackAppleMusicRadioStationName",
    11: "PlaybackAppleMusicRadioStationMediaPlaylistID", 12: "PlaybackSpeed",
    13: "SetElapsedTimeAvailable", 14: "PlaybackQueueListAvailable",
    15: "PlaybackQueueListTransferID", 16: "PlaybackAppBundleID",
    17: "PlaybackQueueListContentTransfer",
  ])
  let setNowPlaying = Identifier([
    0: "ElapsedTime", 1: "PlaybackQueueIndex", 2: "PlaybackQueueListContentTransferStartIndex",
  ])
  let libraryInformation = Identifier([0: "MediaLibraryInformation"])
  let library = Identifier([
    0: "MediaLibraryName", 1: "MediaLibraryUniqueIdentifier", 2: "MediaLibraryType",
  ])
  let startLibrary = Identifier([2: "MediaItemProperties"])
  let libraryUpdate = Identifier([
    0: "MediaLibraryUniqueIdentifier", 1: "MediaLibraryRevision", 2: "MediaItem",
  ])

  let mediaType = Field("Media Type", names: mediaTypes)
  let playbackStatus = Field("Playback Status", names: playbackStatuses, inLine: true)
  let shuffleMode = Field("Shuffle Mode", names: shuffleModes)
  let repeatMode = Field("Repeat Mode", names: repeatModes)

  static let shared = IAP2Media()
}

extension IAP2ParameterSet {
  private static let names = IAP2Media.shared

  /// Those of messages 0x4C00 to 0x4C09 and 0x5000 to 0x5003.
  static let media: [UInt16: IAP2ParameterSet] = [
    0x4C01: IAP2ParameterSet(
      names.libraryInformation,
      [0: .group(IAP2ParameterSet(names.library, [0: mediaText, 1: serialNumber, 2: number]))]),
    0x4C03: IAP2ParameterSet(names.startLibrary, [2: .group(mediaItem)]),
    0x4C04: IAP2ParameterSet(
      names.libraryUpdate, [0: serialNumber, 1: serialNumber, 2: .group(mediaItem)]),
    0x5000: IAP2ParameterSet(
      names.startNowPlaying, [0: .group(mediaItem), 1: .group(playback), 2: .group(mediaItem)]),
    0x5001: IAP2ParameterSet(names.nowPlaying, [0: .group(mediaItem), 1: .group(playback)]),
    0x5003: IAP2ParameterSet(names.setNowPlaying, [0: number, 1: number, 2: number]),
  ]

  private static let mediaItem = IAP2ParameterSet(
    names.mediaItem,
    [
      0: identifier, 1: mediaText, 2: .number(names.mediaType), 3: number, 4: mediaTime,
      5: identifier, 6: mediaText, 7: number, 8: number, 9: number, 10: number, 11: identifier,
      12: mediaText, 13: identifier, 14: mediaText, 15: identifier, 16: mediaText,
      17: identifier, 18: mediaText,
      19: boolean, 21: boolean, 22: boolean, 23: boolean, 24: boolean, 25: boolean, 26: number,
      27: number,
    ])
  private static let playback = IAP2ParameterSet(
    names.playback,
    [
      0: .number(names.playbackStatus), 1: mediaTime, 2: number, 3: number, 4: number,
      5: .number(names.shuffleMode), 6: .number(names.repeatMode), 7: text, 8: serialNumber,
      9: boolean,
      10: mediaText, 11: identifier, 12: number, 13: boolean, 14: boolean, 15: number, 16: text,
      17: number,
    ])
}
