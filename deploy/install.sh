#!/bin/sh
# Copies the part of a checkout that runs into an empty folder and installs the packages it needs: the content of the
# image, and an installation for a server without containers. `deploy/check.sh` runs it. Needs node and npm.
#
#   deploy/install.sh TARGET [options of npm ci, e.g. --omit=optional where Node 24 or newer is installed]
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
target=${1:?"usage: deploy/install.sh TARGET [options of npm ci]"}
shift

mkdir -p "$target"
if [ -n "$(ls -A "$target")" ]; then
  echo "$target is not empty" >&2
  exit 1
fi
cp "$source/package.json" "$source/package-lock.json" "$source/.npmrc" "$source/LICENSE" "$target/"
cp -R "$source/assets" "$source/bin" "$source/console" "$source/sandbox" "$source/src" "$target/"
cd "$target"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund "$@"
