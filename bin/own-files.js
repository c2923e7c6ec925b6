// Files of the program name each other by whole relative paths, so nothing has to be looked for: no links, no folders above, no
// package.json for each of 560 files. That was a quarter of the start. Plain JavaScript, for the launcher and for threads.

import * as nodeModule from 'node:module';

/** `entry`: the address of a file of the program; `folder`: that of all of them, with a slash at its end. */
export function resolveOwnFiles(entry, folder) {
  if (nodeModule.registerHooks === undefined) return;
  const ending = entry.slice(entry.lastIndexOf('.'));
  const format = ending === '.ts' ? 'module-typescript' : 'module';
  const isOwn = (specifier, parent) =>
    specifier.startsWith('.') && specifier.endsWith(ending) && String(parent).startsWith(folder);
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      isOwn(specifier, context.parentURL)
        ? { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true }
        : next(specifier, context),
  });
}
