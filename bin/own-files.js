// Files of the program name each other by whole relative paths, so nothing has to be looked for: no links, no folders above, no
// package.json for each of 560 files. That was a quarter of the start. So do files within the two packages that have the most of
// them. Plain JavaScript, for the launcher and for threads.

import * as nodeModule from 'node:module';

/** Below it every `.js` is a module, but for the folder `cjs`. */
const IN_PACKAGE = /^(.*\/node_modules\/(?:hono|zod)\/)(?!.*\/cjs\/).*\.js$/;

/** Messages of zod in 49 languages, of which nobody is answered in another than English. */
const ALL_LANGUAGES = /(\/zod\/v4\/locales\/)index\.js$/;

/** `entry`: the address of a file of the program; `folder`: that of all of them, with a slash at its end. */
export function resolveOwnFiles(entry, folder) {
  if (nodeModule.registerHooks === undefined) return;
  const ending = entry.slice(entry.lastIndexOf('.'));
  const format = ending === '.ts' ? 'module-typescript' : 'module';
  const known = (specifier, parent) => {
    if (!specifier.startsWith('.')) return null;
    if (specifier.endsWith(ending) && parent.startsWith(folder))
      return { url: addressOf(specifier, parent), format, shortCircuit: true };
    const found = specifier.endsWith('.js') ? IN_PACKAGE.exec(parent) : null;
    if (found === null) return null;
    const url = addressOf(specifier, parent);
    if (IN_PACKAGE.exec(url)?.[1] !== found[1]) return null;
    return { url: url.replace(ALL_LANGUAGES, '$1en.js'), format: 'module', shortCircuit: true };
  };
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      known(specifier, String(context.parentURL)) ?? next(specifier, context),
  });
}

/** Names of one or more letters, digits and marks that an address has as they are, below or above the folder of the parent. */
const PLAIN = /^(?:\.\/|(?:\.\.\/)+)(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

/** As `new URL` has it, which took a fiftieth of the start for 3,000 imports. */
function addressOf(specifier, parent) {
  if (!PLAIN.test(specifier)) return new URL(specifier, parent).href;
  let end = parent.lastIndexOf('/');
  let from = 0;
  while (specifier.startsWith('../', from)) {
    end = parent.lastIndexOf('/', end - 1);
    from += 3;
  }
  return `${parent.slice(0, end)}/${specifier.slice(from === 0 ? 2 : from)}`;
}
