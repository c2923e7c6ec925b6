// Defines a command of the program, and the rules for all commands (D52). Exit code 0 is done, 1 failed or refused, 2 bad
// usage. With `--json` the last line of stdout is one JSON value, and everything else goes to stderr.

import { nearestName } from '../../base/nearest-name.ts';
import type { Env } from '../settings/read-settings.ts';

export type Io = {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Whether standard output is an interactive terminal. */
  readonly isTerminal: boolean;
  /** Replaces one terminal line during long work; null clears it. Absent if stderr is not a terminal. */
  readonly status?: (line: string | null) => void;
  readonly env: Env;
  /** How this program is invoked if no `openshelf` is on the PATH, as in a checkout. */
  readonly program?: string;
  /** The log line about settings that came from a file. */
  readonly envRemark?: string | null;
  /** Aborted by SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** Ends the program at once, whatever it waits for. Absent if it is part of another program. */
  readonly end?: (code: number) => void;
};

export type Values = Readonly<Record<string, string | boolean | undefined>>;

export type CommandInput = {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly io: Io;
  /** Rewrites a text that names commands, such as `openshelf keys list`, to how they are invoked here. */
  readonly asCalled: (text: string) => string;
};

export type Option = {
  /** The placeholder of its value in the help, such as `DIR`; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
};

export type Command = {
  readonly name: string;
  readonly summary: string;
  /** Each form of the call, as written after `openshelf <name>`. */
  readonly synopsis: readonly string[];
  /** Its arguments besides options, by their name in the synopsis. Absent if it takes none. */
  readonly positionals?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, Option>>;
  /** Complete lines that `--help` prints below the options. */
  readonly notes?: readonly string[];
  readonly run: (input: CommandInput) => Promise<number>;
};

export const DONE = 0;
export const FAILED = 1;
export const BAD_USAGE = 2;

/** Printed on stderr when resumable work was stopped. */
export const STOPPED = 'Stopped. The same command continues where this one stopped.';

/** The command was called wrongly. The message and the usage are printed; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs the action named by the first argument, with the remaining arguments. */
export function byAction(actions: Readonly<Record<string, Command['run']>>): Command['run'] {
  return (input) => {
    const [name, ...rest] = input.positionals;
    const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action !== undefined) return action({ ...input, positionals: rest });
    const names = Object.keys(actions);
    const all = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    if (name === undefined) throw new UsageError(`The action is missing: ${all}.`);
    throw new UsageError(`Unknown action "${name}". ${didYouMean(name, names) ?? `Use ${all}.`}`);
  };
}

/**
 * Rejects options that one form of a command does not take, because an option must not be ignored silently. `way` is the
 * beginning of that form's synopsis.
 */
export function onlyOptionsOf(
  { name, synopsis }: Pick<Command, 'name' | 'synopsis'>,
  form: string,
  values: Values,
): void {
  const own = synopsis.filter((each) => each.split(' ')[0] === form).join(' ');
  const taken = new Set(own.match(/--[a-z-]+/g));
  const lone = Object.keys(values).find((each) => !taken.has(`--${each}`));
  if (lone !== undefined) throw new UsageError(`--${lone} is not an option of ${name} ${form}.`);
}

/** Returns `Did you mean "lookup"?`, or null if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string | null {
  const near = nearestName(name, known);
  return near === null ? null : `Did you mean "${near}"?`;
}

/** Prints a command's result: `json` on one line with `--json`, else the lines for a person. */
export function answer(
  { values, io }: Pick<CommandInput, 'values' | 'io'>,
  json: unknown,
  lines: readonly string[],
): number {
  if (values['json'] === true) printJson(io, json);
  else lines.forEach(io.out);
  return DONE;
}

/** Formats `1 call`, `2 calls`; with `many`, as in `1 watch`, `2 watches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Prints one JSON value on one line. */
export function printJson(io: Io, value: unknown): void {
  io.out(JSON.stringify(value));
}

/** Checks whether a deployment stops the program (SIGTERM): whatever sends calls here must then be notified first. */
export function isDeploy(stop: AbortSignal): boolean {
  return stop.reason === 'SIGTERM';
}

/** Resolves when the signal aborts. */
export function untilStopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
}
