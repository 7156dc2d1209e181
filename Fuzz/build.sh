#!/bin/sh
# Builds one fuzz target from the dependency-free modules: Fuzz/build.sh FuzzCapture
# (not through swift build, which cannot link libFuzzer's own main).
set -eu
target=$1
cd "$(dirname "$0")/.."
out=.build-fuzz
mkdir -p "$out"
flags="-O -g -wmo -swift-version 6 -parse-as-library -enable-experimental-feature Lifetimes
  -sanitize=fuzzer,address -use-ld=lld -I $out"

module() {
  swiftc $flags -I Sources/CZlib -module-name "$1" -emit-module \
    -emit-module-path "$out/$1.swiftmodule" -c Sources/"$1"/*.swift -o "$out/$1.o"
}

module HarkCore
module HarkCapture
swiftc $flags -I Sources/CZlib Fuzz/"$target".swift "$out"/*.o -lz -o "$out/$target"
