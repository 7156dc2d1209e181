#!/bin/sh
# Builds fuzz targets, by default all: Fuzz/build.sh [FuzzCapture] [FuzzDissect]
# (not through swift build, which cannot link libFuzzer's own main).
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- FuzzCapture FuzzDissect
out=.build-fuzz
mkdir -p "$out"
flags="-O -g -wmo -swift-version 6 -parse-as-library -enable-experimental-feature Lifetimes
  -sanitize=fuzzer,address -use-ld=lld -I $out -I Sources/CZlib"
built=

# Each module once, however many targets need it.
module() {
  case " $built " in *" $1 "*) return ;; esac
  swiftc $flags -module-name "$1" -emit-module -emit-module-path "$out/$1.swiftmodule" \
    -c $(find "Sources/$1" -name '*.swift') -o "$out/$1.o"
  built="$built $1"
}

for target; do
  case $target in
  FuzzCapture)
    module HarkCore
    module HarkCapture
    swiftc $flags -module-name "$target" "Fuzz/$target.swift" \
      "$out/HarkCore.o" "$out/HarkCapture.o" -lz -o "$out/$target"
    ;;
  FuzzDissect)
    module HarkCore
    module HarkDissection
    swiftc $flags -module-name "$target" "Fuzz/$target.swift" Tests/HarkLaws/Laws.swift \
      "$out/HarkCore.o" "$out/HarkDissection.o" -o "$out/$target"
    ;;
  *)
    echo "build.sh: no target $target" >&2
    exit 1
    ;;
  esac
done
