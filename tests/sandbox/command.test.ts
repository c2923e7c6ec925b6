// openshelf sandbox: describing the world and running it alone.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openApp } from '../../src/edge/app.ts';
import { readEnvFile } from '../../src/edge/cli/env-file.ts';
import type { Io, Values } from '../../src/edge/cli/command.ts';
import { readConfig } from '../../src/edge/config.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { untilQueueIdle } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sandboxCommand } from '../../src/edge/cli/sandbox/sandbox.ts';
import { PUBLIC_ORIGINS } from './retailer-world.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const COMMAND = sandboxCommand({ retailers: PUBLIC_ORIGINS }, () => AT);

/** Runs it until its first line is printed, then stops it. */
async function run(values: Values): Promise<{ readonly code: number; readonly out: string[] }> {
  const stop = new AbortController();
  const out: string[] = [];
  const io: Io = {
    out: (line) => {
      out.push(line);
      queueMicrotask(() => stop.abort());
    },
    err: () => undefined,
    isTerminal: false,
    env: {},
    stop: stop.signal,
  };
  const code = await COMMAND.run({
    values: { products: '120', ...values },
    positionals: [],
    io,
    asCalled: (text) => text,
  });
  return { code, out };
}

test('--describe --json prints one value on one line with every handy identifier', async () => {
  const { code, out } = await run({ describe: true, json: true });
  assert.equal(code, 0);
  assert.equal(out.length, 1);
  const answered = JSON.parse(out[0] ?? '') as Record<string, unknown>;
  const names = ['upc', 'ean', 'isbn', 'gtin', 'item_id', 'asin', 'retailer_b_sku'];
  const others = ['retailer_b_product_id', 'url', 'seller_id', 'first_party_seller_id', 'trouble'];
  for (const name of [...names, ...others, 'retailers', 'credentials']) {
    assert.ok(answered[name], name);
  }
  assert.equal(
    Object.keys(answered['url'] as object).length,
    10,
    'three shops and seven retailers',
  );
});

test('the same seed describes the same world, another one another', async () => {
  const [one, same, other] = [
    await run({ describe: true, json: true }),
    await run({ describe: true, json: true }),
    await run({ describe: true, json: true, seed: '9' }),
  ];
  assert.deepEqual(one.out, same.out);
  assert.notDeepEqual(one.out, other.out);
});

test('--describe alone lists the identifiers for a person', async () => {
  const { out } = await run({ describe: true });
  const text = out.join('\n');
  for (const word of ['retailer_b_product_id', 'trouble at retailer_t', 'wrong_barcode']) {
    assert.ok(text.includes(word), word);
  }
});

test('without --describe it runs, prints its addresses, and stops on a signal', async () => {
  const { code, out } = await run({ json: true });
  assert.equal(code, 0);
  const { origins, OPENSHELF_ORIGINS: setting } = JSON.parse(out[0] ?? '') as {
    origins: Record<string, string>;
    OPENSHELF_ORIGINS: string;
  };
  assert.equal(setting.split(',').length, Object.keys(origins).length);
  assert.match(setting, /^https:\/\/[^,=]+=http:\/\/127\.0\.0\.1:\d+/);
});

test('numbers out of range and arguments that mean nothing are bad usage', async () => {
  for (const values of [{ seed: 'x' }, { products: '1' }, { 'port-base': '70000' }]) {
    await assert.rejects(run(values), { name: 'UsageError' });
  }
});

/** Runs --apis, saves what it prints as .env, and passes the settings of that file on while the servers run. */
async function withApis(
  chosen: (line: string) => boolean,
  use: (installation: { env: NodeJS.ProcessEnv; folder: string; text: string }) => Promise<void>,
): Promise<void> {
  using folder = temporaryFolder();
  const stop = new AbortController();
  const out: string[] = [];
  const printed = Promise.withResolvers<void>();
  const running = sandboxCommand({ retailers: publicOrigins() }, Date.now).run({
    values: { apis: true, products: '60' },
    positionals: [],
    io: {
      out: (line) => {
        out.push(line);
        queueMicrotask(printed.resolve);
      },
      err: () => undefined,
      isTerminal: false,
      env: {},
      stop: stop.signal,
    },
    asCalled: (text) => text,
  });
  try {
    await printed.promise;
    writeFileSync(join(folder.path, '.env'), out.filter(chosen).join('\n'));
    const { env } = readEnvFile({}, folder.path);
    await use({ env, folder: folder.path, text: out.join('\n') });
  } finally {
    stop.abort();
    assert.equal(await running, 0);
  }
}

test('what --apis prints is the .env of an installation with keys: its APIs answer, the pages refuse', async () => {
  await withApis(
    () => true,
    async ({ env, folder, text }) => {
      const upc = /barcode (\d+)/.exec(text)?.[1] ?? '';
      const config = readConfig(env, { dataDir: join(folder, 'data'), port: 0 });
      await using app = await openApp(config);
      const { url } = await app.listen();
      const key = await issueKey(
        app.store.accounts,
        { organization: 'me', note: null },
        Date.now(),
      );
      const ask = async (path: string) => {
        const answer = await fetch(`${url}/v1${path}`, {
          headers: { authorization: `Bearer ${key.text}` },
        });
        return { status: answer.status, body: JSON.parse(await answer.text()) as Answered };
      };
      const states = (await ask('/retailers')).body.retailers ?? [];
      const used = states.flatMap(({ sources }) =>
        sources.filter((each) => each.official_api && each.configured).map(({ name }) => name),
      );
      assert.deepEqual(used.toSorted(), [
        'affiliate',
        'browse',
        'creators',
        'marketplace',
        'open_box',
        'products',
        'selling_partner',
      ]);
      await ask(`/products/${upc}?include_cross_retailer=true&identifier_match=any`);
      await untilQueueIdle(app, systemClock);
      const { status, body } = await ask(
        `/products/${upc}?include_cross_retailer=true&identifier_match=any`,
      );
      assert.equal(status, 200);
      const cells = Object.entries(body.cross_retailer ?? {});
      for (const [slug, cell] of cells) {
        const isApi = ['retailer_w', 'retailer_a', 'retailer_e', 'retailer_b'].includes(slug);
        assert.equal(cell.status === 'ok', isApi, `${slug}: ${cell.status}`);
        if (isApi) assert.equal(cell._via, 'official_api', slug);
      }
      assert.equal(cells.length, 7);
      await app.stop(1_000);
    },
  );
});

type Answered = {
  readonly retailers?: readonly {
    readonly sources: readonly {
      readonly name: string;
      readonly official_api: boolean;
      readonly configured: boolean;
    }[];
  }[];
  readonly cross_retailer?: Readonly<Record<string, { status: string; _via?: string }>>;
};

test('without the lines of a source, the installation starts without that source', async () => {
  await withApis(
    (line) => line.startsWith('OPENSHELF_ORIGINS=') || line.startsWith('OPENSHELF_RETAILER_A_SP_'),
    async ({ env, folder }) => {
      const config = readConfig(env, { dataDir: folder, port: 0 });
      assert.deepEqual(Object.keys(config.credentials), ['retailer_a']);
    },
  );
});
