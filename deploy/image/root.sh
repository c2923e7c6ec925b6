#!/bin/sh
# Lays out the root of the image in an empty folder: Node with the libraries that it is linked to, the packaged openshelf, and
# nothing else, not even a shell. The Dockerfile runs it in a checkout whose packages are installed, on Debian with libatomic1
# and binutils.
#
#   deploy/image/root.sh ROOT
set -eu

source=$(cd "$(dirname "$0")/../.." && pwd)
root=${1:?"usage: deploy/image/root.sh ROOT"}
mkdir -p "$root/app/node_modules" "$root/data" "$root/etc" "$root/tmp" "$root/usr/bin"
root=$(cd "$root" && pwd)
cd "$source"

# npm's package of Node also has 62 MB of headers, and a fifth of the program is for debuggers.
node=$(ls -d node_modules/node-linux-*/bin/node)
strip -o "$root/usr/bin/node" "$node"
chmod 755 "$root/usr/bin/node"
# ldd names each library with its path, and the linker itself.
for library in $(ldd "$node" | grep -o '/[^ ]*'); do
  cp -L --parents "$library" "$root"
done
for package in libc6 libstdc++6 libgcc-s1 gcc-12-base gcc-14-base libatomic1; do
  if [ -e "/usr/share/doc/$package/copyright" ]; then cp -L --parents "/usr/share/doc/$package/copyright" "$root"; fi
done

npm run --silent package -- --silent --pack-destination "$root/tmp"
tar -xzf "$root"/tmp/openshelf-*.tgz -C "$root/app/node_modules"
rm "$root"/tmp/openshelf-*.tgz
mv "$root/app/node_modules/package" "$root/app/node_modules/openshelf"
# The dependencies that npm would install with the package, in the locked versions.
manifest="$root/app/node_modules/openshelf/package.json"
for name in $("$node" -p "Object.keys(require('$manifest').dependencies).join(' ')"); do
  cp -R "node_modules/$name" "$root/app/node_modules/"
done
# Remove documents, and the builds for other loaders than this Node's.
app="$root/app/node_modules"
rm -rf "$app/openshelf/docs" "$app/openshelf/extension" "$app/tldts/src" "$app/tldts/dist/types" "$app/tldts/dist/es6" \
  "$app/tldts/dist/cjs/src"
find "$app" \( -name '*.map' -o -name '*.md' -o -name 'index.[cu]*' -o -name 'uPlot.[ec]*.js' \
  -o -name 'uPlot.iife.js' \) -delete
cp deploy/image/openshelf.js deploy/image/warm.js deploy/healthy.js "$root/app/"
echo '{ "type": "module" }' >"$root/app/package.json"
chmod 755 "$root/app/openshelf.js"
ln -s /app/openshelf.js "$root/usr/bin/openshelf"

echo 'root:x:0:0:root:/:/sbin/nologin' >"$root/etc/passwd"
echo 'openshelf:x:1000:1000:openshelf:/data:/sbin/nologin' >>"$root/etc/passwd"
printf 'root:x:0:\nopenshelf:x:1000:\n' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
chmod -R u=rwX,go=rX "$root"
# Any user that the container runs as can write here, and nowhere else.
chmod 1777 "$root/tmp" "$root/data"
