// The simulated APIs over HTTP on one clock that the tests move: hand-made requests, without the project's own clients.

import { generateKeyPairSync } from 'node:crypto';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox, SandboxDescription } from '../../sandbox/server.ts';
import { SANDBOX_ACCESS } from '../../sandbox/tokens.ts';

type Json = { readonly [name: string]: Json } & readonly Json[];

export type Reply = { readonly status: number; readonly json: Json; readonly headers: Headers };

export type Ask = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly method?: string;
};

export type ApiCaller = AsyncDisposable & {
  readonly sandbox: Sandbox;
  readonly described: SandboxDescription;
  readonly now: () => number;
  readonly wait: (ms: number) => void;
  readonly ask: (origin: string, path: string, asked?: Ask) => Promise<Reply>;
  /** PEM of the caller known to retailer_w's affiliate API. */
  readonly privateKey: string;
};

export async function openApis(): Promise<ApiCaller> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let now = Date.UTC(2026, 8, 9, 12);
  const { consumerId, keyVersion } = SANDBOX_ACCESS;
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' });
  const sandbox = await startSandbox({
    seed: 1,
    now: () => now,
    products: 300,
    signedCaller: { consumerId, keyVersion, publicKey },
  });
  return {
    sandbox,
    described: sandbox.describe(),
    now: () => now,
    wait: (ms) => {
      now += ms;
    },
    ask: (origin, path, asked = {}) => send(`${sandbox.origins[origin]}${path}`, asked),
    privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

async function send(address: string, { headers, body, method }: Ask): Promise<Reply> {
  const response = await fetch(address, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const json = (isJson ? JSON.parse(text) : { text }) as Json;
  return { status: response.status, json, headers: response.headers };
}
