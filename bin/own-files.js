// Files of the program import each other by complete relative paths, so nothing has to be looked up: no links, no parent
// folders, no package.json for each of 560 files. Those lookups took a quarter of the start. The same holds for files within
// zod, the package with the most files. The files are also read here, because Node takes more steps to do so: a seventh of the
// loading time. Plain JavaScript, for the launcher and for threads.

import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/** Below it every `.js` is a module, except in the folder `cjs`. */
const IN_PACKAGE = /^(.*\/node_modules\/zod\/)(?!.*\/cjs\/).*\.js$/;

/**
 * Does not declare its module type, so Node reads it three times to find out. Next to it is a file that is known to be a
 * module.
 */
const TLDTS = /(\/node_modules\/tldts\/dist\/)cjs\/index\.js$/;

/** zod's messages in 49 languages; the service only answers in English. */
const ALL_LANGUAGES = /(\/zod\/v4\/locales\/)index\.js$/;

/** `entry`: the URL of a file of the program; `folder`: the URL of the folder of all of them, with a trailing slash. */
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
      // Node reports the error.
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

/** Paths below or above the parent's folder, of one or more letters, digits and marks that need no encoding in a URL. */
const PLAIN = /^(?:\.\/|(?:\.\.\/)+)(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

/** Returns the same as `new URL`, which took a fiftieth of the start for 3,000 imports. */
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
