// openshelf sandbox: describing the world and running it alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Io, Values } from '../../src/edge/cli/command.ts';
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
  const told = JSON.parse(out[0] ?? '') as Record<string, unknown>;
  const names = ['upc', 'ean', 'isbn', 'gtin', 'item_id', 'asin', 'retailer_b_sku'];
  const others = ['retailer_b_product_id', 'url', 'seller_id', 'first_party_seller_id', 'trouble'];
  for (const name of [...names, ...others, 'retailers', 'credentials']) {
    assert.ok(told[name], name);
  }
  assert.equal(Object.keys(told['url'] as object).length, 10, 'three shops and seven retailers');
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

test('without --describe it runs, says where, and stops when told to', async () => {
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
