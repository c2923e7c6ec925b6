// Generates the examples of the OpenAPI document: starts the service on the simulated shops with a fixed seed, clock and
// key, makes the calls of `example-calls.ts` and stores the answers. The result is the same every time, so that a test can
// generate them again and compare.

import { openApp, type App } from '../src/edge/app.ts';
import { readConfig } from '../src/edge/config.ts';
import type { Env } from '../src/edge/settings/read-settings.ts';
import { DAY_MS, type Clock } from '../src/base/clock.ts';
import type { Example } from '../src/server/document/examples.ts';
import type { Scope } from '../src/base/scopes.ts';
import { markOwnFacts } from '../src/data/accounts/organizations.ts';
import { createSignIns } from '../src/data/metering/sign-ins.ts';
import { formatApiKey, hashSecret } from '../src/data/metering/api-key.ts';
import { publicOrigins } from '../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type SandboxDescription } from '../sandbox/server.ts';
import { SANDBOX_CREDENTIALS } from '../sandbox/tokens.ts';
import type { OrganizationSettings } from '../src/data/accounts/organizations.ts';
import { startReceiver } from '../tests/support/receiver.ts';
import { untilQueueIdle } from '../tests/support/service.ts';
import { SANDBOX_SEED, withSandbox } from '../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';

/** Noon on the day of all examples. */
const EXAMPLE_DAY_MS = Date.UTC(2026, 10, 20, 12);

/** Headers that the document explains; the others are plain HTTP. */
const KEPT_HEADERS = [
  'x-request-id',
  'ratelimit-policy',
  'ratelimit',
  'retry-after',
  'www-authenticate',
  'idempotency-replayed',
  'allow',
];

/** Hosts that no simulated shop stands in for are looked up at a name server that does not exist. */
const SETTINGS = { OPENSHELF_DNS_SERVERS: '127.0.0.1:9' };

/** A seller's account at retailer_a that the simulated retailer knows: without it the seller context is null. */
const SELLER = Object.fromEntries(
  Object.entries(SANDBOX_CREDENTIALS).filter(([name]) =>
    name.startsWith('OPENSHELF_RETAILER_A_SP_'),
  ),
);

/** Options of a call that differs from the usual GET with the usual key. */
export type Manner = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Null for none. */
  readonly key?: string | null;
  /** Whether an installation with a seller's account is asked, which has nothing stored. */
  readonly isSeller?: boolean;
};

/** An example's `operationId`, status and name; `-` if there is no such route. */
type Which = `${string} ${number} ${string}`;

/** The context the calls are made with. */
export type Stage = {
  readonly told: SandboxDescription;
  /** Moves the clock to noon that many days before the day of the examples; never back. */
  readonly daysBefore: (days: number) => Promise<void>;
  /** Makes a call and stores its answer as an example. Rejects if the status differs. */
  readonly keep: (which: Which, summary: string, path: string, manner?: Manner) => Promise<void>;
  /** Makes a call that only prepares another. */
  readonly prepare: (path: string, headers?: Readonly<Record<string, string>>) => Promise<void>;
  /** Signs a browser in to the console with the usual key. */
  readonly signIn: (userAgent: string) => Promise<void>;
  /** A key of another organization. */
  readonly keyOf: (
    id: string,
    organization: OrganizationSettings,
    scopes?: readonly Scope[],
  ) => Promise<string>;
};

/** All answers, in the order of the calls. */
export async function produceExamples(
  calls: (stage: Stage) => Promise<void>,
): Promise<readonly Example[]> {
  using folder = temporaryFolder();
  using sellerFolder = temporaryFolder();
  const clock = standingClock(EXAMPLE_DAY_MS - 90 * DAY_MS);
  const retailers = publicOrigins();
  await using sandbox = await startSandbox({ seed: SANDBOX_SEED, now: clock.now, retailers });
  // Stands in for Discord: docs/use/watches.md describes the wording of a notice.
  await using receiver = await startReceiver();
  const settings = { ...SETTINGS, OPENSHELF_ORIGINS: `https://discord.com=${receiver.url}` };
  const open = async (env: Env, dataDir: string): Promise<App> =>
    openApp(withSandbox(readConfig(env, { dataDir, port: 0 }), sandbox), { clock });
  await using app = await open(settings, folder.path);
  await using seller = await open({ ...settings, ...SELLER }, sellerFolder.path);
  const told = sandbox.describe();
  const usual = { app, clock, told, url: (await app.listen()).url };
  const ofSeller = { ...usual, app: seller, url: (await seller.listen()).url };
  const examples: Example[] = [];
  await calls(await createStage(usual, ofSeller, examples));
  await app.stop(1_000);
  await seller.stop(1_000);
  return examples;
}

