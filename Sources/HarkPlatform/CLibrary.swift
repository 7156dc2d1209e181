// The C library, under one name on every platform: no other module imports it.
#if canImport(Darwin)
  @_exported import Darwin
#else
  @_exported import Glibc
#endif

/// What Linux and macOS name or do differently.
public enum Platform {}
