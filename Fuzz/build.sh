#!/bin/sh
# Builds fuzz targets: Fuzz/build.sh [--fast] FuzzCapture ... (not through swift build, which cannot link
# libFuzzer's own main). With --fast they are made to read their input once, without the laws and without
# AddressSanitizer.
set -eu
cd "$(dirname "$0")/.."
out=.build-fuzz
sanitize=fuzzer,address
if [ "${1:-}" = --fast ]; then
  shift
  out=.build-fuzz/fast
  sanitize="fuzzer -D FAST"
fi
mkdir -p "$out"
flags="-O -g -wmo -swift-version 6 -parse-as-library -package-name hark
  -enable-experimental-feature Lifetimes -sanitize=$sanitize -use-ld=lld -I $out -I Sources/CZlib -I Sources/CSodium -I Sources/CYaml"
built=
packages=

# Whether the object of a module is newer than its sources, this script and the modules before it.
current() {
  [ -f "$out/$1.o" ] || return 1
  [ -z "$(find "Sources/$1" Fuzz/build.sh -newer "$out/$1.o" -print -quit)" ] || return 1
  for before in $built; do
    [ ! "$out/$before.o" -nt "$out/$1.o" ] || return 1
  done
}

# Each module once, however many targets need it.
module() {
  case " $built " in *" $1 "*) return ;; esac
  testing=
  # Its target chooses what is personal.
  [ "$1" != HarkRedact ] || testing=-enable-testing
  current "$1" || swiftc $flags $testing -module-name "$1" -emit-module -emit-module-path "$out/$1.swiftmodule" \
    -c $(find "Sources/$1" -name '*.swift') -o "$out/$1.o"
  built="$built $1"
}

# swift-crypto, as swift build compiles it; not instrumented. Names of its objects hold blanks, so that
# they are listed in quotes, in a response file.
crypto() {
  [ -z "$packages" ] || return 0
  packages=.build-fuzz/packages
  swift build -c release --scratch-path "$packages" --target CryptoExtras
  flags="$flags -I $packages/release/Modules"
  find "$packages/release/" -name '*.o' \( -path '*/Crypto*.build/*' -o -path '*/CCrypto*.build/*' \
    -o -path '*/CXKCP*.build/*' -o -path '*/SwiftASN1.build/*' \) | sed 's/.*/"&"/' \
    >"$out/crypto.rsp"
}

# The laws, and what they take from the tests.
laws() {
  laws="Tests/HarkLaws/Laws.swift $out/HarkTestSupport.o"
  case " $built " in *" HarkTestSupport "*) return ;; esac
  swiftc $flags -module-name HarkTestSupport -emit-module -emit-module-path "$out/HarkTestSupport.swiftmodule" \
    -c Tests/HarkTestSupport/DailyPart.swift -o "$out/HarkTestSupport.o"
  built="$built HarkTestSupport"
}

# link TARGET SOURCES... ARGUMENTS...
link() {
  target=$1
  shift
  swiftc $flags -module-name "$target" "Fuzz/$target.swift" "$@" -o "$out/$target"
}

for target; do
  case $target in
  FuzzCapture | FuzzStream)
    module HarkCore
    module HarkCapture
    link "$target" "$out/HarkCore.o" "$out/HarkCapture.o" -lz
    ;;
  FuzzZip)
    module HarkCore
    module HarkCapture
    link "$target" Fuzz/Input.swift "$out/HarkCore.o" "$out/HarkCapture.o" -lz
    ;;
  FuzzDissect)
    module HarkCore
    module HarkDissection
    laws
    link "$target" $laws "$out/HarkCore.o" "$out/HarkDissection.o"
    ;;
  FuzzFilter)
    module HarkCore
    module HarkDissection
    module HarkFilter
    link "$target" Fuzz/Input.swift "$out/HarkCore.o" "$out/HarkDissection.o" "$out/HarkFilter.o"
    ;;
  FuzzKeyFile)
    crypto
    module HarkCore
    module HarkCrypto
    link "$target" Fuzz/Input.swift "$out/HarkCore.o" "$out/HarkCrypto.o" "@$out/crypto.rsp" \
      -lsodium
    ;;
  FuzzAccessory | FuzzAppLog | FuzzSession | FuzzLayout | FuzzLayoutData | FuzzProfile | FuzzProfileValues | FuzzGuess | FuzzRedact)
    crypto
    objects=
    names="HarkCore HarkCapture HarkDissection HarkLayout HarkCrypto HarkSession HarkProfile"
    [ "$target" != FuzzSession ] || names="$names HarkFilter HarkPresentation"
    [ "$target" != FuzzAppLog ] || names="$names HarkAppLog"
    [ "$target" != FuzzRedact ] || names="$names HarkFilter HarkPresentation HarkAppLog HarkFindings HarkRedact"
    for name in $names; do
      module "$name"
      objects="$objects $out/$name.o"
    done
    case $target in
    FuzzAccessory) more=Fuzz/AccessoryChecks.swift ;;
    FuzzLayoutData)
      laws
      more="Fuzz/Files.swift $laws"
      ;;
    FuzzLayout | FuzzGuess) more=Fuzz/Files.swift ;;
    FuzzProfile*) more="Fuzz/Files.swift Fuzz/AccessoryChecks.swift" ;;
    *) more= ;;
    esac
    # shellcheck disable=SC2086
    link "$target" Fuzz/Input.swift $more $objects "@$out/crypto.rsp" -lz -lsodium -lyaml
    ;;
  *)
    echo "build.sh: no target $target" >&2
    exit 1
    ;;
  esac
done
