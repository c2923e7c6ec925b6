// The program: passes argv to the commands, turns signals into one stop signal whose reason is the signal's name, and exits
// with the exit code. Only this file reads the file `.env`.

import { dirname, join } from 'node:path';

import { envFileRemark, readEnvFile } from './cli/env-file.ts';
import { programOfCheckout } from './cli/help.ts';
import { run } from './cli/run.ts';
import { standardError, standardOutput } from './cli/standard-output.ts';
import { explainError } from './cli/system-error.ts';

const SAME_KEYSTROKE_MS = 500;
const PARENT_CHECK_MS = 500;

const stop = new AbortController();
const isOfNpm = isStartedByNpm();
let firstAtMs = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Ctrl-C reaches this process from the terminal, and once more from npm.
    const isSame = isOfNpm && performance.now() - firstAtMs < SAME_KEYSTROKE_MS;
    if (stop.signal.aborted && signal === 'SIGINT' && isSame) return;
    // The first signal lets answers finish; the second one ends the process at once.
    if (stop.signal.aborted) process.exit(1);
    firstAtMs = performance.now();
    stop.abort(signal);
  });
}
if (isOfNpm) endWithParent();

// A log that cannot be written must not end a service: its disk may be full, or its reader gone. Later lines are tried again.
process.stderr.on('error', () => undefined);

process.exitCode = await runHere().catch((error: unknown) => {
  process.stderr.write(`openshelf: ${explainError(error, [])}\n`);
  return 1;
});

/** Checks whether this is `npm start` or `npm run demo` of this package, whose parent is npm itself (bin/openshelf). */
function isStartedByNpm(): boolean {
  const { npm_lifecycle_event: event = '', npm_package_json: manifest } = process.env;
  return (
    ['start', 'demo'].includes(event) &&
    manifest === join(dirname(dirname(import.meta.dirname)), 'package.json')
  );
}

/** npm forwards neither SIGHUP nor, of course, SIGKILL: without this the service would keep its port. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && !stop.signal.aborted) stop.abort('SIGHUP');
  }, PARENT_CHECK_MS).unref();
}

async function runHere(): Promise<number> {
  const settings = readEnvFile(process.env, process.cwd());
  const program = programOfCheckout(process.argv[1] ?? '', process.cwd());
  return await run(process.argv.slice(2), {
    out: standardOutput((code) => process.exit(code)),
    err: standardError(process.stderr),
    isTerminal: process.stdout.isTTY,
    ...(process.stderr.isTTY
      ? { status: (line) => void process.stderr.write(`\r\u001b[K${line ?? ''}`) }
      : {}),
    env: settings.env,
    ...(program === undefined ? {} : { program }),
    envRemark: envFileRemark(settings),
    stop: stop.signal,
    end: (code) => process.exit(code),
  });
}
