// A newcomer's mistakes, and the answer to each: what is wrong, and what to do. No wording of the runtime or the system
// appears in any of them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { COMMAND_NAMES } from '../../../src/edge/cli/commands.ts';
import { readEnvFile, envFileRemark } from '../../../src/edge/cli/env-file.ts';
import { run } from '../../../src/edge/cli/run.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { runCommand, serveCommand } from '../../support/command.ts';
import { runProgram } from '../../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;
let data: string;

before(async () => {
  folder = temporaryFolder();
  data = join(folder.path, 'data');
  for (const place of [data, join(folder.path, 'tried', 'demo')]) {
    assert.equal((await runCommand(['keys', 'create', '--org', 'me', '--data', place])).code, 0);
  }
  writeFileSync(join(folder.path, 'x.csv'), 'a;b\n');
});
after(() => folder[Symbol.dispose]());

/** Words that only an author of this program understands. */
const RIDDLES =
  /\b(?:E[A-Z]{4,}|SQLITE_\w+|undefined|null|NaN|TypeError|at file:)\b|--\s|positional/;

type Mistake = readonly [args: string, said: RegExp, env?: Readonly<Record<string, string>>];

/** `@` stands for the folder of the test. */
const MISTAKES: readonly Mistake[] = [
  ['lokup 614141000005', /Unknown command "lokup"\. Did you mean "lookup"\?/],
  ['start', /Unknown command "start"\. .*Run openshelf --help for the list/],
  ['serve --prot 1', /Unknown option "--prot"\. Did you mean "--port"\?/],
  ['serve -p 8080', /Unknown option "-p"\. There is no short form: use --port or --products/],
  ['serve --port abc', /--port takes a whole number from 0 to 65535, not "abc"/],
  ['serve --port', /--port needs a value/],
  ['serve 8080', /Unexpected argument "8080"/],
  ['serve --products 100', /--products applies only to the simulated market\. Add --sandbox/],
  ['serve --seed 1', /--seed applies only to the simulated market\. Add --sandbox/],
  ['serve --sandbox --products 5', /--products takes a whole number from 20 to 50000, not "5"/],
  ['sandbox --products 5', /--products takes a whole number from 20 to 50000, not "5"/],
  ['serve --workers 2', /the embedded database belongs to one process\. Set DATABASE_URL/],
  ['serve', /PORT \(--port\) must be a whole number/, { PORT: 'abc' }],
  ['serve', /Unknown setting OPENSHELF_PROT\. Did you mean PORT\?/, { OPENSHELF_PROT: '1' }],
  [
    'serve',
    /Unknown setting OPENSHELF_DATABASE_URL\. Did you mean DATABASE_URL\?/,
    { OPENSHELF_DATABASE_URL: 'x' },
  ],
  ['serve', /OPENSHELF_CONTACT must be an e-mail address, or an http/, { OPENSHELF_CONTACT: 'me' }],
  ['check', /DATABASE_URL must be an address like postgres:/, { DATABASE_URL: 'mysql://x' }],
  [
    'serve --data /proc/x/y',
    /\/proc\/x\/y: no folder can be created there; choose another location/,
  ],
  ['serve --data @/x.csv', /it is a file; specify a folder/],
  ['keys', /The action is missing: create, list, rotate or revoke/],
  ['keys ls', /Unknown action "ls"\. Did you mean "list"\?/],
  ['keys create', /Option --org is missing/],
  ['keys create me', /Unexpected argument "me"\. Specify the organization with --org me/],
  ['keys list --org you --data @/data', /no organization "you"\. openshelf orgs list shows all/],
  ['keys revoke zzz --data @/data', /no active key "zzz"\. openshelf keys list shows the ids/],
  ['keys create --org me --expires soon', /--expires takes a time from now \(90d, 12h, 30m\)/],
  ['orgs set --org x', /Unknown option "--org"\. NAME is not an option: write it without dashes/],
  ['orgs set me', /Nothing to set\. Use --quota, --throttle or --burst/],
  [
    'orgs create me --quota 1e6',
    /--quota takes a whole number from 0 to 999999999999999, not "1e6"/,
  ],
  ['orgs create me --data @/data', /"me" already exists\. Change it with openshelf orgs set/],
  ['usage --org you --data @/data', /no organization "you"\. openshelf orgs list shows all/],
  [
    'check --data @/nowhere',
    /There is no data in .*nowhere\. Specify the folder with --data or OPENSHELF_DATA/,
  ],
  ['console --data @/nowhere', /There is no data in .*nowhere\. Specify the folder with --data/],
  [
    'console --data @/tried',
    /no data in .*tried\. The demo's data is in .*demo: use --data .*demo/,
  ],
  ['channel add webhook --org me --data @/data', /Option --url is missing/],
  ['import @/nope --data @/data', /nope does not exist/],
  ['import @ --data @/data', /is a folder\. Specify a file in it/],
  ['import @/x.csv --data @/data', /the first line names none of the columns retailer/],
  [
    'export --output @/x.pdf --data @/data',
    /ends in \.pdf, but an export is written as \.csv, \.jsonl, \.xlsx or \.parquet/,
  ],
  ['export --output @/nope/x.csv --data @/data', /The folder .*nope does not exist/],
  ['export --format pdf', /--format takes csv, xlsx, jsonl or parquet, not "pdf"/],
  ['backup @/x.csv --data @/data', /already exists: choose another file name/],
  ['restore @/nope', /nope does not exist/],
  ['restore @/x.csv --data @/data --replace', /not an SQLite database\. Choose another backup/],
  ['takedown https://shop.example.org/p', /Give only its name: shop\.example\.org/],
  ['takedown co.uk', /anyone can register a name below it/],
  [
    'history 614141000005 --data @/data',
    /A history begins with the first lookup of the product: look it up first/,
  ],
  ['parse @/x.csv --url shop', /--url takes an address such as https:/],
  ['lookup', /IDENTIFIER is missing/],
  ['lookup 614141000005 --force-refresh', /Specify it with --retailer SLUG/],
  ['identify hello', /"hello" is not an identifier\. Accepted are a UPC/],
  ['identify 12345', /"12345" has 5 digits\. Accepted are/],
  ['identify B01000000', /has 9 characters; an ASIN has 10/],
  [
    'identify shop.example.com/p/lamp',
    /An address begins with https:\/\/: send https:\/\/shop\.example\.com\/p\/lamp/,
  ],
  ['identify http://', /not the address of a page: it needs https:\/\/ and the name of a host/],
  [
    'identify 6141410000051',
    /The check digit of 6141410000051 is wrong: for the digits before it, it would be 2/,
  ],
  ['identify 6.14141E+11', /how a spreadsheet shows a long number: its last digits are lost/],
  ['identify ="614141000005"', /has a spreadsheet's signs around it: send 614141000005/],
  ['identify 2000000000008', /restricted-circulation number/],
  ['identify (01)9506000134352', /with its leading zeros it is \(01\)09506000134352/],
  ['identify https://id.gs1.org/ARHKVAdpQg', /compressed GS1 Digital Link/],
  ['identify 614141000005 --format EAM', /format must be one of UPC, EAN, ISBN/],
];

for (const [line, said, env = {}] of MISTAKES) {
  if (line.includes('/proc/') && !existsSync('/proc/self')) continue;
  const shown = [...Object.entries(env).map((each) => each.join('=')), 'openshelf', line].join(' ');
  test(`a newcomer's mistake is explained: ${shown}`, async () => {
    const args = line.split(' ').map((each) => each.replace('@', folder.path));
    const done = await runCommand(args, {
      env: { OPENSHELF_DATA: join(folder.path, 'new'), ...env },
    });
    assert.notEqual(done.code, 0, done.stdout);
    assert.equal(done.stdout, '');
    const [message = ''] = done.stderr.split('\n\n');
    assert.match(message, said);
    assert.doesNotMatch(message, RIDDLES);
  });
}

for (const line of [
  '',
  '--help',
  'lokup',
  ...COMMAND_NAMES.map((name) => `${name} --help`),
  'keys',
  'keys list --org you --data @/data',
  'doctor',
]) {
  test(`where nothing put openshelf on the PATH, texts name commands as they are called: ${line}`, async () => {
    const args = line === '' ? [] : line.split(' ').map((each) => each.replace('@', folder.path));
    const env = { OPENSHELF_DATA: join(folder.path, 'new') };
    const done = await runCommand(args, { program: './bin/openshelf', env });
    const said = `${done.stdout}${done.stderr}`;
    assert.match(said, /\.\/bin\/openshelf /);
    const known = COMMAND_NAMES.join('|');
    assert.doesNotMatch(said, new RegExp(`(?<!/)\\bopenshelf (?:--|<|(?:${known})(?![\\w:-]))`));
  });
}

test('every command that a checkout suggests can be run from the same folder', async () => {
  const here = folder.path;
  const { stderr } = await runProgram(['keys', 'list', '--org', 'you', '--data', data], {}, here);
  const [, printed = ''] = /(\S+) orgs list shows all/.exec(stderr) ?? [];
  const ran = spawnSync(printed, ['orgs', 'list', '--data', data], { cwd: here, encoding: 'utf8' });
  assert.match(ran.stdout, /^me\b/, `${printed}: ${ran.stderr}`);
});

test('a key that makes the data it is in says so, because a service may run on other data', async () => {
  const args = ['keys', 'create', '--org', 'me', '--data', join(folder.path, 'mistyped')];
  const [first, second] = [await runCommand(args), await runCommand(args)];
  assert.match(
    first.stderr,
    /There was no data in .*mistyped before this command\. A service that uses other data/,
  );
  assert.doesNotMatch(second.stderr, /no data/);
});

test('the log warns that shops see no contact only where shops are asked', async () => {
  for (const [args, isWarned] of [
    [['--sandbox', '--products', '20'], false],
    [[], true],
  ] as const) {
    const env = { OPENSHELF_DATA: data };
    const served = await runCommand(['serve', '--port', '0', ...args], { env, stopped: true });
    assert.equal(served.code, 0, served.stderr);
    assert.equal(/OPENSHELF_CONTACT is not set/.test(served.stderr), isWarned, served.stderr);
  }
});

test('identify says that digits are nearly a UPC', async () => {
  const done = await runCommand(['identify', '614141000006']);
  assert.match(done.stdout, /1\. item_id .*\nIf it is a UPC, a digit is mistyped: .* would be 5/);
});

test('identify lists what a GS1 code says next to its barcode', async () => {
  const text = '(01)09506000134352(10)ABC';
  const done = await runCommand(['identify', text]);
  assert.match(
    done.stdout,
    /^1\. gtin14 {2}09506000134352 .*\n.*\n {3}\(10\) BATCH\/LOT {2}ABC\n$/,
  );
  const json = await runCommand(['identify', text, '--json']);
  assert.deepEqual(JSON.parse(json.stdout), [
    {
      kind: 'gtin14',
      value: '09506000134352',
      gtin14: '09506000134352',
      application_identifiers: [{ ai: '10', title: 'BATCH/LOT', value: 'ABC' }],
    },
  ]);
});

test('help and version are found under the names that people try', async () => {
  const asked = await runCommand(['help', 'keys']);
  assert.equal(asked.code, 0);
  assert.match(asked.stdout, /^openshelf keys: create, list/);
  const version = await runCommand(['version']);
  assert.deepEqual([version.code, version.stdout], [0, (await runCommand(['--version'])).stdout]);
});

test('an export without an ending is csv, and one of another format is written where --format says it', async () => {
  for (const args of [
    ['--output', join(folder.path, 'all')],
    ['--output', join(folder.path, 'all.parquet'), '--format', 'csv'],
  ]) {
    const done = await runCommand(['export', '--data', data, '--json', ...args]);
    assert.deepEqual([done.code, done.json['format']], [0, 'csv'], done.stderr);
  }
});

test('a bare e-mail address is a contact', () => {
  assert.equal(
    readConfig({ OPENSHELF_CONTACT: 'me@example.com' }).contact,
    'mailto:me@example.com',
  );
});

test('a line of .env that names a setting and sets nothing is refused, and its value is not shown', () => {
  const here = join(folder.path, 'idle-lines');
  mkdirSync(here);
  const read = (text: string) => {
    writeFileSync(join(here, '.env'), text);
    return () => readEnvFile({}, here);
  };
  for (const [text, line, name] of [
    ['OPENSHELF_DENY: hidden.example', 1, 'OPENSHELF_DENY'],
    ['# mine\r\nopenshelf_deny=hidden.example', 2, 'OPENSHELF_DENY'],
    ['PORT=1\nOPENSHELF_DENY hidden.example\n', 2, 'OPENSHELF_DENY'],
    ['set DATABASE_URL=postgres://a:hidden@b/c', 1, 'DATABASE_URL'],
    ['OPENSHELF_CONTACT="hidden\nOPENSHELF_DENY=a.example\nPORT="1"\n', 2, 'OPENSHELF_DENY'],
  ] as const) {
    assert.throws(read(text), (error: Error) => {
      assert.match(error.message, new RegExp(`^Line ${line} of .*\\. Write ${name}=value`));
      return !error.message.includes('hidden');
    });
  }
  const sound = [
    'export OPENSHELF_DENY = "a.example" # why',
    '#OPENSHELF_CONTACT: nobody',
    'OTHER: 1',
    'other_openshelf: 1',
    "OPENSHELF_RETAILER_W_PRIVATE_KEY='-----BEGIN",
    "KEY-----'",
    'DATABASE_URL=',
  ];
  assert.deepEqual(read(sound.join('\r\n'))().taken.toSorted(), [
    'DATABASE_URL',
    'OPENSHELF_DENY',
    'OPENSHELF_RETAILER_W_PRIVATE_KEY',
  ]);
});

test('.env in the working folder gives settings, and the environment wins', () => {
  const here = join(folder.path, 'with-env');
  mkdirSync(here);
  writeFileSync(
    join(here, '.env'),
    '# mine\nPORT=9000\nOPENSHELF_CONTACT="me@example.com" # who\nOTHER=1\nOPENSHELF_PROT=2\n',
  );
  const merged = readEnvFile({ PORT: '9001', PATH: '/bin' }, here);
  assert.deepEqual(merged.env, {
    PATH: '/bin',
    PORT: '9001',
    OPENSHELF_CONTACT: 'me@example.com',
    OPENSHELF_PROT: '2',
  });
  assert.equal(
    envFileRemark(merged),
    'Settings read from .env: OPENSHELF_CONTACT, OPENSHELF_PROT. Not read from .env, because the environment sets them: PORT.',
  );
  assert.throws(() => readConfig(merged.env), /Unknown setting OPENSHELF_PROT/);
  const none = readEnvFile({ PORT: '1' }, folder.path);
  assert.deepEqual([none.env, envFileRemark(none)], [{ PORT: '1' }, null]);
});

test('.env is read as Windows saves it, and refused where it is no UTF-8', () => {
  const here = join(folder.path, 'from-windows');
  mkdirSync(here);
  const path = join(here, '.env');
  writeFileSync(path, '\ufeffPORT=9000\r\nOPENSHELF_CONTACT=me@example.com\r\n');
  assert.deepEqual(readEnvFile({}, here).env, {
    PORT: '9000',
    OPENSHELF_CONTACT: 'me@example.com',
  });
  writeFileSync(path, Buffer.from('\ufeffPORT=9000\r\n', 'utf16le'));
  assert.throws(() => readEnvFile({}, here), /\.env is not UTF-8 text: save it as UTF-8/);
});

test('the program reads .env where it is started, and its log says so without the values', async () => {
  const here = join(folder.path, 'started');
  mkdirSync(here);
  writeFileSync(
    join(here, '.env'),
    `OPENSHELF_DATA=${data}\nOPENSHELF_CONTACT=hidden@example.com\nPORT=abc\n`,
  );
  const listed = await runProgram(['keys', 'list', '--org', 'me', '--json'], { PORT: '0' }, here);
  assert.equal(listed.code, 0, listed.stderr);
  const refused = await runProgram(['serve'], {}, here);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /PORT \(--port\) must be a whole number .* not "abc"/);
  // A value that contains a secret must not appear in the log.
  assert.doesNotMatch(refused.stderr, /hidden@/);
});

