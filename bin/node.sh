#!/bin/sh
# Replaces this shell by the project's Node, for npm scripts: npm passes SIGTERM and SIGINT to the process that it started, and
# a shell in between would end without the service. Where that Node does not start, npm's own takes over if it is new enough;
# in an older one, the launcher explains what this system lacks.
if node --version >/dev/null 2>&1; then exec node "$@"; fi
"${npm_node_execpath:-node}" bin/openshelf.js --version >/dev/null || exit
exec "$npm_node_execpath" "$@"
