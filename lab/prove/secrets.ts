// Promise 12: secrets stay secret. Any Authorization header without a valid key is answered with 401; no key is ever found
// in logs, databases, backups or answers; a revoked key is refused by every process within a second.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApp } from '../../src/edge/app.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { readConfig } from '../../src/edge/config.ts';
import { generateKey } from '../../src/data/metering/api-key.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { backupSqlite } from '../../src/data/sqlite/backup.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../tests/support/random.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const SEED = 12;
const PROCESSES = 3;
const WITHIN_MS = 1_000;

export const secrets: Proof = {
  name: 'secrets',
  promise: 12,
  says: 'Secrets stay secret.',
  run: async ({ isLong, say }) => {
    const problems = createProblems();
    const count = isLong ? 10_000 : 1_000;
    const found = await oneService(count, problems);
    say(`${count} headers`);
    const slowestMs = await revoked(isLong ? 20 : 2, problems);
    return problems.result([
      `seed ${seedOf(SEED)}`,
      `${count} malformed headers: ${found.refused} times 401, ${count - found.refused} anything else`,
      `${found.keys} keys searched for in ${found.places} files, log lines and answers: ${found.hits} hits`,
      `a revoked key is refused by ${PROCESSES} processes after at most ${Math.round(slowestMs)} ms`,
    ]);
  },
};

async function oneService(count: number, problems: Problems) {
  const random = randomFrom(seedOf(SEED));
  using folder = temporaryFolder();
  const said: string[] = [];
  const dataDir = join(folder.path, 'data');
  const keys: string[] = [];
  let refused = 0;
  {
    const config = readConfig({ OPENSHELF_DNS_SERVERS: '127.0.0.1:9' }, { dataDir, port: 0 });
    await using app = await openApp(config, { logTo: (line) => said.push(line) });
    const { url } = await app.listen();
    for (let at = 0; at < 10; at += 1) {
      const request = { organization: `o${at}`, note: null };
      keys.push((await issueKey(app.store.accounts, request, systemClock.now())).text);
    }
    for (let at = 0; at < count; at += 1) {
      const header = malformed(random, pick(random, keys));
      const answer = await fetch(`${url}/v1/usage`, { headers: { authorization: header } });
      said.push(await answer.text(), ...[...answer.headers].flat());
      if (answer.status === 401) refused += 1;
      else problems.note(`${answer.status} for ${JSON.stringify(header).slice(0, 60)}`);
    }
    for (const key of keys) {
      const headers = { authorization: `Bearer ${key}` };
      // Accepted, refused for its path, failing after authentication: the header is valid each time.
      for (const path of [
        '/v1/usage',
        '/v1/products/no',
        `/v1/products/${encodeURIComponent('https://no.example/p')}`,
        '/no',
      ]) {
        said.push(await (await fetch(`${url}${path}`, { headers })).text());
      }
      // A key in the address is neither echoed nor stored.
      said.push(await (await fetch(`${url}/v1/usage?key=${key}`, { headers })).text());
    }
    backupSqlite(join(dataDir, 'openshelf.db'), join(folder.path, 'copy.db'));
    await app.stop(1_000);
  }
  const files = [dataDir, folder.path].flatMap((at) =>
    readdirSync(at, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(at, entry.name), 'latin1')),
  );
  const places = [...files, ...said];
  // The secret part alone: the public id before it may be shown.
  const hidden = keys.map((key) => key.slice(key.lastIndexOf('_') + 1));
  const hits = places.filter((text) => hidden.some((secret) => text.includes(secret))).length;
  problems.check(hits === 0, `${hits} places show a key`);
  return { refused, keys: keys.length, places: places.length, hits };
}

const SCHEMES = ['Bearer', 'bearer', 'Basic', 'Digest', 'Token', 'ApiKey', 'Bearer:', 'Bearer,'];
const CHARACTERS = 'abcABC019_-./+=~:;,@ \t"\'{}[]()<>|%$#!?*&^`\u00e9\u00ff';

/** Returns a header that is not one of our keys, however similar. */
function malformed(random: () => number, key: string): string {
  const other = generateKey().text;
  const at = integerBelow(random, key.length);
  const text = Array.from({ length: integerBelow(random, 300) }, () =>
    pick(random, CHARACTERS.split('')),
  );
  return pick(random, [
    () => text.join(''),
    () => `${pick(random, SCHEMES)} ${text.join('')}`,
    () => `Basic ${Buffer.from(key).toString('base64')}`,
    () => `Bearer ${other}`,
    () => `Bearer ${key.slice(0, at)}`,
    () => `Bearer ${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`,
    () => `Bearer ${key}${key}`,
    () => `Bearer ${key}, Bearer ${other}`,
    () => `Bearer ${key.toUpperCase()}!`,
    () => `Bearer ${'a'.repeat(1 + integerBelow(random, 8_000))}`,
    () => key,
    () => '',
  ])();
}

async function revoked(rounds: number, problems: Problems): Promise<number> {
  await using database = await newDatabase('migrated');
  using folder = temporaryFolder();
  const env = { DATABASE_URL: database.url, OPENSHELF_DATA: folder.path };
  await using all = new AsyncDisposableStack();
  const apps = [];
  for (let at = 0; at < PROCESSES; at += 1) {
    const app = all.use(await openApp(readConfig(env, { port: 0 })));
    apps.push({ app, url: (await app.listen()).url });
  }
  const [first] = apps;
  if (first === undefined) throw new Error('no process');
  let slowestMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    // A separate organization each: a key must not be refused because of its throttle.
    const request = { organization: `many-${round}`, note: null };
    const key = await issueKey(first.app.store.accounts, request, systemClock.now());
    const headers = { authorization: `Bearer ${key.text}` };
    const statusAt = async (url: string) => {
      const answer = await fetch(`${url}/v1/usage`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    for (const { url } of apps)
      problems.check((await statusAt(url)) === 200, 'a new key is refused');
    await first.app.store.accounts.revokeKey(key.id, systemClock.now());
    const fromMs = performance.now();
    await Promise.all(
      apps.map(async ({ url }) => {
        while ((await statusAt(url)) !== 401) {
          if (performance.now() - fromMs > 10 * WITHIN_MS) break;
        }
      }),
    );
    slowestMs = Math.max(slowestMs, performance.now() - fromMs);
  }
  problems.check(
    slowestMs <= WITHIN_MS,
    `a revoked key was accepted for ${Math.round(slowestMs)} ms`,
  );
  return slowestMs;
}
