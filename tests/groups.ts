// Which test files share a process.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What they measure is the memory of the process that they run in, which must have done nothing else before. */
const ALONE = /^tests\/(?:http\/sheet|sheets\/read-sheet)\.test\.ts$/;
/** Enough that loading the service is a small part of it, and few enough that the last process ends with the others. */
const FILES_OF_GROUP = 12;

/** Neighbours together, in the order of the files. */
export function groupsOf(files: readonly string[]): readonly (readonly string[])[] {
  const shared = files.filter((file) => !ALONE.test(file));
  const groups = Map.groupBy(shared, (file) => Math.floor(shared.indexOf(file) / FILES_OF_GROUP));
  return [...groups.values(), ...files.filter((file) => ALONE.test(file)).map((file) => [file])];
}

/** What `node --test` is given for them: a file that is alone, and for others a file in `folder` that runs them. */
export function entriesOf(
  root: string,
  groups: readonly (readonly string[])[],
  folder: string,
): readonly string[] {
  const together = pathToFileURL(join(root, 'tests', 'support', 'together.ts')).href;
  return groups.map((files, index) => {
    const [first = '', ...others] = files;
    if (others.length === 0) return first;
    const entry = join(folder, `group-${String(index + 1).padStart(2, '0')}.test.mjs`);
    const args = [root, files].map((arg) => JSON.stringify(arg)).join(', ');
    writeFileSync(entry, `import { runTogether } from '${together}';\nrunTogether(${args});\n`);
    return entry;
  });
}
