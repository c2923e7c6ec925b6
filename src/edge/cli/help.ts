// The output of `--help` for the program, for a command, and about the settings.

import { basename, join, relative, sep } from 'node:path';

import { CREDENTIAL_NAMES } from '../../read/retailers/credentials.ts';
import { SETTINGS } from '../settings/settings-table.ts';
import type { Command } from './command.ts';

const WIDTH = 110;
/** The program's name if it is installed. */
const NAME = 'openshelf';

/** The commands by purpose, in the order in which a new user meets them. */
const GROUPS: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Start the service', ['demo', 'serve', 'console', 'identity', 'doctor']],
  ['Look up products', ['lookup', 'compare', 'history', 'identify']],
  ['Be notified of changes', ['watch', 'channel']],
  ['Keys and tokens', ['keys', 'orgs', 'usage', 'rules']],
  [
    'The data',
    ['import', 'export', 'backup', 'restore', 'dump', 'load', 'migrate-store', 'takedown'],
  ],
  ['Maintenance', ['check', 'quality', 'compact']],
  [
    'For agents, scripts and developers',
    ['mcp', 'parse', 'sandbox', 'agent-profile', 'completion'],
  ],
];

/** Returns `openshelf --help`. `program` is how it is invoked here. */
export function programHelp(commands: readonly Command[], program = NAME): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]));
  return [
    'openshelf: one product record for a barcode, an ASIN or the address of a product page.',
    '',
    programUsage(program),
    ...GROUPS.flatMap(([heading, names]) => {
      const rows = names.map((name) => [name, summaries.get(name) ?? ''] as const);
      return ['', `${heading}:`, ...columns(rows, width)];
    }),
    '',
    `${program} <command> --help shows the details; ${program} --version prints the version.`,
    `Settings are environment variables: ${program} serve --help lists them.`,
    'Exit codes: 0 done, 1 failed or refused, 2 bad usage.',
  ].join('\n');
}

/**
 * Returns how the program of this checkout is invoked from a folder; undefined if `openshelf` invokes it, because it is
 * installed or linked. `started` is the path by which it was started.
 */
export function programOfCheckout(started: string, folder: string): string | undefined {
  if (basename(started) === NAME || import.meta.dirname.includes(`${sep}node_modules${sep}`))
    return undefined;
  const launcher = join(import.meta.dirname, '..', '..', '..', 'bin', 'openshelf');
  const path = relative(folder, launcher);
  const program = path.startsWith('..') ? launcher : `.${sep}${path}`;
  return program.includes(' ') ? `'${program}'` : program;
}

/** Returns how the program is invoked. */
export function programUsage(program = NAME): string {
  return `Usage: ${program} <command> [options]`;
}

/** Returns how a command is invoked. Every usage error prints this short form, so that the error remains on the screen. */
export function synopsisOf({ name, synopsis }: Command, program = NAME): string {
  return synopsis
    .flatMap((form, at) => synopsisLines(`${program} ${name}`, form, at === 0))
    .join('\n');
}

/** Returns a command's usage, with its arguments and options, as printed by `--help`. */
export function usageOf(command: Command, program = NAME): string {
  const { positionals, options, notes } = command;
  const rows = [
    ...Object.entries(positionals ?? {}),
    ...Object.entries(options).map(
      ([option, { value, help }]) =>
        [value === undefined ? `--${option}` : `--${option} ${value}`, help] as const,
    ),
  ];
  return [
    synopsisOf(command, program),
    ...(rows.length === 0 ? [] : ['', ...columns(rows)]),
    ...(notes === undefined ? [] : ['', ...notes]),
  ].join('\n');
}

/** Returns the lines of a synopsis, broken between options and not inside one. */
function synopsisLines(call: string, form: string, isFirst: boolean): readonly string[] {
  const parts = form.match(/\[[^[\]]*(?:\[[^[\]]*\][^[\]]*)*\]|\S+/g) ?? [];
  const lines: string[] = [];
  let line = `${isFirst ? 'Usage: ' : '       '}${call} `;
  const indent = ' '.repeat(line.length);
  for (const part of parts) {
    if (line.length + part.length > WIDTH) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${part} `;
  }
  return [...lines, line.trimEnd()];
}

/** Returns the settings, for the help of the command that uses all of them. */
export function settingsHelp(): readonly string[] {
  const rows = Object.values(SETTINGS).map(
    ({ name, line, default: text }) =>
      [name, text === '' ? line : `${line} Default ${text}.`] as const,
  );
  const credentials = `${CREDENTIAL_NAMES.length} credentials of official APIs.`;
  return [
    'Settings (environment variables; see docs/run/settings.md):',
    ...columns([...rows, ['OPENSHELF_RETAILER_*', credentials]]),
  ];
}

/** Formats names in one column and texts in another, wrapped if they are too long for a line. */
function columns(
  rows: readonly (readonly [name: string, text: string])[],
  width = Math.max(...rows.map(([name]) => name.length)),
): readonly string[] {
  return rows.flatMap(([name, text]) =>
    wrapped(text, WIDTH - width - 4).map(
      (line, at) => `  ${(at === 0 ? name : '').padEnd(width)}  ${line}`,
    ),
  );
}

/** Wraps at whole words, to lines of at most this many characters unless a single word is longer. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
