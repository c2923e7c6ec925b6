// openshelf rules: a rule is listed, tested, given to another installation as a file, and removed (D85).

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { insertRule } from '../../../src/data/answers/page-rules.ts';
import { chosenAmong } from '../../../src/read/candidates/page-rules.ts';
import { readCandidates } from '../../../src/read/candidates/candidates.ts';
import { savedPage } from '../../../src/edge/cli/products/saved-page.ts';
import { runCommand } from '../../support/command.ts';
import { startService } from '../../support/service.ts';

const page = (price: string, label = 'Our price', cell = 'now') =>
  `<h1>Desk lamp</h1><p>Member price</p><b class="member">€49.90</b><p>${label}</p><b class="${cell}">€${price}</b><p>Free delivery</p>`;

function placed(html: string) {
  const read = readCandidates(savedPage(Buffer.from(html), { url: 'https://lamps.example/' }));
  const { candidates } = read.kind === 'read' ? read.value : assert.fail();
  return candidates.flatMap(({ said, shown }) => (shown === null ? [] : [{ said, ...shown }]));
}

test('a rule goes to another installation as a file, and is tested there on kept texts and on a page', async () => {
  await using one = await startService();
  await using two = await startService();
  const texts = placed(page('59.90'));
  const chosen = texts.find(({ said }) => said.field === 'price' && said.money.cents === 5_990);
  assert.ok(chosen !== undefined);
  const made = chosenAmong(chosen, texts);
  await insertRule(one.app.store.sql, {
    id: 'rul_0123456789012345678901',
    organizationId: null,
    author: 'key',
    host: 'lamps.example',
    field: 'price',
    choice: JSON.stringify(made.choice),
    snapshot: JSON.stringify(made.snapshot),
    createdAtMs: 1_000,
  });
  const run = async (service: typeof one, ...args: string[]) =>
    await runCommand(['rules', ...args], { env: service.dataEnv });
  const exported = await run(one, 'export', 'rul_0123456789012345678901');
  assert.equal(exported.code, 0, exported.err.join());
  const file = join(two.dataDir, 'rule.json');
  writeFileSync(file, exported.out.join('\n'));
  await two.newKey({ organization: 'them', note: null });
  const refusal = await run(two, 'import', file);
  assert.equal(refusal.code, 2, 'whose it is has to be said');
  const imported = await run(two, 'import', file, '--org', 'them', '--json');
  assert.equal(imported.code, 0, imported.err.join());
  const { id } = JSON.parse(imported.out.join('')) as { id: string };
  const again = await run(two, 'export', id);
  const withoutDate = (text: string) => text.replace(/"created_at":"[^"]*"/, '');
  assert.equal(withoutDate(again.out.join('')), withoutDate(exported.out.join('')));
  const [line] = (await run(two, 'list', '--org', 'them')).out;
  assert.equal(line, `${id}  lamps.example  price  organization  59.9 EUR  unused`);
  assert.equal((await run(two, 'test', id)).code, 0);
  for (const [html, state, code] of [
    [page('64.90'), 'used', 0],
    [page('64.90', 'Today'), 'doubtful', 0],
    [page('64.90', 'Today', 'x'), 'withdrawn', 1],
  ] as const) {
    const saved = join(two.dataDir, 'page.html');
    writeFileSync(saved, html);
    const tested = await run(two, 'test', id, saved, '--json');
    const { state: was } = JSON.parse(tested.out.join('')) as { state: string };
    assert.deepEqual([was, tested.code], [state, code]);
  }
  const good = exported.out.join('');
  for (const [part, hostile] of [
    [good, '{"openshelf_rule":1}'],
    ['"lamps.example"', '"www.lamps.example"'],
    ['"lamps.example"', '"lamps.example."'],
    ['"lamps.example"', '"../lamps"'],
    ['"5990 EUR"', '"NaN EUR"'],
    ['"5990 EUR"', '"1e999 EUR"'],
    ['{"openshelf_rule"', '{"__proto__":{},"openshelf_rule"'],
  ] as const) {
    assert.ok(good.includes(part));
    writeFileSync(file, good.replace(part, hostile));
    assert.equal((await run(two, 'import', file, '--everyone')).code, 1, hostile);
  }
  assert.equal((await run(two, 'remove', id)).code, 0);
  assert.deepEqual((await run(two, 'list')).out, ['There are no rules.']);
});
