// npm run lab [-- NAME [options]]: runs a lab program in this process, with the options passed on. Without a name it lists the
// programs, each with the question it answers.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { nearestName } from '../src/base/nearest-name.ts';
import { PROGRAMS, SECTIONS } from './programs.ts';

const NAMES = Object.keys(PROGRAMS);

const [name, ...options] = process.argv.slice(2);
const program = name !== undefined && Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
if (name === undefined) {
  console.log(listLines().join('\n'));
} else if (program === undefined) {
  const meant = nearestName(name, NAMES);
  const hint = meant === null ? 'npm run lab lists all of them.' : `Did you mean "${meant}"?`;
  console.error(`There is no program "${name}". ${hint}`);
  process.exitCode = 2;
} else {
  const file = join(import.meta.dirname, program.file);
  // The arguments that the program would see if it had been started by its path. It runs here, so that signals and the exit
  // code are its own.
  process.argv = [process.execPath, file, ...options];
  await import(pathToFileURL(file).href);
}

function listLines(): readonly string[] {
  const width = Math.max(...NAMES.map((each) => each.length)) + 2;
  const sections = Object.entries(SECTIONS).map(([title, programs]) => [
    title,
    ...Object.entries(programs).map(([each, { question }]) => `  ${each.padEnd(width)}${question}`),
    '',
  ]);
  return [
    ...sections.flat(),
    'npm run lab -- NAME [options] runs one; the comment at the top of its file in lab/ lists the options.',
  ];
}
