/// One step of a compiled layout. A layout is a flat list of them; a stack holds what they work on.
struct Step {
  var op: Op
  var flags: UInt8 = 0
  var c: UInt16 = 0
  var a: Int32 = 0
  var b: Int32 = 0

  init(_ op: Op, _ a: Int = 0, _ b: Int = 0, c: Int = 0, flags: Int = 0) {
    self.op = op
    self.flags = UInt8(truncatingIfNeeded: flags)
    self.c = UInt16(clamping: c)
    self.a = Int32(clamping: a)
    self.b = Int32(clamping: b)
  }

  enum Op: UInt8 {
    // Values. `a` is a slot of the object, a constant or a number.
    case constant, integer, slot
    /// An instance of the object, in slot `a`, the `b`th of the layout: computed at its first use.
    case instance
    /// The same of an object from the stack; `b` is its type.
    case member, memberInstance
    case parent, root, stream, memberParent, memberRoot, memberStream
    /// How many items the array in slot `a` has: `_index` while it grows.
    case arrayCount

    // Jumps, relative to the next step.
    case jump, jumpIfFalse
    /// Keep what decides and jump, or drop it.
    case jumpIfFalseOrDrop, jumpIfTrueOrDrop
    /// Goes on where table `a` says for the integer or enum value on the stack.
    case table

    // Operators.
    case add, subtract, multiply, divide, modulo, bitAnd, bitOr, bitXor, shiftLeft, shiftRight
    case negate, invert, not, join
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    // Methods.
    case index, size, length, first, last, least, most, reverse, substring, parseInteger
    case integerToString, floatToInteger, boolToInteger, enumToInteger, toEnum, isInEnum
    case decode, makeArray, makeBytes, checkType, streamPosition, streamSize, streamEnd, text
    case drop

    // Reading. `b` is a field.
    case mark
    case readInteger, readFloat, readBits
    case readSized, readToEnd, readTerminated
    case strip, xor, rotate, inflate
    case found
    case store, append
    case beginArray, loopWhileCount, loopUntilEnd
    case check, checksum
    case call, endObject
    case seek, endInstance, show
    case setEndian, undecidedEndian
    case stop
  }
}

/// How `readInteger`, `readFloat` and `readBits` find their byte order, in `flags`.
enum StepFlag {
  static let little = 1
  /// As the object says, which decided while it was read.
  static let calculated = 2
  static let signed = 4
  /// The bit makes a truth value.
  static let boolean = 8
  static let store = 16

  /// Of `call`.
  static let substream = 1
  static let givenParent = 2
  static let noParent = 4
  /// The type is of another file.
  static let foreign = 8
  /// The type is what its file describes.
  static let top = 16

  /// Of `seek`.
  static let otherStream = 1
  static let position = 2

  /// Of `beginArray`.
  static let counted = 1
}
