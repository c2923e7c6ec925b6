// Runs a command of the program in this process and captures its output, for tests that are not about signals, crashes,
// terminals or a second process. `program.ts` starts a real process.

import type { Io } from '../../src/edge/cli/command.ts';
import { run } from '../../src/edge/cli/run.ts';
import type { Finished } from './program.ts';

export type RanCommand = Finished & {
  readonly code: number;
  /** Lines of stdout and stderr. */
  readonly out: readonly string[];
  readonly err: readonly string[];
  /** What was drawn on an interactive terminal; empty without one. */
  readonly status: readonly (string | null)[];
  /** The last line of stdout; empty if it is not a JSON object. */
  readonly json: Record<string, unknown>;
};

export type CommandOptions = {
  /** The whole environment: the command sees nothing of this process's own. */
  readonly env?: Io['env'];
  /** The program's name in messages, if it is not on the PATH. */
  readonly program?: string;
  /** stderr is an interactive terminal. */
  readonly watched?: boolean;
  /** Whether the command is told to stop before it begins. */
  readonly stopped?: boolean;
  /** The command is told to stop when a line of the terminal matches this. */
  readonly stopAt?: RegExp;
};

/** Runs one command to completion. */
export async function runCommand(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<RanCommand> {
  const { env = {}, program, watched = false, stopped = false, stopAt } = options;
  const [out, err]: [string[], string[]] = [[], []];
  const status: (string | null)[] = [];
  const stop = new AbortController();
  if (stopped) stop.abort();
  const isTerminal = watched || stopAt !== undefined;
  const draw = (line: string | null): void => {
    status.push(line);
    if (stopAt?.test(line ?? '') === true) stop.abort();
  };
  const io: Io = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    isTerminal,
    ...(isTerminal ? { status: draw } : {}),
    env,
    ...(program === undefined ? {} : { program }),
    stop: stop.signal,
  };
  const code = await run(args, io);
  const [stdout, stderr] = [out, err].map((lines) => lines.map((line) => `${line}\n`).join(''));
  const lines = out.flatMap((line) => line.split('\n'));
  const last = lines.at(-1) ?? '';
  const json = last.startsWith('{') ? (JSON.parse(last) as Record<string, unknown>) : {};
  return {
    code,
    stdout: stdout ?? '',
    stderr: stderr ?? '',
    out: lines,
    err,
    status,
    json,
  };
}

type ServingCommand = {
  readonly url: string;
  /** Tells it to stop and waits for the end; returns the exit code. */
  stop(): Promise<number>;
};

/** Runs `serve --json` in this process; resolves when it answers. */
export async function serveCommand(
  args: readonly string[],
  env: Io['env'] = {},
): Promise<ServingCommand> {
  const stop = new AbortController();
  const err: string[] = [];
  const first = Promise.withResolvers<string>();
  const ended = run(['serve', '--json', ...args], {
    out: first.resolve,
    err: (line) => void err.push(line),
    isTerminal: false,
    env,
    stop: stop.signal,
  });
  void ended.then((code) => first.reject(new Error(`serve ended with ${code}: ${err.join('\n')}`)));
  const { url } = JSON.parse(await first.promise) as { readonly url: string };
  return {
    url,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}