type StandingClock = Clock & { set(atMs: number): void };

/** A clock that stands still until it is set, which wakes the sleepers whose time has come. */
function standingClock(startMs: number): StandingClock {
  let nowMs = startMs;
  const sleepers = new Map<() => void, number>();
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.set(resolve, nowMs + ms);
        const end = () => {
          sleepers.delete(resolve);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', end, { once: true });
        if (signal?.aborted === true) end();
      }),
    set: (atMs) => {
      nowMs = atMs;
      for (const [wake, dueMs] of sleepers) {
        if (dueMs > atMs) continue;
        sleepers.delete(wake);
        wake();
      }
    },
  };
}

type Running = {
  readonly app: App;
  readonly clock: StandingClock;
  readonly url: string;
  readonly told: SandboxDescription;
};

async function createStage(
  running: Running,
  ofSeller: Running,
  examples: Example[],
): Promise<Stage> {
  const { app, clock, told } = running;
  const usual = await addKey(running, 'EXAMPLES', { name: 'example' });
  await addKey(ofSeller, 'EXAMPLES', { name: 'example' });
  const ask = (path: string, manner: Manner) => {
    const { method = 'GET', headers = {}, body = null, key = usual, isSeller = false } = manner;
    const { url } = isSeller ? ofSeller : running;
    const authorization: Record<string, string> =
      key === null ? {} : { authorization: `Bearer ${key}` };
    return fetch(`${url}${path}`, {
      method,
      headers: { 'x-request-id': 'example', ...authorization, ...headers },
      body,
      redirect: 'manual',
    });
  };
  // Finishes work that a call leaves to the queue before the next call; otherwise the examples would depend on timing.
  const settled = async () => {
    await untilQueueIdle(app, clock);
    await untilQueueIdle(ofSeller.app, clock);
    await app.deliverNotices();
  };
  // `{watch}`, `{channel}`, `{delivery}`, `{page}`, `{rule}` and `{session}` in a path or body are taken from an earlier answer.
  const ids = new Map([...IDS.keys()].map((name) => [name, '']));
  const withIds = (text: string): string =>
    [...ids].reduce((filled, [name, id]) => filled.replaceAll(`{${name}}`, id), text);
  // `{key}` is the key created by an earlier answer.
  const keyIds: string[] = [];
  return {
    told,
    daysBefore: async (days) => {
      clock.set(EXAMPLE_DAY_MS - days * DAY_MS);
      await settled();
    },
    keep: async (which, summary, path, manner = {}) => {
      const [operation = '', status, name = ''] = which.split(' ');
      const asked = withIds(path).replace('{key}', keyIds.at(-1) ?? '');
      const { body: sent } = manner;
      const filled = sent === undefined ? manner : { ...manner, body: withIds(sent) };
      const response = await ask(asked, filled);
      const text = await response.text();
      for (const [named, pattern] of IDS) {
        const id = pattern.exec(text)?.[0];
        if (id !== undefined) ids.set(named, id);
      }
      const [, keyId] = KEY_TEXT.exec(text) ?? [];
      if (keyId !== undefined) keyIds.push(keyId);
      await settled();
      if (String(response.status) !== status) {
        throw new Error(`${path} answered ${response.status}, not ${status}: ${text}`);
      }
      const { method = 'GET', headers = {} } = manner;
      examples.push(
        neutral(keyIds, {
          operation: operation === '-' ? null : operation,
          name,
          summary,
          request: { method, path: shortened(asked), headers, body: shownBody(filled.body) },
          status: response.status,
          headers: keptOf(response.headers),
          body: JSON.parse(text) as Record<string, unknown>,
        }),
      );
    },
    prepare: async (path, headers = {}) => {
      const response = await ask(path, { headers });
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      await response.arrayBuffer();
      await settled();
    },
    signIn: async (userAgent) => {
      const signIns = createSignIns(app.store.sessions, clock);
      await signIns.begin({ keyId: usual.slice(9, 17) }, { userAgent, lasts: true });
    },
    keyOf: (id, organization, scopes) => addKey(running, id, organization, scopes),
  };
}

function keptOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
  );
}

/** Returns null for a body that is too long to be accepted, and therefore to be shown. */
function shownBody(body: string | undefined): string | null {
  return body === undefined || body.length > 1_000 ? null : body;
}

/** A URL that is too long to be accepted is too long to be shown. */
function shortened(path: string): string {
  return path.length > 500 ? `${path.slice(0, 60)}...` : path;
}

/** Adds a key that is the same every time: examples identify keys by their id. */
async function addKey(
  { app, clock }: Running,
  id: string,
  settings: OrganizationSettings,
  scopes: readonly Scope[] = ['products:read', 'products:refresh'],
): Promise<string> {
  const secret = 'x'.repeat(32);
  const createdAtMs = clock.now();
  const { accounts } = app.store;
  const organization = await accounts.upsertOrganization(settings, createdAtMs);
  // The first page takes half a second, which this clock does not have.
  if (scopes.includes('pages:submit')) await markOwnFacts(app.store.sql, organization.id);
  await accounts.insertKey({
    id,
    secretSha256: hashSecret(secret),
    organizationId: organization.id,
    scopes,
    note: 'documentation',
    createdAtMs,
    expiresAtMs: null,
  });
  return formatApiKey({ id, secret });
}

/** Ids are random. */
const IDS = new Map([
  ['watch', /wat_[\w-]{22}/],
  ['channel', /chn_[\w-]{22}/],
  ['delivery', /dlv_[\w-]{22}/],
  ['page', /pag_[\w-]{22}/],
  ['rule', /rul_[\w-]{22}/],
  ['session', /ses_[\w-]{22}/],
]);
/** Matches a key that was created for an example. */
const KEY_TEXT = /osk_live_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}/;
const EXAMPLE_WATCH = 'wat_2mQ9xkz0Example0000000';
const EXAMPLE_NOTICE = 'ntc_7hT4pLs1Example0000000';
const EXAMPLE_CHANNEL = 'chn_5kR8wNd3Example0000000';
const EXAMPLE_PAGE = 'pag_4mZ8tVb6Example0000000';
const EXAMPLE_RULE = 'rul_7cQ2xNd5Example0000000';
const EXAMPLE_SESSION = 'ses_3fW6yKp9Example0000000';
const EXAMPLE_DELIVERY = 'dlv_9vB6cXf2Example0000000';

/** D3: the hosts of known retailers appear in their address books only; examples use their slugs. */
function neutral(keyIds: readonly string[], example: Example): Example {
  let text = JSON.stringify(example)
    .replaceAll(/wat_[\w-]{22}/g, EXAMPLE_WATCH)
    .replaceAll(/ntc_[\w-]{22}/g, EXAMPLE_NOTICE)
    .replaceAll(/chn_[\w-]{22}/g, EXAMPLE_CHANNEL)
    .replaceAll(/dlv_[\w-]{22}/g, EXAMPLE_DELIVERY)
    .replaceAll(/pag_[\w-]{22}/g, EXAMPLE_PAGE)
    .replaceAll(/rul_[\w-]{22}/g, EXAMPLE_RULE)
    .replaceAll(/ses_[\w-]{22}/g, EXAMPLE_SESSION)
    .replaceAll(/osk_live_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}/g, `osk_live_$1_${'x'.repeat(38)}`)
    .replaceAll(/\/console\/(pictures|sparklines)\/[\w.-]+/g, '/console/$1/Example0')
    // Background work sends a request of its own before or after the call, as the machine has time.
    .replaceAll(/"calls_today":[1-9]\d*/g, '"calls_today":4');
  keyIds.forEach((id, at) => {
    text = text.replaceAll(id, `Example${at}`);
  });
  for (const [slug, { page }] of Object.entries(publicOrigins())) {
    const domain = new URL(page).host.replace(/^www\./, '').replaceAll('.', String.raw`\.`);
    text = text.replaceAll(new RegExp(domain, 'gi'), `${slug.replace('_', '-')}.example`);
  }
  return JSON.parse(text) as Example;
}
