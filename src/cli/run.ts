// argv -> one command, run, with its exit code. Catches what a command throws and says it the same way
// for all of them.

import { parseArgs } from 'node:util';

import { systemClock } from '../app.ts';
import { ConfigError } from '../config.ts';
import { FaultError } from '../core/fault.ts';
import { versionText } from '../package-files.ts';
import { publicOrigins } from '../retailers/public-origins.ts';
import {
  BAD_USAGE,
  DONE,
  FAILED,
  noWords,
  printJson,
  UsageError,
  type Command,
  type Io,
} from './command.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { compactCommand } from './compact.ts';
import { demo } from './demo.ts';
import { exportCommand } from './export.ts';
import { history } from './history.ts';
import { identifyCommand } from './identify.ts';
import { importCommand } from './import.ts';
import { keys } from './keys.ts';
import { lookup } from './lookup.ts';
import { migrateStore } from './migrate-store.ts';
import { orgs } from './orgs.ts';
import { parse } from './parse.ts';
import { quality } from './quality.ts';
import { sandboxCommand } from './sandbox.ts';
import { serve } from './serve.ts';
import { usage } from './usage.ts';

const COMMANDS: readonly Command[] = [
  serve,
  lookup,
  history,
  parse,
  identifyCommand,
  keys,
  orgs,
  usage,
  importCommand,
  exportCommand,
  backup,
  migrateStore,
  check,
  compactCommand,
  quality,
  demo,
  sandboxCommand({ retailers: publicOrigins() }, systemClock.now),
];

const HELP = [
  'openshelf: one normalized product record from any product-page address.',
  '',
  'Usage: openshelf <command> [options]',
  '',
  ...COMMANDS.map((command) => `  ${command.name.padEnd(13)} ${command.summary}`),
  '',
  'openshelf <command> --help tells more; openshelf --version prints the version.',
  'Exit codes: 0 done, 1 failed or refused, 2 bad usage.',
].join('\n');

/** Runs the program; the answer is its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined) {
    io.err(HELP);
    return BAD_USAGE;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    io.out(HELP);
    return DONE;
  }
  if (name === '--version' || name === '-v') {
    io.out(versionText());
    return DONE;
  }
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) {
    const detail = `"${name}" is no command.`;
    if (wantsJson(argv)) printJson(io, { code: 'bad_usage', detail });
    io.err(`openshelf: ${detail}\n\n${HELP}`);
    return BAD_USAGE;
  }
  return runCommand(command, rest, io);
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    });
    if (values['help'] === true) {
      io.out(`openshelf ${command.name}: ${command.summary}\n\n${command.usage}`);
      return DONE;
    }
    if (command.takesWords !== true) noWords(positionals);
    return await command.run({ values, positionals, io });
  } catch (error) {
    return explain(error, command, wantsJson(args), io);
  }
}

/** Asked of the words themselves: they may be wrong in another place. What follows `--` is no option. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

function isArgumentError(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    (error instanceof TypeError &&
      'code' in error &&
      String(error.code).startsWith('ERR_PARSE_ARGS'))
  );
}

function explain(error: unknown, command: Command, asJson: boolean, io: Io): number {
  if (isArgumentError(error)) {
    if (asJson) printJson(io, { code: 'bad_usage', detail: error.message });
    io.err(`openshelf ${command.name}: ${error.message}\n\n${command.usage}`);
    return BAD_USAGE;
  }
  const problem = problemOf(error);
  if (asJson) printJson(io, problem);
  else io.err(`openshelf ${command.name}: ${problem.detail}`);
  return FAILED;
}

function problemOf(error: unknown): { readonly code: string; readonly detail: string } {
  if (error instanceof FaultError) return error.fault;
  const detail = error instanceof Error ? error.message : String(error);
  return { code: error instanceof ConfigError ? 'invalid_settings' : 'failed', detail };
}
