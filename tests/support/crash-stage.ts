// What tests that kill the program need: a market, a data folder with one organization's key, and the environment that points
// the program to both.

import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { lastJson, runProgram } from './program.ts';
import { temporaryFolder } from './temporary-folder.ts';

type CrashStage = AsyncDisposable & {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly env: Readonly<Record<string, string>>;
  /** Arguments that specify the data. */
  readonly data: readonly string[];
  readonly key: string;
};

export async function openCrashStage(now: () => number = Date.now): Promise<CrashStage> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder()).path;
  const sandbox = opened.use(await startSandbox({ seed: 3, now }));
  const env = {
    // Names of shops that are not simulated are resolved at a name server that does not exist.
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    OPENSHELF_ORIGINS: Object.entries(sandbox.origins)
      .map(([from, to]) => `${from}=${to}`)
      .join(','),
  };
  const data = ['--data', folder];
  const settings = ['--org', 'crash', '--throttle', '1000000', '--json', ...data];
  const { key } = lastJson(await runProgram(['keys', 'create', ...settings], env)) as {
    key: string;
  };
  const owned = opened.move();
  return { folder, sandbox, env, data, key, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
