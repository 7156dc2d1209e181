// Runs of bytes, and what their values must be.
extension Compiler {
  /// Reads the bytes of a member, without padding and terminator, and unpacks them. `end` is how
  /// many zero octets end them, where nothing else is said.
  func bytes(_ attribute: Attribute, in type: TypeSpecification, end: Int? = nil) -> [Step] {
    let context = Context(type: type, attribute: attribute)
    var strip = Layout.Strip(
      padding: attribute.padding, terminator: attribute.terminator,
      includes: attribute.includesTerminator, consumes: attribute.consumesTerminator,
      isRequired: attribute.needsTerminator)
    if let end, strip.terminator == nil {
      strip.terminator = 0
      strip.width = end
    }
    var steps: [Step]
    if let contents = attribute.contents {
      steps = [Step(.integer, contents.count), Step(.readSized)]
    } else if let size = attribute.size {
      steps = piece(size, context, "integer") { $0.isInteger } + [Step(.readSized)]
    } else if attribute.sizeToEnd {
      steps = [Step(.readToEnd)]
    } else {
      steps = [Step(.readTerminated, stripIndex(strip))]
      strip = Layout.Strip()
    }
    if strip.padding != nil || strip.terminator != nil {
      steps.append(Step(.strip, stripIndex(strip)))
    }
    if let process = attribute.process { steps += self.process(process, context) }
    return steps
  }

  private func stripIndex(_ strip: Layout.Strip) -> Int {
    layout.strips.append(strip)
    return layout.strips.count - 1
  }

  private func process(_ process: Attribute.Process, _ context: Context) -> [Step] {
    guard let argument = process.argument else { return [Step(.inflate)] }
    let isXor = process.kind == .xor
    let steps = piece(argument, context, isXor ? "integer or byte array" : "integer") {
      $0.isInteger || isXor && $0.isBytes
    }
    switch process.kind {
    case .xor: return steps + [Step(.xor)]
    case .rotateLeft: return steps + [Step(.rotate)]
    case .rotateRight: return steps + [Step(.negate), Step(.rotate)]
    case .zlib: return [Step(.inflate)]
    }
  }

  // MARK: Valid

  func checks(of attribute: Attribute, in type: TypeSpecification) -> [Step] {
    var item = attribute.resolved ?? .unknown
    if case .none = attribute.repetition {
    } else if case .array(let inner) = item {
      item = inner
    }
    var context = Context(type: type, attribute: attribute)
    context.item = item
    context.isBehindItem = true
    let value = Piece(type: item, steps: [Step(.slot, attribute.itemSlot)])
    func check(_ failure: LayoutFailure.Check) -> Step {
      Step(.check, Int(failure.rawValue), attribute.fieldIndex)
    }
    func compare(_ sign: BinaryOperator, _ key: ExpressionKey) -> [Step] {
      guard let other = piece(key, context) else { return [] }
      do throws(ExpressionError) {
        return value.steps + other.steps + [try comparison(sign, item, other.type)]
      } catch {
        diagnostics.error(key.node, error.message)
        return []
      }
    }
    var steps: [Step] = []
    if let contents = attribute.contents {
      steps += value.steps + [constant(.bytes, contents), Step(.equal), check(.equal)]
    }
    for validation in attribute.validation {
      switch validation {
      case .equal(let key): steps += compare(.equal, key) + [check(.equal)]
      case .least(let key): steps += compare(.greaterOrEqual, key) + [check(.least)]
      case .most(let key): steps += compare(.lessOrEqual, key) + [check(.most)]
      case .anyOf(let keys):
        let tests = keys.map { compare(.equal, $0) }
        guard keys.count <= Self.mostCases else {
          diagnostics.error(keys[0].node, "more than \(Self.mostCases) values")
          continue
        }
        guard var all = tests.last else { continue }
        for test in tests.dropLast().reversed() {
          all = test + [Step(.jumpIfTrueOrDrop, all.count)] + all
        }
        steps += all + [check(.anyOf)]
      case .inEnum(let node):
        guard case .enumeration(let spec) = item else {
          if !item.isUnknown { diagnostics.error(node, "`valid/in-enum` requires an enum") }
          continue
        }
        steps += value.steps + [Step(.isInEnum, spec.index), check(.inEnum)]
      case .expression(let key):
        steps += piece(key, context, "boolean") { $0.isBool } + [check(.expression)]
      }
    }
    if let checksum = attribute.extras.checksum {
      let over = piece(checksum.over, context, "byte array") { $0.isBytes }
      layout.checksums.append(checksum.algorithm)
      if !item.isInteger { diagnostics.error(checksum.node, "a checksum is an integer") }
      steps +=
        over + [Step(.checksum, layout.checksums.count - 1)] + value.steps
        + [Step(.equal), check(.checksum)]
    }
    return steps
  }
}
