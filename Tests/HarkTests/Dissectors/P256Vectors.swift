/// An exchange of P-256 and messages encrypted with it. Keys and messages to the accessory are from `hark seal`, with
/// the key of the sample pebble-session and seed 7; captures/generator/check_sealed.py opens them with pyhpke, and prints
/// these texts. The answers are from Python's `cryptography`, with the key schedule of RFC 9180, section 5.1, and the
/// exporter of section 5.3.
enum P256Vectors {
  static let texts = [
    #"{"kind":"add","title":"Mara","body":"The 17:10 is on time","notificationIdentifier":"msg-1"}"#,
    #"{"kind":"add","title":"Jonas","body":"Bring the map","notificationIdentifier":"msg-2"}"#,
    #"{"kind":"add","title":"Ada","body":"Second platform, at the kiosk","notificationIdentifier":"msg-3"}"#,
    #"{"kind":"removeAll"}"#,
  ]
  static let identifier = "F47AC10B-58CC-4372-A567-0E02B2C3D479"
  static let session = "ABCDEF12-3456-7890-ABCD-EF0123456789"
  static let publicKey = hex(
    "b960620443dd2b3d9275947349f4e6a18efc792efa31aaffb9b183aac4c91b941a846bd96f0fdfe32666e477"
      + "a920b0fcbd44514f2ccd02b4206259a1e8382927")
  static let encapsulated = hex(
    "04e2c1a43b87a03dfc4ea0d2b62eb41d2365ed318446baa62ec570549fc876af9cf8fb24b7007e96a55d9236"
      + "c9b63ac5f8806f463af59059e3ec5fb03f15c45262")
  static let sealed = [
    hex(
      "dec31d832a4029867235d338b94eaac47f74f110a379bb3204c5797c99190e5b37f38c775beeb9c92ec2"
        + "254679d8d8f9a421d0a1e583393eadc5ef9aee33ce8bad70c7fc215ee7c811edb4ad4c30ab8a3167685a"
        + "87ee9d3f9c21032af0e578b57b8549b3a9d8d20199e5dfc16784da77074df9b809f61f0e"),
    hex(
      "a2233c51c4fe9568b65180f0f2839b68c13ab31e10dc6e056c685d1452b4e778242cb50c1b338e07f85a"
        + "f962dc3c812b6ba313412c65388575038da7e6c7329ea3c962ecce5586f7d2bf2d338e5183849a4daeaa"
        + "d39b3e0b1807e74604d1036a009f861793be7ba7b65d1586c42edf1fe598"),
    hex(
      "bb16b911833959b6219992817e71a1f99f164038f27940f7987a3e6f9639d857950b56ea4514ea157e01"
        + "4b70f6131f6a8136a67b59b8333819dae32119fdd5b8023442c87ed1af2fde00f3e72a12e27fc85ecbae"
        + "9bdf7a7601376d2d48a7ddf80600875a931d1cf2c794c72fd0875039e609a7bc82f56972e11746b2d3f9"
        + "723f"),
    hex(
      "08f3db9e509d46556c70be981c2124259ccdfed7b83cf36c7652a5dbd74730c049ed48973e1fef2edeb4"
        + "d70586735529"),
  ]
  static let answerTexts = [
    #"{"notificationIdentifier":"msg-1","userText":"On my way"}"#,
    #"{"notificationIdentifier":"msg-2","didAlert":true}"#,
    #"{"ok":true,"id":3,"words":"On time"}"#,
  ]
  static let answers = [
    hex(
      "1d1e80e0d0b391adb5d10f963fde672a2b18ec7da3a78737c406b1020ed8d5eb9b7c9e89cc116cdf9f39"
        + "d5f382d92dbdb300b9a45b46fa025fbb131944f7786018766b58b7ed8688117b0a2efd4d8b2a93b85a49"
        + "e2"),
    hex(
      "b404bd3222aded83316578328181accae3b6f1f394d6c8b135d9231d4a363ba89c83c33afdf932d493fb"
        + "8efb4d8c354311263f09f4c3778a2b491c18513286e03cbe35302432cc4684ae07e8c3a2"),
    hex(
      "c9d9b57cac058861f39ed45f7bb55ffdf43ef6438e476920e98fa7feee2a61b011d9d58bf7225c585779"
        + "df54deed94f7a04364e3506522ebb05e70582fc3b73c"),
  ]

  /// To the accessory, from `cryptography`. It is as long as an encapsulated key, and the last answer as a public key.
  static let (keySized, keySizedText) = (
    hex(
      "539c412fa210259933868a2579330d255769debf0d13f61fb96a0e290476cfc8470eef6c30456721a844"
        + "36fe2797d7192d48fe9860b3131e82bd827825d56009ca"),
    #"{"kind":"remove","identifier":"m-12"}"#
  )

  static func hex(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8).map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
