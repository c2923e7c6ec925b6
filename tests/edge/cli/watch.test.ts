// openshelf watch on the data itself.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a watch is added, listed, paused, resumed, tested and removed; a list is imported once', async () => {
  using folder = temporaryFolder();
  const at = ['--org', 'shop', '--data', folder.path, '--json'];
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(['watch', ...words, ...at]);
    assert.equal(code, 0, stderr + stdout);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as never;
  };
  type Shown = { id: string; state: string; below: number | null; addresses: readonly string[] };
  const nobody = await runCommand(['watch', 'list', ...at]);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stdout, /There is no organization \\"shop\\"/);
  const key = await runCommand([
    'keys',
    'create',
    '--org',
    'shop',
    '--data',
    folder.path,
    '--json',
  ]);
  assert.equal(key.code, 0);
  const none = await runCommand(['watch', 'log', 'x', ...at]);
  assert.match(none.stdout, /no watch x in this organization\. See openshelf watch list\./);
  const added: Shown = await run('add', '614141000005', '--below', '12.50', '--interval', '6h');
  assert.equal(added.below, 12.5);
  const own: Shown & { source: string } = await run(
    'add',
    'https://c.example/own',
    '--source',
    'handed_in',
  );
  assert.equal(own.source, 'handed_in');
  await run('remove', own.id);
  const pages: Shown = await run('add', 'https://a.example/p', 'https://b.example/p');
  assert.deepEqual(pages.addresses, ['https://a.example/p', 'https://b.example/p']);
  const listed: readonly Shown[] = await run('list');
  assert.equal(listed.length, 2);
  assert.equal(((await run('pause', added.id)) as Shown).state, 'paused');
  assert.equal(((await run('resume', added.id)) as Shown).state, 'active');
  const answered: { kind: string } = await run('test', added.id);
  assert.equal(answered.kind, 'test');
  const log: readonly { kind: string }[] = await run('log', added.id);
  assert.deepEqual(
    log.map(({ kind }) => kind),
    ['test'],
  );
  await run('remove', added.id);
  const file = join(folder.path, 'url-list.txt');
  writeFileSync(
    file,
    "https://c.example/p ['kitchen']\r\nhttps://d.example/p \r\nhttp://127.0.0.1/p\r\nlamp\r\n",
  );
  for (let round = 0; round < 2; round += 1) {
    const imported: { watches: number; refused: readonly string[] } = await run('import', file);
    assert.equal(imported.watches, 2);
    assert.equal(imported.refused.length, 2, imported.refused.join());
  }
  assert.equal(((await run('list')) as readonly Shown[]).length, 3, 'no watch twice');
  const words = ['watch', 'import', file, '--interval', '6h', '--org', 'shop', '--json'];
  const other = await runCommand([...words, '--data', folder.path]);
  assert.equal(other.code, 1, 'nothing was made');
  assert.match(other.stdout, /imported before with other settings/);
});

test('of a watch without a channel it is said that nothing is sent, and what shows its notifications', async () => {
  using folder = temporaryFolder();
  const data = ['--data', folder.path];
  const run = (...words: readonly string[]) =>
    runCommand([...words, '--org', 'shop', ...data], { program: 'openshelf' });
  await run('keys', 'create');
  const alone = await run('watch', 'add', '614141000005');
  assert.match(
    alone.stdout,
    /nothing is sent\. openshelf watch log wat_\S+ shows its notifications/,
  );
  const channel = await run('channel', 'add', 'ntfy', '--url', 'https://ntfy.sh/a-topic', '--json');
  const { channel_id: id } = channel.json as { readonly channel_id: string };
  const answered = await run('watch', 'add', '614141000012', '--channels', id);
  assert.equal(answered.code, 0, answered.stderr);
  assert.doesNotMatch(answered.stdout, /nothing is sent/);
});

test('what an option does not take is bad usage, and nothing is made', async () => {
  using folder = temporaryFolder();
  for (const words of [
    ['add', '614141000005', '--interval', '5m'],
    ['add', '614141000005', '--below', 'cheap'],
    ['add'],
    ['sell', 'x'],
  ]) {
    const { code } = await runCommand(['watch', ...words, '--org', 'x', '--data', folder.path]);
    assert.equal(code, 2, words.join(' '));
  }
});
