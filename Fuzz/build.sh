#!/bin/sh
# Builds fuzz targets: Fuzz/build.sh FuzzCapture ... (not through swift build, which cannot link
# libFuzzer's own main).
set -eu
cd "$(dirname "$0")/.."
out=.build-fuzz
mkdir -p "$out"
flags="-O -g -wmo -swift-version 6 -parse-as-library -package-name hark
  -enable-experimental-feature Lifetimes -sanitize=fuzzer,address -use-ld=lld -I $out -I Sources/CZlib -I Sources/CSodium -I Sources/CYaml"
built=
packages=

# Each module once, however many targets need it.
module() {
  case " $built " in *" $1 "*) return ;; esac
  swiftc $flags -module-name "$1" -emit-module -emit-module-path "$out/$1.swiftmodule" \
    -c $(find "Sources/$1" -name '*.swift') -o "$out/$1.o"
  built="$built $1"
}

# swift-crypto, as swift build compiles it; not instrumented. Names of its objects hold blanks, so that
# they are listed in quotes, in a response file.
crypto() {
  [ -z "$packages" ] || return 0
  packages=$out/packages
  swift build -c release --scratch-path "$packages" --target CryptoExtras
  flags="$flags -I $packages/release/Modules"
  find "$packages/release/" -name '*.o' \( -path '*/Crypto*.build/*' -o -path '*/CCrypto*.build/*' \
    -o -path '*/CXKCP*.build/*' -o -path '*/SwiftASN1.build/*' \) | sed 's/.*/"&"/' \
    >"$out/crypto.rsp"
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
  FuzzDissect)
    module HarkCore
    module HarkDissection
    link "$target" Tests/HarkLaws/Laws.swift "$out/HarkCore.o" "$out/HarkDissection.o"
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
  FuzzAccessory | FuzzSession | FuzzLayout | FuzzLayoutData | FuzzProfile | FuzzProfileValues | FuzzGuess)
    crypto
    objects=
    names="HarkCore HarkCapture HarkDissection HarkLayout HarkCrypto HarkSession HarkProfile"
    [ "$target" != FuzzSession ] || names="$names HarkFilter HarkPresentation"
    for name in $names; do
      module "$name"
      objects="$objects $out/$name.o"
    done
    case $target in
    FuzzAccessory) more=Fuzz/AccessoryChecks.swift ;;
    FuzzLayoutData) more="Fuzz/Files.swift Tests/HarkLaws/Laws.swift" ;;
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
