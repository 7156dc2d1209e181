#!/bin/sh
# Builds and signs the executables: clang, rust-lld (LLD that links Mach-O), and ldid of
# github.com/ProcursusTeam/ldid, which have to be in PATH.
set -e
cd "$(dirname "$0")"
clang -target x86_64-apple-macos13 -c main.c -o main.o
link() { rust-lld -flavor darwin -arch x86_64 -platform_version macos 13.0 13.0 main.o System.tbd "$@"; }
link ExternalAccessory.tbd AudioAccessoryKit.tbd -o ../Tandem.app/Tandem
link -weak_library AudioAccessoryKit.tbd -o ../Tandem.app/PlugIns/Security.appex/Security
ldid -STandem.entitlements ../Tandem.app/Tandem
ldid -SSecurity.entitlements ../Tandem.app/PlugIns/Security.appex/Security
rm main.o
