extension Catalog {
  /// The one list of protocols.
  public static let builtIn = Catalog([
    Entry(HCICommand.self),
    Entry(HCIEvent.self),
    Entry(HCIACL.self),
    Entry(HCISynchronousData.self),
    Entry(HCIISOData.self),
    Entry(L2CAP.self),
    Entry(ATT.self),
  ])
}
