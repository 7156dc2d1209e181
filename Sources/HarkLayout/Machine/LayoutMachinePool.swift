import Synchronization

/// Idle machines of one layout, each with the memory it keeps from one run to the next.
/// Several may run at a time.
public final class LayoutMachinePool: Sendable {
  /// Belongs to the caller that took it until it is given back.
  public final class Machine: @unchecked Sendable {
    public var machine: LayoutMachine
    /// What it found, for who puts that in another order.
    package var story = LayoutStory()

    init(_ layout: Layout, _ budget: LayoutMachine.Budget) {
      machine = LayoutMachine(layout, budget: budget)
    }
  }

  private let layout: Layout
  private let budget: LayoutMachine.Budget
  private let idle = Mutex<[Machine]>([])

  public init(_ layout: Layout, budget: LayoutMachine.Budget = .init()) {
    (self.layout, self.budget) = (layout, budget)
  }

  public func take() -> Machine { idle.withLock { $0.popLast() } ?? Machine(layout, budget) }

  public func giveBack(_ machine: Machine) { idle.withLock { $0.append(machine) } }
}
