// Child processes of proofs that work on one store together, controlled line by line.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Child = AsyncDisposable & {
  /** Sends a value as one line of JSON; resolves with its next output line. Rejects if it has exited. */
  readonly ask: (value: unknown) => Promise<unknown>;
  readonly kill: () => Promise<void>;
};

/** Starts `file`, which is next to this one. It answers every line of JSON with one. */
export function startChild(file: string, args: readonly string[]): Child {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  const end = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  return {
    ask: async (value) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      waiting.push(resolve);
      child.stdin.write(`${JSON.stringify(value)}\n`);
      const line = await Promise.race([
        promise,
        ended.then(() => {
          throw new Error(`${file} has ended`);
        }),
      ]);
      return JSON.parse(line) as unknown;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Implements the other end: answers each incoming line with the result of `answer`, until there are no more. */
export async function answerLines(answer: (value: unknown) => Promise<unknown>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const said = await answer(JSON.parse(line));
    process.stdout.write(`${JSON.stringify(said)}\n`);
  }
}
