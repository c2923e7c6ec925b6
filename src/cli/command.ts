// What a command of the program is, and the conventions all of them keep (D52): exit 0 done, 1 failed or
// refused, 2 bad usage; with `--json` one JSON value on one line is the last line of stdout and everything
// else goes to stderr.

import type { ParseArgsOptionsConfig } from 'node:util';

import { readConfig, type Config } from '../config.ts';
import type { Env } from '../settings/read-settings.ts';

export type Io = {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Standard output is a person's terminal. */
  readonly isTerminal: boolean;
  /**
   * One line that is written over, for long work; null wipes it out. Absent when standard error is no
   * person's terminal.
   */
  readonly status?: (line: string | null) => void;
  readonly env: Env;
  /** Aborted by SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
};

export type Values = Readonly<Record<string, string | boolean | undefined>>;

export type CommandInput = {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly io: Io;
};

export type Command = {
  readonly name: string;
  readonly summary: string;
  /** The lines of `--help` after the summary. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** It says itself which words beside its options it takes; without this there are none to take. */
  readonly takesWords?: true;
  readonly run: (input: CommandInput) => Promise<number>;
};

export const DONE = 0;
export const FAILED = 1;
export const BAD_USAGE = 2;

/** The command was called wrongly: its message and usage are printed, exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command of several actions: its first word chooses one, which gets the words after it. */
export function byAction(actions: Readonly<Record<string, Command['run']>>): Command['run'] {
  return (input) => {
    const [name = '', ...rest] = input.positionals;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action !== undefined) return action({ ...input, positionals: rest });
    const names = Object.keys(actions);
    throw new UsageError(`say what to do: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
  };
}

/** One JSON value on one line. */
export function printJson(io: Io, value: unknown): void {
  io.out(JSON.stringify(value));
}

/** A text option; empty counts as not given. */
export function textOption(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A whole number in a range, or undefined when not given. */
export function numberOption(
  values: Values,
  name: string,
  range: { readonly min: number; readonly max: number },
): number | undefined {
  const text = values[name];
  if (text === undefined || typeof text === 'boolean') return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw new UsageError(`--${name} takes a whole number from ${range.min} to ${range.max}`);
}

/** An option that must be there. */
export function requiredOption(values: Values, name: string): string {
  const value = textOption(values, name);
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

/** The settings, with `--data` above the environment. */
export function configOf({ values, io }: CommandInput): Config {
  const dataDir = textOption(values, 'data');
  return readConfig(io.env, dataDir === undefined ? {} : { dataDir });
}

/** One of a few words, or undefined when not given. */
export function wordOption<T extends string>(
  values: Values,
  name: string,
  words: readonly T[],
): T | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const word = words.find((each) => each === text.toLowerCase());
  if (word === undefined) throw new UsageError(`--${name} takes ${words.join(' or ')}`);
  return word;
}

/** Refuses words that nobody reads: one that was meant as an option must not be lost silently. */
export function noWords(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is not understood`);
}

/** The one thing a command is about. */
export function onePositional(positionals: readonly string[], what: string): string {
  const [first] = positionals;
  if (first === undefined) throw new UsageError(`${what} is missing`);
  if (positionals.length > 1)
    throw new UsageError(`one ${what} at a time; quote it when it has spaces`);
  return first;
}

/** Resolves when the signal is aborted. */
export function untilStopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
}
