import HarkDissection

/// Channel Sounding: security, configurations and procedures of a link. Core Specification, Vol 4, Part E, 7.7.65.39 to
/// 7.7.65.46.
struct SoundingFollower {
  /// The procedures of a configuration since they were enabled.
  private struct Procedures {
    var completed = 0
    var aborted = 0
    /// The reasons of aborts that were reported.
    var reasons: Set<UInt16> = []
  }

  private struct Key: Hashable {
    let link: LinkID
    let config: UInt8
  }

  private var procedures: [Key: Procedures] = [:]

  mutating func take(_ event: LESoundingEvent, _ moment: PacketContext, _ tables: inout Tables) {
    switch event {
    case .capabilitiesComplete(let status): failed(.capabilities, status, moment, &tables)
    case .faeTableComplete(let status): failed(.faeTable, status, moment, &tables)
    case .testEndComplete(let status): failed(.testEnd, status, moment, &tables)
    case .securityEnableComplete(let status):
      guard status == 0 else { return failed(.security, status, moment, &tables) }
      emit(.security(.init()), moment, &tables)
    case .configComplete(let it): configured(it, moment, &tables)
    case .procedureEnableComplete(let it): enabled(it, moment, &tables)
    case .subeventResult(let it): result(it, moment, &tables)
    }
  }

  private func emit(_ event: SoundingEvent, _ moment: PacketContext, _ tables: inout Tables) {
    tables.emit(.link(.sounding(event)), moment)
  }

  private func failed(
    _ what: SoundingEvent.Step, _ status: UInt8, config: UInt8? = nil, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard status != 0 else { return }
    tables.emit(
      .link(.sounding(.failed(.init(step: what, status: status, config: config)))), moment,
      severity: .warning)
  }

  private func configured(
    _ it: LESoundingEvent.Configuration, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard it.status == 0 else {
      return failed(.configuration, it.status, config: it.config, moment, &tables)
    }
    guard let config = it.config, let action = it.action else { return }
    emit(
      .configuration(
        .init(
          config: config, isRemoved: action == .removed, role: it.role, mainMode: it.mainMode,
          subMode: it.subMode)), moment, &tables)
  }

  private mutating func enabled(
    _ it: LESoundingEvent.Procedures, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard it.status == 0 else {
      return failed(.procedures, it.status, config: it.config, moment, &tables)
    }
    guard let link = moment.link, let config = it.config, let isOn = it.isOn else { return }
    let key = Key(link: link, config: config)
    let before = procedures.removeValue(forKey: key)
    if isOn {
      procedures[key] = Procedures()
      emit(
        .procedures(.init(config: config, interval: it.interval, count: it.count)), moment, &tables)
    } else {
      emit(
        .ended(
          .init(config: config, completed: before?.completed ?? 0, aborted: before?.aborted ?? 0)),
        moment, &tables)
    }
  }

  /// Reports the first abort of each kind; a procedure is repeated many times a second.
  private mutating func result(
    _ it: LESoundingEvent.Result, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    let key = Key(link: link, config: it.config)
    var state = procedures[key] ?? Procedures()
    if it.isProcedureComplete { state.completed += 1 }
    if it.isProcedureAborted { state.aborted += 1 }
    let reason = UInt16(it.procedureAbort) << 8 | UInt16(it.subeventAbort)
    let isNew =
      (it.isProcedureAborted || it.isSubeventAborted) && state.reasons.insert(reason).inserted
    procedures[key] = state
    guard isNew else { return }
    let aborted = SoundingEvent.Aborted(
      config: it.config, counter: it.counter, isProcedure: it.isProcedureAborted,
      procedureReason: it.procedureAbort, subeventReason: it.subeventAbort)
    tables.emit(
      .link(.sounding(.aborted(aborted))), moment, severity: aborted.isRequested ? .info : .warning)
  }

  mutating func end(_ link: LinkID) {
    if !procedures.isEmpty { procedures = procedures.filter { $0.key.link != link } }
  }
}