test('serve says where the reference is and how to make a key, and its log which settings came from .env', async () => {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(['serve', '--port', '0', '--data', data], {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    isTerminal: false,
    env: {},
    envRemark: 'Settings read from .env: PORT.',
    stop: AbortSignal.abort(),
  });
  assert.equal(code, 0, err.join('\n'));
  assert.match(out.join('\n'), /Reference of every route and field: http.*\/docs/);
  assert.ok(out.includes(`Calls need an API key: openshelf keys create --org NAME --data ${data}`));
  assert.ok(err.some((line) => line.includes('"message":"Settings read from .env: PORT."')));
});

test('serve and sandbox have the same market for the same number of products', async () => {
  const counts = ['--seed', '5', '--products', '60'];
  const described = await runCommand(['sandbox', ...counts, '--describe', '--json']);
  const { upc } = described.json as { readonly upc: string };
  const serving = await serveCommand(['--port', '0', '--sandbox', ...counts, '--data', data]);
  try {
    const made = await runCommand(['keys', 'create', '--org', 'me', '--data', data]);
    const answer = await fetch(`${serving.url}/v1/products/${upc}`, {
      headers: { authorization: `Bearer ${made.stdout.trim()}` },
    });
    const record = (await answer.json()) as { readonly upc?: string };
    assert.deepEqual([answer.status, record.upc], [200, upc]);
  } finally {
    await serving.stop();
  }
});
