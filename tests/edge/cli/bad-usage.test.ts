// A command that is called incorrectly: exit code 2, the problem and the correct usage on stderr, and with --json the
// problem as JSON on stdout. Nothing that was not understood is guessed or done.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { runCommand } from '../../support/command.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;
before(() => {
  folder = temporaryFolder();
});
after(() => folder[Symbol.dispose]());

const URL = 'https://shop.example.com/';
const NUMBER = 'takes a whole number from';
const WHEN = '--expires takes a time from now (90d, 12h, 30m), a day (2027-01-31) or an instant';
const SLUG = '--retailer takes a slug such as retailer_w or acorn (2 to 30 of a-z and 0-9)';
const EXTRA = 'Unexpected argument "extra".';
const ONE =
  'Unexpected argument "b". Specify one IDENTIFIER; put it in quotes if it contains spaces.';
const ANY_URL = 'must be an address like postgres://user:password@host:5432/database';

const BAD_USAGE: readonly (readonly [args: readonly string[], said: string])[] = [
  [['lokup'], 'Unknown command "lokup". Did you mean "lookup"? Run openshelf --help for the list.'],
  [['look'], 'Unknown command "look". Did you mean "lookup"? Run openshelf --help for the list.'],
  [['no-such-command'], 'Unknown command "no-such-command". Run openshelf --help for the list.'],
  [['help', 'lokup'], 'Unknown command "lokup". Did you mean "lookup"?'],
  [['serve', '--prot', '1'], 'Unknown option "--prot". Did you mean "--port"?'],
  [['lookup', 'x', '--forced'], 'Unknown option "--forced".'],
  [['lookup', 'x', '--no-such-flag'], 'Unknown option "--no-such-flag".'],
  [['check', '-z'], 'Unknown option "-z".'],
  [['check', '--constructor'], 'Unknown option "--constructor".'],
  [['serve', '--port'], '--port needs a value.'],
  [
    ['serve', '--port', '--sandbox'],
    '--port needs a value. If "--sandbox" is the value, write --port=--sandbox.',
  ],
  [['check', '--data'], '--data needs a value.'],
  [['quality', '--strict=yes'], '--strict takes no value.'],
  [['lookup'], 'IDENTIFIER is missing.'],
  [['lookup', 'a', 'b'], ONE],
  [
    ['lookup', '614141000005', '--force-refresh'],
    '--force-refresh fetches from one retailer. Specify it with --retailer SLUG.',
  ],
  [['history'], 'IDENTIFIER is missing.'],
  [['history', 'a', 'b'], ONE],
  [
    ['history', '036000291452', '--timeframe', '60d'],
    '--timeframe takes 7d, 30d, 90d, 1y or all, not "60d".',
  ],
  [
    ['history', '036000291452', '--retailer', 'Shop.example'],
    `${SLUG} or all, not "Shop.example".`,
  ],
  [['identify'], 'IDENTIFIER is missing.'],
  [['identify', 'a', 'b'], ONE],
  [['parse', 'x.html'], 'Option --url is missing.'],
  [['parse', 'x.html', '--url', 'not an address'], '--url takes an address such as https://'],
  [['parse', 'x.html', 'extra', '--url', URL], `${EXTRA} Specify one FILE`],
  [['parse', 'x.html', '--url', URL, '--retailer', 'No Slug'], `${SLUG}, not "No Slug".`],
  [['keys'], 'The action is missing: create, list, rotate or revoke.'],
  [['keys', 'creat'], 'Unknown action "creat". Did you mean "create"?'],
  [['keys', 'toString'], 'Unknown action "toString". Use create, list, rotate or revoke.'],
  [['keys', 'create'], 'Option --org is missing.'],
  [['keys', 'create', '--org='], 'Option --org is missing.'],
  [['keys', 'create', '--org', 'x', '--quota', 'many'], `--quota ${NUMBER} 0 to`],
  [
    ['keys', 'create', '--org', 'x', '--scopes', 'products:write'],
    'Unknown scope "products:write". --scopes takes some of products:read, products:refresh, ' +
      'pages:submit, pages:share, rules:write, admin.',
  ],
  [['keys', 'create', '--org', 'x', '--expires', '2026-02-30'], WHEN],
  [
    ['keys', 'create', '--org', 'x', '--expires', '2020-01-01'],
    '--expires 2020-01-01 is in the past.',
  ],
  [['keys', 'create', '--org', 'x', '--expires', 'soon'], WHEN],
  [
    ['keys', 'create', '--org', 'x', '--expires', '0d'],
    '--expires 0d would expire the key at once.',
  ],
  [['keys', 'rotate', 'aaaaaaaa', '--expires', '0m'], '--expires 0m would expire the key at once.'],
  [['keys', 'create', '--org', 'x', 'extra'], EXTRA],
  [['keys', 'list', '--org', 'x', 'extra'], EXTRA],
  [['keys', 'rotate'], 'ID is missing.'],
  [['keys', 'revoke', 'aaaaaaaa', 'extra'], `${EXTRA} Specify one ID`],
  [['keys', 'rotate', 'aaaaaaaa', '--scopes', 'read'], '--scopes is not an option of keys rotate.'],
  [['keys', 'list', '--org', 'x', '--note', 'y'], '--note is not an option of keys list.'],
  [['orgs', 'list', '--quota', '5'], '--quota is not an option of orgs list.'],
  [['orgs', 'grant', 'x', '5', '--burst', '5'], '--burst is not an option of orgs grant.'],
  [['watch', 'list', '--org', 'x', '--below', '5'], '--below is not an option of watch list.'],
  [['channel', 'test', 'x', '--org', 'x', '--to', 'y'], '--to is not an option of channel test.'],
  [
    ['lookup', '--file', 'a', '--out', 'b.csv', '--retailer', 'retailer_w'],
    '--retailer is not an option of lookup --file.',
  ],
  [
    ['lookup', '--file', 'a', '--out', 'b.csv', '--force-refresh'],
    '--force-refresh is not an option of lookup --file.',
  ],
  [
    ['lookup', '--file', 'a', '--out', 'b.csv', '--format', 'UPC'],
    '--format is not an option of lookup --file.',
  ],
  [['takedown', '--list', '--dry-run'], '--dry-run is not an option of takedown --list.'],
  [
    ['takedown', '--undo', 'shop.example', '--retailer'],
    '--retailer is not an option of takedown --undo.',
  ],
  [
    ['takedown', '*.shop.example'],
    '"*.shop.example" is not a host. Give only its name: shop.example; it covers all hosts below it.',
  ],
  [
    ['takedown', '.shop.example'],
    '".shop.example" is not a host. Give only its name: shop.example; it covers',
  ],
  [
    ['takedown', 'shop..example'],
    '"shop..example" is not a host. Give only its name: shop.example.com; it covers',
  ],
  [
    ['takedown', 'sh!op.example'],
    '"sh!op.example" is not a host. Give only its name: shop.example.com; it covers',
  ],
  [
    ['watch', 'add', 'x', '--org', 'x', '--interval', '5m'],
    '--interval takes a number with m, h or d, from 1h to 30d, such as 6h, not "5m".',
  ],
  [['watch', 'add', 'x', '--org', 'x', '--new-low', '31'], '--new-low takes 30 or 90, not "31".'],
  [['orgs'], 'The action is missing: create, list, set or grant.'],
  [['orgs', 'create'], 'NAME is missing.'],
  [['orgs', 'create', 'x', 'extra'], `${EXTRA} Specify one NAME`],
  [['orgs', 'list', 'extra'], EXTRA],
  [['orgs', 'set'], 'NAME is missing.'],
  [['orgs', 'set', 'x'], 'Nothing to set. Use --quota, --throttle or --burst.'],
  [['orgs', 'set', 'x', '--throttle', '0'], `--throttle ${NUMBER} 1 to`],
  [['orgs', 'grant'], 'NAME and TOKENS are missing.'],
  [['orgs', 'grant', 'x'], 'TOKENS is missing.'],
  [['orgs', 'grant', 'x', '0'], 'TOKENS must be a whole number from 1 to 1000000000000, not "0".'],
  [['orgs', 'grant', 'x', '--', '-5'], 'TOKENS must be a whole number from 1'],
  [['orgs', 'grant', 'x', '-5'], 'Unknown option "-5".'],
  [['orgs', 'grant', 'x', '5', 'extra'], EXTRA],
  [['usage'], 'Option --org is missing.'],
  [['usage', '--org', 'x', 'extra'], EXTRA],
  [['serve', '--port', '70000'], `--port ${NUMBER} 0 to 65535, not "70000".`],
  [['serve', '--port', 'any'], `--port ${NUMBER} 0 to 65535, not "any".`],
  [['serve', 'extra'], EXTRA],
  [['demo', 'extra'], EXTRA],
  [['sandbox', 'extra'], EXTRA],
  [['check', 'extra'], EXTRA],
  [['backup'], 'FILE is missing.'],
  [['dump'], 'FILE is missing.'],
  [['dump', 'a', 'extra'], `${EXTRA} Specify one FILE`],
  [['dump', '-', '--json'], '--json needs a file: with - the dump itself goes to standard output.'],
  [['load'], 'FILE is missing.'],
  [['load', 'a', '--replace'], 'Unknown option "--replace".'],
  [['export', 'extra'], EXTRA],
  [['export', '--json'], '--json requires --output: without it the rows go to stdout.'],
  [['export', '--format', 'xml'], '--format takes csv, xlsx, jsonl or parquet, not "xml".'],
  [['import'], 'FILE is missing.'],
  [['import', 'x.csv', 'extra'], `${EXTRA} Specify one FILE`],
  [['import', 'a.csv', '--format', 'xml'], '--format takes csv or jsonl, not "xml".'],
  [
    ['import', 'a.csv', '--currency', 'dollars'],
    '--currency takes an ISO 4217 code such as USD, not "dollars".',
  ],
  [['quality', '--days', '0'], `--days ${NUMBER} 1 to 45, not "0".`],
  [['quality', '--days', '46'], `--days ${NUMBER} 1 to 45, not "46".`],
  [['quality', '--retailer', 'No Slug'], `${SLUG}, not "No Slug".`],
  [['quality', 'retailer_w'], 'Unexpected argument "retailer_w".'],
  [['migrate-store'], 'Option --from is missing.'],
  [['migrate-store', '--from', 'a'], 'Option --to is missing.'],
  [['migrate-store', '--to', 'a'], 'Option --from is missing.'],
  [['migrate-store', '--from', 'a', '--to', 'a'], '--from and --to are the same place.'],
  [['migrate-store', '--from', 'a', '--to', 'b', 'extra'], EXTRA],
  [['migrate-store', '--from', 'a', '--to', 'mysql://u:secret@h/x'], `--to ${ANY_URL}.`],
  [['migrate-store', '--from', 'a', '--to', 'postgres://u:secret@h'], '--to names no database'],
  [
    ['migrate-store', '--from', 'DATABASE_URL', '--to', 'b'],
    '--from is DATABASE_URL, but that setting is not set.',
  ],
  [
    ['migrate-store', '--from', 'postgres://u:one@h/x', '--to', 'postgres://u:secret@h/x'],
    '--from and --to are the same place.',
  ],
];

