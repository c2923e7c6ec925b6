#!/bin/sh
# The steps of an installation without Docker: make the package, install it into an empty folder, start it as a service is
# started, ask for health, stop it with the signal that a service gets. Also run by tests/packaging/deploy.test.ts. Needs a
# checkout after `npm ci`, node and npm.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pid=
trap 'if [ -n "$pid" ]; then kill -9 "$pid" 2>/dev/null || true; fi; chmod -R u+w "$work"; rm -rf "$work"' EXIT

cd "$here/.."
npm run --silent package -- --silent --pack-destination "$work"
# On a machine without a Node that is new enough, npm installs it.
if node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)'; then
  set -- --omit=optional
fi
npm install --global --prefix "$work/app" --no-audit --no-fund --ignore-scripts "$@" "$work"/openshelf-*.tgz
cp "$here/healthy.js" "$work/app/healthy.js"
# As in a container with a read-only root.
chmod -R a-w "$work/app"
mkdir "$work/data"

export NODE_ENV=production OPENSHELF_DATA="$work/data" NODE_COMPILE_CACHE="$work/compile-cache"
export HOST=127.0.0.1
cd "$work/app"
PORT=0 bin/openshelf serve --json >"$work/out" 2>"$work/err" &
pid=$!

tries=0
until [ -s "$work/out" ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 150 ] || ! kill -0 "$pid" 2>/dev/null; then
    cat "$work/err" >&2
    echo 'openshelf did not start' >&2
    exit 1
  fi
  sleep 0.2
done
PORT=$(sed -n 's/.*"url":"[^"]*:\([0-9]*\)".*/\1/p' "$work/out")
export PORT
# As during the start of a container, which is asked again: it says in 3 s what a busy machine may take longer for.
for what in livez readyz; do
  tries=0
  until node healthy.js "$what"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 10 ] || ! kill -0 "$pid" 2>/dev/null; then exit 1; fi
    sleep 1
  done
done
kill -TERM "$pid"
wait "$pid"
pid=
if node healthy.js livez 2>/dev/null; then
  echo 'openshelf still answers after SIGTERM' >&2
  exit 1
fi
test -f "$work/data/openshelf.db"
echo 'installed, started, healthy, stopped'
