#if os(Linux)
  import CLinux
  import HarkPlatform

  extension Sandbox {
    /// What this process is refused, as trying it shows.
    public static var state: State {
      var state = State()
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      state.hasFilter = descriptor < 0 && errno == EPERM
      if descriptor >= 0 { close(descriptor) }
      let folder = unsafe open("/etc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if folder < 0, errno == EACCES { state.landlock = Int(linux_landlock_version()) }
      if folder >= 0 { close(folder) }
      return state
    }

    /// Refuses dangerous system calls.
    /// - Parameters:
    ///   - startsPrograms: Whether other programs may still be started.
    ///   - allThreads: Not of this thread alone.
    /// - Returns: Whether the kernel does.
    @discardableResult
    public static func refuseCalls(
      _ network: Network = .none, startsPrograms: Bool = false, allThreads: Bool = true
    ) -> Bool {
      guard !isOff, linux_prctl(PR_SET_NO_NEW_PRIVS, 1) == 0 else { return false }
      var may: UInt32 = startsPrograms ? LINUX_MAY_START_PROGRAMS : 0
      switch network {
      case .none: break
      case .serving: may |= LINUX_MAY_USE_STREAMS
      case .connecting: may |= LINUX_MAY_CONNECT
      }
      return linux_forbid(may, allThreads) == 0
    }

    /// Refuses reading files and folders but those below `paths` and those of the system's libraries, and
    /// running programs; for this thread and those it starts.
    /// - Parameters:
    ///   - lists: The names in the folders of these may be read.
    ///   - connects: Whether TCP connections may still be made.
    /// - Returns: The kernel's version of Landlock; 0 if it has none.
    @discardableResult
    public static func refuseReading(
      but paths: [String], lists: [String] = [], connects: Bool = false,
      temporary: String = temporaryFolder
    ) -> Int {
      restrict(
        LINUX_FILE_READ | LINUX_FOLDER_LIST | LINUX_FILE_EXECUTE, connects: connects
      ) { rules in
        for path in paths + systemPaths { rules.allow(path, LINUX_FILE_READ | LINUX_FOLDER_LIST) }
        for path in lists { rules.allow(written(path), LINUX_FOLDER_LIST) }
        rules.allow(temporary, LINUX_FILE_READ)
      }
    }

    /// Refuses changing files and folders but in the folders of `paths`, whose files are replaced as a whole, and
    /// in that of temporary files; for this thread and those it starts.
    /// - Parameter files: Files that are there and are written to where they are. They may be removed.
    /// - Returns: The kernel's version of Landlock; 0 if it has none.
    @discardableResult
    public static func refuseWriting(
      but paths: [String], files written: [String] = [], temporary: String = temporaryFolder
    ) -> Int {
      let files = LINUX_FILE_WRITE | LINUX_FILE_TRUNCATE
      let folders = files | LINUX_FOLDER_MAKE_FILE | LINUX_FOLDER_REMOVE_FILE
      return restrict(folders | everyOtherChange, connects: true) { rules in
        for path in paths where OutputTarget.openFile(path) == nil {
          rules.allow(
            Self.written(path), folders | LINUX_FOLDER_MAKE_FOLDER | LINUX_FOLDER_MAKE_SOCKET)
        }
        for path in written {
          rules.allow(path, files)
          rules.allow(FileTarget.folder(of: path), LINUX_FOLDER_REMOVE_FILE)
        }
        rules.allow(temporary, folders)
      }
    }

    /// What changes where something is written to `path`: a FIFO, device or folder itself, otherwise the folder it is in.
    private static func written(_ path: String) -> String {
      var status = stat()
      if unsafe stat(path, &status) == 0,
        FileTarget.isStream(status) || status.st_mode & S_IFMT == S_IFDIR
      {
        return path
      }
      return FileTarget.folder(of: path)
    }

    /// Folders and special files made and removed.
    private static let everyOtherChange: UInt64 =
      LINUX_FOLDER_MAKE_FOLDER | 1 << 4 | 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12

    /// Libraries and their tables, also those that the C library loads when they are needed: encodings,
    /// time zones, names of machines.
    private static var systemPaths: [String] {
      [
        "/usr", "/lib", "/lib64", "/nix/store", "/etc/localtime", "/etc/ld.so.cache", "/etc/hosts",
        "/etc/host.conf", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
        "/etc/services",
        "/dev/null", "/proc/self/cgroup",
      ] + [Environment.value("TZDIR")].compactMap { $0 }
    }

    /// Rules on their way into force.
    private struct Rules {
      let descriptor: Int32
      /// What is refused unless it is allowed.
      let handled: UInt64

      /// A file that is not there is not allowed, nor refused: it cannot be opened.
      func allow(_ path: String, _ rights: UInt64) {
        _ = unsafe linux_landlock_allow(descriptor, path, rights & handled)
      }
    }

    private static func restrict(
      _ rights: UInt64, connects: Bool, _ add: (Rules) -> Void
    ) -> Int {
      let version = linux_landlock_version()
      guard !isOff, version > 0, linux_prctl(PR_SET_NO_NEW_PRIVS, 1) == 0 else { return 0 }
      var ruleset = linux_landlock_ruleset(files: rights, network: 0, scopes: 0)
      if version < 3 { ruleset.files &= ~LINUX_FILE_TRUNCATE }
      if version >= 4, !connects { ruleset.network = 2 }
      let descriptor = linux_landlock_create(ruleset)
      guard descriptor >= 0 else { return 0 }
      defer { close(descriptor) }
      add(Rules(descriptor: descriptor, handled: ruleset.files))
      return linux_landlock_restrict(descriptor) == 0 ? Int(version) : 0
    }
  }
#endif