for (const [args, said] of BAD_USAGE) {
  test(`bad usage exits 2 and says how: openshelf ${args.join(' ')}`, async () => {
    const env = { OPENSHELF_DATA: join(folder.path, 'data') };
    const end = args.includes('--') ? args.indexOf('--') : args.length;
    const asked = await runCommand(args.toSpliced(end, 0, '--json'), { env });
    assert.equal(asked.code, 2, asked.stderr);
    const { code, detail } = asked.json as { readonly code: string; readonly detail: string };
    assert.equal(code, 'bad_usage');
    assert.equal(asked.out.length, 1);
    assert.ok(asked.stderr.includes(`: ${detail}\n\nUsage: openshelf `), asked.stderr);
    assert.doesNotMatch(asked.stderr, /u:secret/);
    if (args.includes('--json')) return assert.equal(detail, said);
    const plain = await runCommand(args, { env });
    assert.deepEqual([plain.code, plain.stdout], [2, '']);
    assert.ok(plain.stderr.includes(`: ${said}`), plain.stderr);
    assert.match(plain.stderr, /^Usage: openshelf /m);
    assert.ok(plain.stderr.split('\n').length <= 24, 'what is wrong stays on the screen');
    assert.deepEqual(existsSync(env.OPENSHELF_DATA), false);
  });
}

test('without a command the program says which there are', async () => {
  const done = await runCommand([]);
  assert.deepEqual([done.code, done.stdout], [2, '']);
  assert.match(done.stderr, /^Usage: openshelf <command>/m);
});

test('what is asked with options is answered in words of options', async () => {
  const done = await runCommand(['lookup', '614141000005', '--force-refresh']);
  assert.match(done.stderr, /--force-refresh .*--retailer/);
  assert.doesNotMatch(done.stderr, /force_refresh|retailer=/);
});
