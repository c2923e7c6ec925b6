// The client in clients/typescript has its own packages, including its compiler: installed here if missing.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const CLIENT = join(import.meta.dirname, '..', '..', 'clients', 'typescript');

/** Throws with what to do instead. */
export function installClientPackages(): void {
  if (existsSync(join(CLIENT, 'node_modules', 'typescript'))) return;
  console.error('the packages of clients/typescript are missing: installing them');
  const install = ['ci', '--ignore-scripts', '--prefix', CLIENT];
  const { status, error } = spawnSync('npm', install, { stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  throw new Error(`npm ${install.join(' ')}: ${error?.message ?? `exit code ${status}`}`);
}

type Ran = { readonly status: number | null; readonly output: string };

/** Runs a program of those packages in the client's folder. */
export function runOfClient(script: string, args: readonly string[], cwd = CLIENT): Ran {
  const path = join(CLIENT, 'node_modules', script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

/** Imports a file of the client: its own compiler checks it, not this one. */
export async function importOfClient<Module>(path: string): Promise<Module> {
  return (await import(join(CLIENT, path))) as Module;
}

type ClientProduct = { readonly tokens_consumed: number };
/** The part of its types that tests use: this compiler does not read the client's own. */
export type Client = {
  readonly tokens: { readonly spent: number; readonly left: number };
  readonly routes: Record<
    'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE',
    (path: string, init?: object) => Promise<{ readonly data?: unknown }>
  >;
  lookUp(id: string, parameters?: object): Promise<ClientProduct>;
  lookUpEach(
    ids: Iterable<string> | AsyncIterable<string>,
    options?: object,
  ): AsyncGenerator<{
    readonly id: string;
    readonly product: ClientProduct | null;
    readonly error: unknown;
  }>;
  batch(lines: readonly object[], options?: object): AsyncGenerator<{ readonly line: number }>;
  changes(options?: object): AsyncGenerator<{ readonly id: string }>;
};
export type ClientModule = {
  createOpenshelf(options: object): Client;
  checkWebhook(given: object): Promise<{ readonly id: string; readonly type: string }>;
  hasCode(error: unknown, ...codes: readonly string[]): boolean;
};
