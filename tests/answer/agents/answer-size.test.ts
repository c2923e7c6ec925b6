// The size of the agent tools' answers over random products of the simulated market, in bytes of the whole result (text and
// structured content together).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createBudget } from '../../../src/answer/agents/budget.ts';
import { TOOLS } from '../../../src/answer/agents/tools.ts';
import { openApp } from '../../../src/edge/app.ts';
import { shelfHere } from '../../../src/edge/cli/products/shelf-here.ts';
import {
  openSandbox,
  withSandbox,
  withSandboxSearch,
} from '../../../src/edge/cli/sandbox-config.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { pick, randomFrom, seedOf } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PRODUCTS = 15;

test('no tool answers in more than its bytes, whatever the product', async (t) => {
  const seed = seedOf(61);
  t.diagnostic(`seed ${seed}`);
  using folder = temporaryFolder();
  await using sandbox = await openSandbox({ seed, products: 40 });
  const env = { OPENSHELF_DATA: folder.path, OPENSHELF_HOST_INTERVAL_MS: '0' };
  const config = withSandboxSearch(withSandbox(readConfig(env, {}), sandbox), sandbox);
  await using app = await openApp(config);
  const stop = new AbortController().signal;
  const parts = { shelf: shelfHere({ app, stop, owner: null }), budget: createBudget(null) };
  const random = randomFrom(seed);
  // A slow shop would only make the test wait for its deadline.
  const sound = sandbox.market().catalog.filter(({ trouble }) => trouble?.kind !== 'slow');
  for (let asked = 0; asked < PRODUCTS; asked += 1) {
    const { gtin14: identifier, title } = pick(random, sound);
    const answers = {
      lookup: await TOOLS.lookup.run(parts, { identifier }),
      detail: await TOOLS.lookup.run(parts, { identifier, detail: true }),
      compare: await TOOLS.compare.run(parts, { identifier, cost: 5, roi: 30 }),
      history: await TOOLS.history.run(parts, { identifier, retailer: 'all' }),
      offers: await TOOLS.offers.run(parts, { identifier }),
      find: await TOOLS.find.run(parts, { words: title }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const bytes = Buffer.byteLength(JSON.stringify(answer));
      const most = name === 'detail' ? 16_384 : 2_048;
      assert.ok(bytes <= most, `${name} of ${identifier}: ${bytes} bytes, at most ${most}`);
    }
  }
});
