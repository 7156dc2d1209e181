# A Homebrew formula, for a tap: copy it to Formula/hark.rb there, and fill in OWNER and the checksum of the sources.
#
# Not run yet: this formula was written without a Mac. hark records a machine's traffic only on Linux; on a Mac, it reads
# captures from PacketLogger, and the traffic of an iPhone with `hark live phone` (idevicebtlogger).
class Hark < Formula
  desc "Packet capture and protocol analyzer for Bluetooth accessories"
  homepage "https://github.com/OWNER/hark"
  url "https://github.com/OWNER/hark/archive/refs/tags/v1.0.0.tar.gz"
  sha256 "SHA256-OF-THE-SOURCES"
  license "Apache-2.0"
  head "https://github.com/OWNER/hark.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "libsodium"
  depends_on "libyaml"
  depends_on macos: :tahoe
  depends_on :macos

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "hark", "-Xswiftc", "-gnone"
    bin.install ".build/release/hark"
    system "Tools/man-pages", bin/"hark", man1
    generate_completions_from_executable(bin/"hark", "--generate-completion-script")
    doc.install "README.md", "CHANGELOG.md", "docs"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hark --version")
    # btsnoop with one HCI_Reset.
    header = "btsnoop\0" + [1, 1002].pack("N2")
    record = [4, 4, 2, 0].pack("N4") + [0x00E03AB44A676000].pack("Q>") + [1, 3, 0x0C, 0].pack("C4")
    (testpath/"a.btsnoop").binwrite(header + record)
    assert_match "HCI_Reset", shell_output("#{bin}/hark packets a.btsnoop")
  end
end
