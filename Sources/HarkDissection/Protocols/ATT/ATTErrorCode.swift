/// The Error Codes of ATT that hark distinguishes. Core Specification, Vol 3, Part F, 3.4.1.1
package enum ATTErrorCode: UInt8, Sendable {
  case insufficientAuthentication = 0x05
  case requestNotSupported = 0x06
  case invalidOffset = 0x07
  case insufficientAuthorization = 0x08
  case prepareQueueFull = 0x09
  case attributeNotLong = 0x0B
  case encryptionKeySizeTooShort = 0x0C
  case invalidAttributeValueLength = 0x0D
  case insufficientEncryption = 0x0F
  case insufficientResources = 0x11
}
