// Runs the command named in the program's arguments. Errors of all commands are reported in the same way.

import { join } from 'node:path';

import { ConfigError } from '../config.ts';
import { FaultError } from '../../base/fault.ts';
import { withoutRoutes } from '../../base/next-steps.ts';
import { versionText } from '../package-files.ts';
import { SETTINGS } from '../settings/settings-table.ts';
import { parseArguments } from './arguments.ts';
import {
  BAD_USAGE,
  didYouMean,
  DONE,
  FAILED,
  printJson,
  UsageError,
  type Command,
  type Io,
  type Values,
} from './command.ts';
import { allCommands, commandNamed, commandsCalled, COMMAND_NAMES } from './commands.ts';
import { programHelp, programUsage, synopsisOf, usageOf } from './help.ts';
import { explainError } from './system-error.ts';

/** Runs the program; resolves to its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined) {
    io.err(programHelp(await allCommands(), io.program));
    return BAD_USAGE;
  }
  if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    io.out(programHelp(await allCommands(), io.program));
    return DONE;
  }
  if (name === '--version' || name === '-v' || name === 'version') {
    io.out(versionText());
    return DONE;
  }
  const [wanted = '', args] = name === 'help' ? [rest[0], ['--help']] : [name, rest];
  const command = await commandNamed(wanted);
  if (command !== null) return runCommand(command, args, io);
  const near = didYouMean(wanted, COMMAND_NAMES);
  const unknown = `Unknown command "${wanted}".${near === null ? '' : ` ${near}`} Run openshelf --help for the list.`;
  const detail = commandsCalled(io.program)(unknown);
  if (wantsJson(argv)) printJson(io, { code: 'bad_usage', detail });
  io.err(`openshelf: ${detail}\n\n${programUsage(io.program)}`);
  return BAD_USAGE;
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<number> {
  const asCalled = commandsCalled(io.program);
  let values: Values = {};
  try {
    const parsed = parseArguments(command, args);
    values = parsed.values;
    if (values['help'] === true) {
      const usage = asCalled(usageOf(command, io.program));
      io.out(`openshelf ${command.name}: ${command.summary}\n\n${usage}`);
      return DONE;
    }
    return await command.run({ ...parsed, io, asCalled });
  } catch (error) {
    return explain(error, command, { isJson: wantsJson(args), folders: foldersOf(values, io), io });
  }
}

/**
 * Checks whether `--json` is given. The raw arguments are searched, because others of them may be wrong. What follows `--` is
 * not an option.
 */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

/** Folders in which the command may have its data. */
function foldersOf({ data, from, to }: Values, { env }: Io): readonly string[] {
  const named = [data, from, to].filter((each) => typeof each === 'string');
  if (named.length > 0) return named;
  const folder = env[SETTINGS.dataDir.name] ?? SETTINGS.dataDir.default;
  return [folder, join(folder, 'demo')];
}

type Reporting = {
  readonly isJson: boolean;
  readonly folders: readonly string[];
  readonly io: Io;
};

function explain(error: unknown, command: Command, { isJson, folders, io }: Reporting): number {
  const asCalled = commandsCalled(io.program);
  if (error instanceof UsageError) {
    const { name } = command;
    const detail = asCalled(error.message);
    if (isJson) printJson(io, { code: 'bad_usage', detail });
    io.err(`openshelf ${name}: ${detail}\n\n${synopsisOf(command, io.program)}`);
    io.err(asCalled(`\nopenshelf ${name} --help shows the details.`));
    return BAD_USAGE;
  }
  const found = problemOf(error, folders);
  const problem = { ...found, detail: asCalled(found.detail) };
  if (isJson) printJson(io, problem);
  else io.err(`openshelf ${command.name}: ${problem.detail}`);
  return FAILED;
}

function problemOf(
  error: unknown,
  folders: readonly string[],
): { readonly code: string; readonly detail: string } {
  if (error instanceof FaultError) {
    return { ...error.fault, detail: withoutRoutes(error.fault.detail, 'command') };
  }
  const code = error instanceof ConfigError ? 'invalid_settings' : 'failed';
  return { code, detail: explainError(error, folders) };
}
