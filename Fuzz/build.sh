#!/bin/sh
# Builds fuzz targets: Fuzz/build.sh [--fast] FuzzCapture ... (not through swift build, which cannot link
# libFuzzer's own main). With --fast they are made to read their input once, without the laws and without
# AddressSanitizer.
#
# Both forms share the objects in .build-fuzz/fast, as most modules are memory-safe Swift. Only modules that hold
# much unsafe code (GUARDED) are compiled again, with AddressSanitizer.
set -eu
cd "$(dirname "$0")/.."
shared=.build-fuzz/fast
out=.build-fuzz
GUARDED="HarkCore HarkCapture HarkCrypto HarkLayout"
sanitize=fuzzer,address
if [ "${1:-}" = --fast ]; then
  shift
  out=$shared
  GUARDED=
  sanitize="fuzzer -D FAST"
fi
mkdir -p "$shared"
flags="-O -gline-tables-only -wmo -swift-version 6 -parse-as-library -package-name hark
  -enable-experimental-feature Lifetimes -use-ld=lld -I $shared -I Sources/CPlatform -I Sources/CLinux -I Sources/CZlib -I Sources/CSodium -I Sources/CYaml"
# The modules that are current, and the objects of a target.
built=
objects=
packages=

# The modules that a module is made with.
before() {
  case $1 in
  HarkCore | HarkPlatform) ;;
  HarkDissection) echo HarkCore ;;
  HarkCapture | HarkCrypto) echo HarkCore HarkPlatform ;;
  HarkLayout | HarkFilter) echo HarkCore HarkPlatform HarkDissection ;;
  HarkSession) echo HarkCore HarkCapture HarkDissection HarkCrypto ;;
  HarkProfile) echo HarkSession HarkLayout ;;
  HarkSelection) echo HarkSession HarkFilter ;;
  HarkPresentation) echo HarkSelection ;;
  HarkAppLog) echo HarkProfile ;;
  HarkFindings) echo HarkPresentation ;;
  *) echo "$built" ;;
  esac
}

# compile OBJECT MODULE ARGUMENTS...: unless the object is newer than the module's sources, this script and the
# modules before it.
compile() {
  object=$1
  name=$2
  shift 2
  if [ -f "$object" ] && [ -z "$(find "Sources/$name" Fuzz/build.sh -newer "$object" -print -quit)" ]; then
    is_current=1
    for earlier in $(before "$name"); do
      [ ! "$shared/$earlier.o" -nt "$object" ] || is_current=
    done
    [ -z "$is_current" ] || return 0
  fi
  testing=
  # Its target chooses what is personal.
  [ "$name" != HarkRedact ] || testing=-enable-testing
  # shellcheck disable=SC2046,SC2086
  swiftc $flags $testing "$@" -module-name "$name" -c $(find "Sources/$name" -name '*.swift') -o "$object"
}

# module NAME...: compiles each once, however many targets need it, and adds it to `objects`.
module() {
  for module; do
    case " $built " in
    *" $module "*) ;;
    *)
      compile "$shared/$module.o" "$module" -sanitize=fuzzer \
        -emit-module -emit-module-path "$shared/$module.swiftmodule"
      case " $GUARDED " in
      *" $module "*) compile "$out/$module.o" "$module" -sanitize=fuzzer,address ;;
      esac
      built="$built $module"
      ;;
    esac
    case " $GUARDED " in
    *" $module "*) objects="$objects $out/$module.o" ;;
    *) objects="$objects $shared/$module.o" ;;
    esac
  done
}

# swift-crypto, as swift build compiles it; not instrumented. Names of its objects hold blanks, so that
# they are listed in quotes, in a response file.
crypto() {
  [ -z "$packages" ] || return 0
  packages=.build-fuzz/packages
  [ -f "$packages/release/Modules/CryptoExtras.swiftmodule" ] ||
    swift build -c release --scratch-path "$packages" --target CryptoExtras
  flags="$flags -I $packages/release/Modules"
  find "$packages/release/" -name '*.o' \( -path '*/Crypto*.build/*' -o -path '*/CCrypto*.build/*' \
    -o -path '*/CXKCP*.build/*' -o -path '*/SwiftASN1.build/*' \) | sed 's/.*/"&"/' \
    >"$shared/crypto.rsp"
}

# The laws, and what they take from the tests.
laws() {
  laws="Tests/HarkLaws/Laws.swift $shared/HarkTestSupport.o"
  [ ! "$shared/HarkTestSupport.o" -nt Tests/HarkTestSupport/DailyPart.swift ] || return 0
  # shellcheck disable=SC2086
  swiftc $flags -sanitize=fuzzer -module-name HarkTestSupport -emit-module \
    -emit-module-path "$shared/HarkTestSupport.swiftmodule" \
    -c Tests/HarkTestSupport/DailyPart.swift -o "$shared/HarkTestSupport.o"
}

# link TARGET SOURCES... ARGUMENTS...
link() {
  target=$1
  shift
  # shellcheck disable=SC2086
  swiftc $flags -sanitize=$sanitize -module-name "$target" "Fuzz/$target.swift" "$@" $objects -o "$out/$target"
}

for target; do
  objects=
  case $target in
  FuzzCapture | FuzzStream)
    module HarkPlatform HarkCore HarkCapture
    link "$target" -lz
    ;;
  FuzzZip)
    module HarkPlatform HarkCore HarkCapture
    link "$target" Fuzz/Input.swift -lz
    ;;
  FuzzDissect)
    module HarkCore HarkDissection
    laws
    # shellcheck disable=SC2086
    link "$target" $laws
    ;;
  FuzzFilter)
    module HarkCore HarkDissection HarkFilter
    link "$target" Fuzz/Input.swift
    ;;
  FuzzKeyFile)
    crypto
    module HarkPlatform HarkCore HarkCrypto
    link "$target" Fuzz/Input.swift "@$shared/crypto.rsp" -lsodium
    ;;
  FuzzAccessory | FuzzAppLog | FuzzSession | FuzzLayout | FuzzLayoutData | FuzzProfile | FuzzProfileValues | FuzzGuess | FuzzRedact)
    crypto
    module HarkPlatform HarkCore HarkCapture HarkDissection HarkLayout HarkCrypto HarkSession HarkProfile
    [ "$target" != FuzzSession ] || module HarkFilter HarkSelection HarkPresentation HarkFindings
    [ "$target" != FuzzAppLog ] || module HarkAppLog
    [ "$target" != FuzzRedact ] ||
      module HarkFilter HarkSelection HarkPresentation HarkAppLog HarkFindings HarkRedact
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
    link "$target" Fuzz/Input.swift $more "@$shared/crypto.rsp" -lz -lsodium -lyaml
    ;;
  *)
    echo "build.sh: no target $target" >&2
    exit 1
    ;;
  esac
done
