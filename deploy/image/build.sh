#!/bin/sh
# Builds the image where no registry of images can be reached: runs the Dockerfile on a Debian that this script makes, with
# npm's Node. As root on Debian, with mmdebstrap, buildah and npm, in a checkout after `npm ci`; for this machine's kind of
# processor.
#
#   deploy/image/build.sh NAME [options of buildah build]
set -eu

source=$(cd "$(dirname "$0")/../.." && pwd)
name=${1:?"usage: deploy/image/build.sh NAME [options of buildah build]"}
shift
base=localhost/openshelf-build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A driver without kernel support, and no namespaces, so that this also works in a container.
export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}" BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}"

if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  mmdebstrap --variant=minbase --include=ca-certificates,libatomic1 bookworm "$work/debian"
  mkdir -p "$work/debian/usr/local/lib/node_modules"
  cp "$source"/node_modules/node-linux-*/bin/node "$work/debian/usr/local/bin/node"
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  cp -R "$npm" "$work/debian/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/debian/usr/local/bin/npm"
  # Behind a proxy that decrypts https, a machine trusts an additional certificate authority.
  cp -L /etc/ssl/certs/ca-certificates.crt "$work/debian/etc/ssl/certs/ca-certificates.crt"
  made=$(buildah from scratch)
  buildah add --quiet "$made" "$work/debian" /
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$made"
  buildah commit --quiet --rm "$made" "$base"
fi
buildah build --format docker --build-arg "NODE_IMAGE=$base" \
  --file "$source/deploy/Dockerfile" --ignorefile "$source/deploy/Dockerfile.dockerignore" \
  --tag "$name" "$@" "$source"
