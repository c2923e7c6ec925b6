// Files of the program name each other by whole relative paths, so nothing has to be looked for: no links, no folders above, no
// package.json for each of 560 files. That was a quarter of the start. So do files within zod, the package that has the most of them.
// And they are read here, which Node does by more detours: a seventh of what loading took. Plain JavaScript, for the launcher and for
// threads.

import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/** Below it every `.js` is a module, but for the folder `cjs`. */
const IN_PACKAGE = /^(.*\/node_modules\/zod\/)(?!.*\/cjs\/).*\.js$/;

/** Does not say what kind of module it is, so Node reads it three times to find that out. Next to it is one that is known to be a module. */
const TLDTS = /(\/node_modules\/tldts\/dist\/)cjs\/index\.js$/;

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
  const formatOf = (url) => {
    if (url.endsWith(ending) && url.startsWith(folder)) return format;
    return IN_PACKAGE.test(url) ? 'module' : null;
  };
  const read = (url) => {
    const known = formatOf(url);
    if (known === null) return null;
    try {
      return {
        format: known,
        source: readFileSync(fileURLToPath(url), 'utf8'),
        shortCircuit: true,
      };
    } catch {
      // Node says what is wrong with it.
      return null;
    }
  };
  nodeModule.registerHooks({
    load: (url, context, next) => read(url) ?? next(url, context),
    resolve: (specifier, context, next) => {
      const own = known(specifier, String(context.parentURL));
      if (own !== null) return own;
      const found = next(specifier, context);
      if (specifier !== 'tldts' || !TLDTS.test(found.url)) return found;
      return { url: found.url.replace(TLDTS, '$1index.esm.min.js'), format: 'module' };
    },
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
