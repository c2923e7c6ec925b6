// openshelf channel on the data itself, and the key that its secrets are encrypted with.

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { runCommand } from '../../support/command.ts';
import { startReceiver } from '../../support/receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const receiver = await startReceiver();
after(() => receiver[Symbol.asyncDispose]());

type Shown = { channel_id: string; state: string; signing_secret: string | null };

test('a channel is made, tested, paused and removed; backups leave the key of its secrets out', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const env = { OPENSHELF_NOTIFY_ALLOW: receiver.place };
  const run = async (words: readonly string[], code = 0) => {
    const done = await runCommand([...words, '--data', data, '--json'], { env });
    assert.equal(done.code, code, done.stderr + done.stdout);
    return JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '') as never;
  };
  const org = ['--org', 'shop'];
  await run(['keys', 'create', ...org]);
  const url = `${receiver.url}/secret-path-4711`;
  const made: Shown = await run(['channel', 'add', 'webhook', ...org, '--url', url]);
  assert.match(made.signing_secret ?? '', /^whsec_/);
  const key = join(data, 'secrets.key');
  assert.equal(statSync(key).mode & 0o777, 0o600, 'only its owner reads it');
  const came: { outcome: string } = await run(['channel', 'test', made.channel_id, ...org]);
  assert.equal(came.outcome, 'delivered');
  assert.equal(receiver.received.at(-1)?.path, '/secret-path-4711');
  const paused: Shown = await run(['channel', 'pause', made.channel_id, ...org]);
  assert.equal(paused.state, 'paused');
  const resumed: Shown = await run(['channel', 'resume', made.channel_id, ...org]);
  assert.equal(resumed.state, 'active');
  mkdirSync(join(folder.path, 'copies'));
  const backup = join(folder.path, 'copies', 'one.db');
  await run(['backup', backup]);
  const secrets = ['secret-path-4711', made.signing_secret?.slice(6) ?? '', keyIn(key)];
  for (const name of readdirSync(join(folder.path, 'copies'))) {
    const text = readFileSync(join(folder.path, 'copies', name), 'latin1');
    for (const secret of secrets) assert.ok(!text.includes(secret), `${name} has a secret`);
  }
  renameSync(key, join(folder.path, 'kept.key'));
  const lost: { outcome: string; detail: string } = await run(
    ['channel', 'test', made.channel_id, ...org],
    1,
  );
  assert.match(lost.detail, /a key that is missing here .*OPENSHELF_SECRETS_KEY/);
  assert.ok(!existsSync(key), 'no new key hides that the old one is missing');
  renameSync(join(folder.path, 'kept.key'), key);
  chmodSync(key, 0o600);
  const again: { outcome: string } = await run(['channel', 'test', made.channel_id, ...org]);
  assert.equal(again.outcome, 'delivered');
  await run(['channel', 'remove', made.channel_id, ...org]);
  const left: readonly Shown[] = await run(['channel', 'list', ...org]);
  assert.deepEqual(left, []);
});

test('what is wrong with a channel is said in words, without what was sent', async () => {
  using folder = temporaryFolder();
  const at = ['--org', 'shop', '--data', folder.path];
  await runCommand(['keys', 'create', ...at]);
  const WRONG: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['add', 'fax'], 2, /"fax" is not a kind of channel/],
    [['add', 'webhook'], 1, /Option --url is missing\. Send an absolute address/],
    [['add', 'telegram', '--bot-token', '4711'], 1, /Option --bot-token: Send the token/],
    [['add', 'webhook', '--url', 'http://127.0.0.1/token-4711'], 1, /This address is not allowed/],
    [['add', 'email', '--to', 'a@shop.example'], 1, /OPENSHELF_SMTP_URL/],
    [['add', 'slack', '--url', '-', '--token', '-'], 2, /Only one value/],
    [['test', 'chn_none'], 1, /There is no channel chn_none/],
    [['send'], 2, /Unknown action "send"/],
  ];
  for (const [words, code, said] of WRONG) {
    const done = await runCommand(['channel', ...words, ...at]);
    assert.equal(done.code, code, done.stderr);
    assert.match(done.stderr, said);
    assert.ok(!done.stderr.includes('4711'));
  }
});

function keyIn(path: string): string {
  return readFileSync(path, 'utf8').trim();
}
