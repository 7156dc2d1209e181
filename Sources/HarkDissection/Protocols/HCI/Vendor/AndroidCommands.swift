/// Commands that Android requires from every Controller: source.android.com, HCI requirements.
/// What names connections and devices in them states no facts: they are statistics and settings.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let v = HCIParameters.shared.android
  private static let q = HCIParameters.shared.advertising

  private static let capabilities: [Parameter] = [
    .u8(p.status), .u8(v.androidMaxInstances), .u8(v.androidResolution), .u16(v.androidScanStorage),
    .u8(v.androidMaxIRKs), .u8(v.androidFiltering), .u8(v.androidMaxFilter),
    .u8(v.androidEnergyInfo), .optional, .u16(v.androidVersion), .u16(v.androidTracked),
    .u8(v.androidExtendedScan), .u8(v.androidDebugLogging), .special(.androidOffload),
    .u32(v.androidAudioBuffer), .u8(v.androidA2DPv2), .u8(v.androidISOFeedback),
    .u8(v.androidSniffOffload),
    .u16(v.androidBIGMap), .u16(v.androidHandleMin), .u16(v.androidHandleMax),
    .u8(v.androidProximity), .rest(v.androidMore),
  ]
  private static let advertising: [Parameter] = [
    .u16(q.advertisingIntervalMin), .u16(q.advertisingIntervalMax), .u8(q.advertisingType),
    .u8(q.ownAddressType), .bytes(6, v.androidOwnAddress), .u8(p.le.peerAddressType),
    .bytes(6, p.le.peerAddress), .u8(q.advertisingChannelMap), .u8(q.filterPolicy),
    .u8(v.androidInstance), .u8(v.androidTXPower),
  ]
  private static let advertisingData: [Parameter] = [
    .advertisingData(q.dataLength, q.data, paddedTo: 31), .u8(v.androidInstance),
  ]
  private static let device: [Parameter] = [.u8(q.addressType), .bytes(6, p.address)]
  /// How a device was received.
  private static let heard: [Parameter] = [
    .u8(v.androidTXPower), .u8(p.rssi), .u16(v.androidTimestamp),
  ]
  /// What it sent. An event of Android reports it, too.
  static let androidAdvertisement: [Parameter] =
    heard + [
      .advertisingData(v.androidPacketLength, v.androidPacket),
      .advertisingData(v.androidScanLength, v.androidScan),
    ]
  private static let results: [Parameter] = [.bytes(6, p.address), .u8(q.addressType)]
  private static let legacyOffload: [Parameter] = [
    .u32(v.androidCodec), .u16(v.androidMaxLatency), .u16(v.androidSCMST),
    .u32(v.androidSampling), .u8(v.androidBits), .u8(v.androidChannels), .u32(v.androidBitrate),
    .u12(p.handle), .u16(v.androidCID), .u16(v.androidMTU), .bytes(32, v.androidCodecInformation),
  ]
  private static let stream: [Parameter] = [
    .u12(p.handle), .u16(v.androidCID), .u8(v.androidPathDirection),
  ]

  static let android: [Row] = advertisingAndScanning + audioAndReports

  private static let advertisingAndScanning: [Row] = [
    Row(0xFD53, "LE_Get_Vendor_Capabilities", [], returns: capabilities),
    Row(
      0xFD54, "LE_Multi_Advt",
      [
        .choice(
          v.androidMultiOpcode,
          [
            1: advertising, 2: advertisingData, 3: advertisingData,
            4: [.bytes(6, q.randomAddress), .u8(v.androidInstance)],
            5: [.u8(v.androidEnable), .u8(v.androidInstance)],
          ], orElse: v.androidOther)
      ], returns: [.u8(p.status), .u8(v.androidMultiOpcode)]),
    Row(
      0xFD55, "LE_RPA_Offload",
      [
        .choice(
          v.androidRPAOpcode,
          [
            1: [.u8(v.androidEnable)], 2: [.bytes(16, p.pairing.peerIRK)] + device, 3: device,
            4: [], 5: [.u8(v.androidIndex)],
          ], orElse: v.androidOther)
      ],
      returns: [
        .u8(p.status),
        .choice(
          v.androidRPAOpcode,
          [
            1: [.u8(v.androidEnable)], 2: [.u8(v.androidIndex)], 3: [.u8(v.androidIndex)],
            4: [.u8(v.androidIndex)],
            5: [.u8(v.androidIndex), .bytes(16, p.pairing.peerIRK)] + device + [
              .bytes(6, p.pairing.peerRPA)
            ],
          ], orElse: v.androidOther),
      ]),
    Row(
      0xFD56, "LE_Batch_Scan",
      [
        .choice(
          v.androidBatchOpcode,
          [
            1: [.u8(v.androidEnable)],
            2: [.u8(v.androidFullMax), .u8(v.androidTruncatedMax), .u8(v.androidNotify)],
            3: [
              .u8(v.androidBatchMode), .u32(v.androidDutyWindow), .u32(v.androidDutyInterval),
              .u8(q.ownAddressType), .u8(v.androidDiscard),
            ],
            4: [.u8(v.androidDataRead)],
          ], orElse: v.androidOther)
      ],
      returns: [
        .u8(p.status),
        .choice(
          v.androidBatchOpcode,
          [
            1: [], 2: [], 3: [],
            4: [
              .choice(
                v.androidDataRead,
                [
                  1: [.each(v.androidNumResults, v.androidResult, results + heard)],
                  2: [
                    .each(v.androidNumResults, v.androidResult, results + androidAdvertisement)
                  ],
                ], orElse: v.androidOther)
            ],
          ], orElse: v.androidOther),
      ]),
    Row(
      0xFD5A, "LE_Extended_Set_Scan_Parameters",
      [
        .u8(v.androidScanType), .u32(v.androidScanInterval), .u32(v.androidScanWindow),
        .u8(q.ownAddressType), .u8(v.androidScanPolicy),
      ]),
  ]

  private static let audioAndReports: [Row] = [
    Row(
      0xFD59, "LE_Get_Controller_Activity_Energy_Info", [],
      returns: [
        .u8(p.status), .u32(v.androidTXTime), .u32(v.androidRXTime), .u32(v.androidIdleTime),
        .u32(v.androidEnergy),
      ]),
    Row(0xFD5B, "Get_Controller_Debug_Info", []),
    Row(
      0xFD5D, "A2DP_Hardware_Offload",
      [
        .choice(
          v.androidA2DPOpcode,
          [
            1: legacyOffload, 2: [], 4: stream,
            3: stream + [
              .u16(v.androidPeerMTU), .u8(v.androidCPEnable), .u8(v.androidCPHeader),
              .counted(v.androidVendorLength, v.androidVendor),
            ],
          ], orElse: v.androidOther)
      ], returns: [.u8(p.status), .u8(v.androidA2DPOpcode)]),
    Row(
      0xFD5E, "Bluetooth_Quality_Report",
      [
        .u8(v.androidReportAction), .u32(v.androidQualityMask), .u16(v.androidReportInterval),
        .optional, .u32(v.androidVendorMask), .u32(v.androidTraceMask), .u32(v.androidMultiple),
      ],
      returns: [
        .u8(p.status), .u32(v.androidCurrentMask), .optional, .u32(v.androidVendorMask),
        .u32(v.androidTraceMask), .u32(v.androidMultiple),
      ]),
    Row(
      0xFD5F, "Dynamic_Audio_Buffer",
      [
        .choice(
          v.androidBufferOpcode, [1: [], 2: [.u16(v.androidBufferTime)]], orElse: v.androidOther)
      ],
      returns: [
        .u8(p.status),
        .choice(
          v.androidBufferOpcode,
          [
            1: [
              .u32(v.androidBufferCodecs),
              .untilEnd(
                v.androidBufferTimes,
                [
                  .u16(v.androidBufferDefault), .u16(v.androidBufferMax),
                  .u16(v.androidBufferMin),
                ]),
            ],
            2: [.u16(v.androidCurrentTime)],
          ], orElse: v.androidOther),
      ]),
  ]
}
