#!/bin/sh
# The steps of the image without Docker: install into an empty folder, start as the image starts, ask for health,
# stop with the image's signal. Also run by tests/packaging/deploy.test.ts. Needs node and npm.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pid=
trap 'if [ -n "$pid" ]; then kill -9 "$pid" 2>/dev/null || true; fi; chmod -R u+w "$work"; rm -rf "$work"' EXIT

# The base image has a Node that is new enough. On a machine without one, npm installs it.
if node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)'; then
  set -- --omit=optional
else
  set --
fi
sh "$here/install.sh" "$work/app" "$@"
cp "$here/healthy.js" "$work/app/healthy.js"
# As in a container with a read-only root.
chmod -R a-w "$work/app"
mkdir "$work/data"

roles=
if node "$work/app/bin/openshelf.js" serve --help | grep -q -e --role; then roles='--role api,indexer'; fi
export NODE_ENV=production OPENSHELF_DATA="$work/data" NODE_COMPILE_CACHE="$work/compile-cache"
export HOST=127.0.0.1
cd "$work/app"
# shellcheck disable=SC2086 -- two words
PORT=0 node bin/openshelf.js serve $roles --json >"$work/out" 2>"$work/err" &
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
