// The settings: what each accepts, and the error for a text it does not accept and for an unknown name.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { ConfigError, readConfig, type Config } from '../../../src/edge/config.ts';
import { CREDENTIAL_LINES, CREDENTIAL_NAMES } from '../../../src/read/retailers/credentials.ts';
import {
  readSettings,
  type Env,
  type SettingOverrides,
} from '../../../src/edge/settings/read-settings.ts';
import { SETTINGS, type Setting } from '../../../src/edge/settings/settings-table.ts';

/** Returns the problems of these settings; empty when there are none. */
function problemsOf(env: Env, overrides: SettingOverrides = {}): readonly string[] {
  try {
    readConfig(env, overrides);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}

test('an empty environment is fine: every default is taken by its own kind', () => {
  assert.deepEqual(problemsOf({}), []);
  for (const { name, kind, default: text } of Object.values<Setting<unknown>>(SETTINGS)) {
    assert.ok('value' in kind.parse(text, name), name);
  }
  const { origins, credentials, search, terms, ...plain } = readConfig({});
  assert.deepEqual(plain, {
    host: '127.0.0.1',
    port: 8790,
    dataDir: './data',
    databaseUrl: null,
    readUrl: null,
    workers: 1,
    roles: ['api', 'indexer'],
    contact: null,
    agentProfile: null,
    hostIntervalMs: 1_000,
    maxConcurrent: 32,
    dnsServers: [],
    deny: [],
    egressProxy: null,
    pictures: true,
    trustedShops: [],
    barcodeShops: [],
    trustProxy: false,
    corsOrigins: [],
    metrics: null,
    requestLog: true,
    limits: {
      maxConnections: 4_096,
      maxPerAddress: 1_024,
      maxPipelined: 8,
      maxRequestsPerConnection: 1_000,
      keepAliveMs: 5_000,
      headerMs: 10_000,
      sendMs: 30_000,
      maxLookups: 8,
      maxFetching: 1_024,
      maxWriting: 64,
      maxWaitMs: 100,
    },
    cacheMb: 96,
    drainDelayMs: 5_000,
    drainMs: 28_000,
    maxWatches: 10_000,
    maxWatchedAddresses: 20_000,
    maxWatchesOfProduct: 100,
    keepChangesDays: 90,
    maxChannels: 100,
    apiKey: '',
    secretsKey: null,
    notifyAllow: new Set(),
    smtpServer: null,
    smtpFrom: '',
    publicUrl: null,
    identityUrl: null,
    identityKey: null,
    signatureForm: 'string',
    licensedShops: [],
    operatorChannel: '',
    currency: 'USD',
    sourceLimits: new Map(),
    barcodeDatabases: 'live',
    retention: { observationDays: null, barYears: null },
    warnings: [],
  } satisfies Omit<Config, 'origins' | 'credentials' | 'search' | 'terms'>);
  assert.equal(terms('retailer_e.browse')?.priceHours, 6);
  assert.deepEqual([origins.size, credentials, search.provider], [0, {}, null]);
});

test('the two settings that the cache had before still start the service, and name the one that it has now', () => {
  const cached = (env: Readonly<Record<string, string>>) => {
    const { cacheMb, warnings } = readConfig(env);
    return { cacheMb, warnings };
  };
  const [PREPARED, REMEMBERED] = ['OPENSHELF_PREPARED_MB', 'OPENSHELF_REMEMBERED_MB'] as const;
  const now = 'now a part of OPENSHELF_CACHE_MB. Set OPENSHELF_CACHE_MB=';
  assert.deepEqual(cached({}), { cacheMb: 96, warnings: [] });
  assert.deepEqual(cached({ [PREPARED]: '200' }), {
    cacheMb: 232,
    warnings: [`${PREPARED} is ${now}232 instead.`],
  });
  assert.deepEqual(cached({ [REMEMBERED]: ' 0 ' }), {
    cacheMb: 64,
    warnings: [`${REMEMBERED} is ${now}64 instead.`],
  });
  assert.deepEqual(cached({ [PREPARED]: '0', [REMEMBERED]: '0' }), {
    cacheMb: 0,
    warnings: [`${PREPARED} and ${REMEMBERED} are ${now}0 instead.`],
  });
  assert.deepEqual(cached({ [PREPARED]: '200', OPENSHELF_CACHE_MB: '10' }), {
    cacheMb: 10,
    warnings: [`${PREPARED} is not read: OPENSHELF_CACHE_MB is set, and replaces both.`],
  });
  assert.deepEqual(cached({ [PREPARED]: '', [REMEMBERED]: '' }), { cacheMb: 96, warnings: [] });
  assert.match(problemsOf({ [PREPARED]: 'much' }).join(), /^OPENSHELF_PREPARED_MB /);
  assert.deepEqual(problemsOf({ [PREPARED]: '1000001', [REMEMBERED]: '-1' }).length, 2);
});

test('the key of a source that is gone is ignored with one warning, which does not repeat it', () => {
  const name = 'OPENSHELF_RETAILER_T_API_KEY';
  const { warnings, credentials } = readConfig({ [name]: 'f00d'.repeat(10) });
  assert.deepEqual(
    [warnings, credentials],
    [
      [
        `${name} is not read: the host of retailer_t's product JSON forbids every program. Remove this setting.`,
      ],
      readConfig({}).credentials,
    ],
  );
  assert.deepEqual(readConfig({ [name]: ' ' }).warnings, []);
});

test('more calls may wait for a commit on a server than on a file, unless the operator says how many', () => {
  const DATABASE_URL = 'postgres://openshelf@127.0.0.1/openshelf';
  const most = (env: Readonly<Record<string, string>>) => readConfig(env).limits.maxWriting;
  assert.deepEqual(
    [most({}), most({ DATABASE_URL }), most({ DATABASE_URL, OPENSHELF_MAX_WRITING: '32' })],
    [64, 256, 32],
  );
});

test('a connection stays open for longer behind a proxy, unless the operator says how long', () => {
  const kept = (env: Readonly<Record<string, string>>) => readConfig(env).limits.keepAliveMs;
  const OPENSHELF_TRUST_PROXY = 'true';
  assert.deepEqual(
    [
      kept({}),
      kept({ OPENSHELF_TRUST_PROXY }),
      kept({ OPENSHELF_TRUST_PROXY, OPENSHELF_KEEP_ALIVE_MS: '620000' }),
    ],
    [5_000, 65_000, 620_000],
  );
});

test('an empty text is not a setting, but of a host it is every address and of a folder an error', () => {
  const names = Object.values(SETTINGS).map(({ name }) => name);
  const empty = names.filter((name) => name !== 'HOST' && name !== 'OPENSHELF_DATA');
  const { values, problems } = readSettings(
    Object.fromEntries(empty.map((name) => [name, ''])),
    {},
  );
  assert.deepEqual(problems, []);
  assert.deepEqual({ ...values, origins: null }, { ...readSettings({}, {}).values, origins: null });
  assert.equal(readConfig({ HOST: '' }).host, '');
  assert.match(problemsOf({ OPENSHELF_DATA: ' ' }).join(), /^OPENSHELF_DATA .*Specify a folder\.$/);
});

test('white space around a value is not part of it, as where the lines of a file end as on Windows', () => {
  const { port, host, dataDir, databaseUrl } = readConfig({
    PORT: ' 8791\r',
    HOST: ' ::1 ',
    OPENSHELF_DATA: './data\r\n',
    DATABASE_URL: ' postgres://u@h/shelf\r',
  });
  assert.deepEqual(
    [port, host, dataDir, databaseUrl],
    [8_791, '::1', './data', 'postgres://u@h/shelf'],
  );
});

test('every setting in quotation marks is refused once, and what it holds is not repeated', () => {
  for (const name of [...Object.values(SETTINGS).map((each) => each.name), ...CREDENTIAL_NAMES]) {
    for (const mark of ['"', "'"]) {
      const said = problemsOf({ [name]: `${mark}secret${mark}` }).filter((each) =>
        /quotation/.test(each),
      );
      assert.deepEqual(said, [
        `${name} begins and ends with a quotation mark. Remove both marks: they would be part of the value.`,
      ]);
      assert.doesNotMatch(problemsOf({ [name]: `${mark}secret${mark}` }).join(), /secret/);
    }
  }
  assert.deepEqual(problemsOf({ OPENSHELF_DATA: '"' }), []);
});

test('a folder whose name only a shell would replace is refused, wherever it is named', () => {
  for (const text of ['~', '~/shelf', '~me/shelf', '$HOME/shelf', '${HOME}', '$PWD']) {
    const said =
      /^OPENSHELF_DATA \(--data\) begins with .*, which only a shell expands\. Write the full path/;
    assert.match(problemsOf({ OPENSHELF_DATA: text }).join(), said, text);
    assert.match(problemsOf({}, { dataDir: text }).join(), said, text);
  }
  for (const text of ['./~', 'a~', 'a/$b', '$', './data', '/srv/shelf']) {
    assert.equal(readConfig({ OPENSHELF_DATA: text }).dataDir, text);
  }
});

test('a setting in lower case is refused, and names of other programs are ignored', () => {
  const said = (name: string) => problemsOf({ [name]: 'x' }).join();
  assert.match(
    said('database_url'),
    /^Unknown setting database_url\. Did you mean DATABASE_URL\?$/,
  );
  assert.match(said('openshelf_contact'), /Did you mean OPENSHELF_CONTACT\?$/);
  assert.match(said('OpenShelf_Deny'), /Did you mean OPENSHELF_DENY\?$/);
  for (const name of ['host', 'port', 'my_database_url', 'database_url_2'])
    assert.equal(said(name), '');
});

test('what the command line says goes above the environment', () => {
  const env = { PORT: '1', HOST: 'a', OPENSHELF_DATA: 'x', OPENSHELF_WORKERS: 'many' };
  const { port, host, dataDir, workers } = readConfig(env, {
    port: 2,
    host: 'b',
    dataDir: 'y',
    workers: '1',
  });
  assert.deepEqual([port, host, dataDir, workers], [2, 'b', 'y', 1]);
});

/** A setting, a text that it does not accept, and the error message. */
const REFUSED: readonly (readonly [name: string, text: string, said: string])[] = [
  ['PORT', '65536', 'PORT (--port) must be a whole number from 0 to 65535, not "65536".'],
  ['PORT', '-1', 'PORT (--port) must be a whole number from 0 to 65535, not "-1".'],
  ['OPENSHELF_WORKERS', '0', 'OPENSHELF_WORKERS (--workers) must be a whole number from 1 to 256'],
  ['OPENSHELF_ROLE', 'api,cook', 'OPENSHELF_ROLE (--role) must be api, indexer or both'],
  ['OPENSHELF_ROLE', 'api', 'OPENSHELF_ROLE (--role) is api, but the embedded database'],
  ['OPENSHELF_WORKERS', '2', 'OPENSHELF_WORKERS (--workers) is 2, but the embedded database'],
  ['OPENSHELF_READ_URL', 'postgres://u@h/x', 'OPENSHELF_READ_URL requires DATABASE_URL.'],
  ['DATABASE_URL', 'mysql://u@h/x', 'DATABASE_URL must be an address like postgres://'],
  ['OPENSHELF_CONTACT', 'me', 'OPENSHELF_CONTACT must be an e-mail address, or an http or https'],
  ['OPENSHELF_HOST_INTERVAL_MS', '1.5', 'OPENSHELF_HOST_INTERVAL_MS must be a whole number'],
  ['OPENSHELF_MAX_CONCURRENT', '0', 'OPENSHELF_MAX_CONCURRENT must be a whole number from 1'],
  ['OPENSHELF_ORIGINS', 'x', 'OPENSHELF_ORIGINS: "x" is not'],
  ['OPENSHELF_DNS_SERVERS', 'x', 'OPENSHELF_DNS_SERVERS: "x" is not an address such as'],
  ...[
    'x',
    'http://shelf.example/ucp',
    'https://127.0.0.1/ucp',
    'https://u:p@shelf.example/ucp',
  ].map((text): readonly [string, string, string] => [
    'OPENSHELF_AGENT_PROFILE',
    text,
    'OPENSHELF_AGENT_PROFILE must be an address such as https://shelf.example.com/.well-known/ucp',
  ]),
  ['OPENSHELF_EGRESS_PROXY', 'x', 'OPENSHELF_EGRESS_PROXY must be an http or https address.'],
  [
    'OPENSHELF_EGRESS_PROXY',
    'http://me:100%@proxy.example:3128',
    'OPENSHELF_EGRESS_PROXY has a percent sign in its user or password that encodes nothing: write it as %25.',
  ],
  ['OPENSHELF_NOTIFY_ALLOW', 'hooks.internal', 'OPENSHELF_NOTIFY_ALLOW: "hooks.internal" is not a'],
  ['OPENSHELF_DENY', '*.a.example', 'OPENSHELF_DENY: "*.a.example" is not a host such as'],
  [
    'OPENSHELF_TRUSTED_SHOPS',
    '*.a.example',
    'OPENSHELF_TRUSTED_SHOPS: "*.a.example" is not a host',
  ],
  ['OPENSHELF_SMTP_URL', 'mail.example', 'OPENSHELF_SMTP_URL is not an address such as smtp://'],
  ['OPENSHELF_SMTP_URL', 'smtp://m.example', 'OPENSHELF_SMTP_URL requires OPENSHELF_SMTP_FROM'],
  ['OPENSHELF_SMTP_FROM', 'a@b.example', 'OPENSHELF_SMTP_FROM requires OPENSHELF_SMTP_URL.'],
  ['OPENSHELF_SMTP_FROM', 'shelf', 'OPENSHELF_SMTP_FROM must be an e-mail address such as'],
  ['OPENSHELF_SEARXNG_URL', 'x', 'OPENSHELF_SEARXNG_URL must be an http or https address'],
  ['OPENSHELF_BRAVE_API_KEY', 'x', 'OPENSHELF_BRAVE_API_KEY must be 8 to 200 printable'],
  ['OPENSHELF_TRUST_PROXY', 'yes', 'OPENSHELF_TRUST_PROXY must be true or false, not "yes".'],
  ['OPENSHELF_CORS_ORIGINS', 'https://a/b', 'OPENSHELF_CORS_ORIGINS: "https://a/b" is not an'],
  ['OPENSHELF_METRICS', '9464', 'OPENSHELF_METRICS must be an address such as 127.0.0.1:9464'],
  ['OPENSHELF_KEEP_OBSERVATIONS_DAYS', '180', 'OPENSHELF_KEEP_OBSERVATIONS_DAYS must be a whole'],
  ['OPENSHELF_KEEP_BARS_YEARS', '0', 'OPENSHELF_KEEP_BARS_YEARS must be a whole number from 1'],
];

test('a text that a setting does not take is refused with the name of the setting and what it takes', () => {
  for (const [name, text, said] of REFUSED) {
    const [problem = '', ...more] = problemsOf({ [name]: text });
    assert.ok(problem.startsWith(said), problem);
    assert.deepEqual(more, []);
  }
});

test('all problems are reported at once; a single one is the whole message', () => {
  const env = Object.fromEntries(REFUSED.map(([name, text]) => [name, text]));
  assert.ok(problemsOf({ ...env, DATABASE_URL: '', OPENSHELF_TYPO: '1' }).length > 15);
  assert.throws(
    () => readConfig({ PORT: 'x', OPENSHELF_METRICS: 'x' }),
    /^ConfigError: 2 problems/,
  );
  assert.throws(() => readConfig({ PORT: 'x' }), /^ConfigError: PORT \(--port\) must be/);
});

test('a wrong DATABASE_URL is one problem, whatever else needs a database', () => {
  const more = { OPENSHELF_READ_URL: 'postgres://u@h/x', OPENSHELF_WORKERS: '2' };
  assert.equal(problemsOf({ DATABASE_URL: 'x', ...more }).length, 1);
});

test('a DNS server is an address with or without a port', () => {
  const all = '192.0.2.1, 192.0.2.1:53,2001:db8::1,[2001:db8::1],[2001:db8::1]:5353,fe80::1%eth0';
  assert.deepEqual(problemsOf({ OPENSHELF_DNS_SERVERS: all }), []);
});

test('every DNS server that is not an address is a problem of its own, next to those of other settings', () => {
  const bad = [
    'foo',
    '192.0.2.1:0',
    '192.0.2.1:70000',
    '192.0.2.1:',
    '[192.0.2.1]:53',
    '[::1]x',
    '1::2::3',
    '192.0.2',
    '192.0.2.256',
  ];
  const problems = problemsOf({ OPENSHELF_DNS_SERVERS: bad.join(','), PORT: 'many' });
  assert.equal(problems.length, bad.length + 1);
  for (const each of bad) {
    const isNamed = (problem: string) =>
      problem.startsWith('OPENSHELF_DNS_SERVERS') && problem.includes(`"${each}"`);
    assert.ok(problems.some(isNamed), each);
  }
});

const NEAREST: readonly (readonly [wrong: string, right: string])[] = [
  ['OPENSHELF_PROT', 'PORT'],
  ['OPENSHELF_PORT', 'PORT'],
  ['OPENSHELF_HOST', 'HOST'],
  ['OPENSHELF_DATABASE_URL', 'DATABASE_URL'],
  ['OPENSHELF_ROLES', 'OPENSHELF_ROLE'],
  ['OPENSHELF_WORKER', 'OPENSHELF_WORKERS'],
  ['OPENSHELF_SEARXNG', 'OPENSHELF_SEARXNG_URL'],
  ['OPENSHELF_RETAILER_B_KEY', 'OPENSHELF_RETAILER_B_API_KEY'],
  ['OPENSHELF_RETAILER_E_CLIENT', 'OPENSHELF_RETAILER_E_CLIENT_ID'],
];

test('the message about an unknown name suggests the nearest setting, or where the settings are listed', () => {
  for (const [wrong, right] of NEAREST) {
    assert.deepEqual(problemsOf({ [wrong]: '1' }), [
      `Unknown setting ${wrong}. Did you mean ${right}?`,
    ]);
  }
  const [far = ''] = problemsOf({ OPENSHELF_COLOUR_OF_THE_SKY: 'blue' });
  assert.match(far, /^Unknown setting OPENSHELF_COLOUR_OF_THE_SKY\. "openshelf serve --help"/);
  assert.deepEqual(problemsOf({ OPENSHELF_TEST_DATABASE: 'x', OPENSHELF_VECTORS: 'x' }), []);
});

test('every credential of a source is explained, and nothing else is', () => {
  assert.deepEqual(Object.keys(CREDENTIAL_LINES).sort(), [...CREDENTIAL_NAMES].sort());
});

test('no name and no option of a setting is used twice', () => {
  const rows = Object.values<Setting<unknown>>(SETTINGS);
  const names = [...rows.map(({ name }) => name), ...CREDENTIAL_NAMES];
  assert.equal(new Set(names).size, names.length);
  const flags = rows.flatMap(({ flag }) => flag ?? []);
  assert.equal(new Set(flags).size, flags.length);
});

test('barcode databases are live, off, or the path of a dump', () => {
  const read = (text: string) =>
    readConfig({ OPENSHELF_BARCODE_DATABASES: text }, {}).barcodeDatabases;
  assert.deepEqual(['', 'LIVE', 'off', './off', '/data/products.jsonl.gz'].map(read), [
    'live',
    'live',
    'off',
    { file: './off' },
    { file: '/data/products.jsonl.gz' },
  ]);
  assert.throws(() => read('on'), /must be live, off or the path of a dump, not "on"/);
});

test('with the heap of a machine with 256 MB fewer responses are cached by default, and as many as the operator says', () => {
  const config = new URL('../../../src/edge/config.ts', import.meta.url).href;
  const program =
    `import { readConfig } from '${config}';` +
    "console.log(readConfig({}).cacheMb, readConfig({ OPENSHELF_CACHE_MB: '96' }).cacheMb);";
  const node = ['--max-old-space-size=128', '--max-semi-space-size=1', '--input-type=module'];
  const { stdout } = spawnSync(process.execPath, [...node, '-e', program], { encoding: 'utf8' });
  assert.match(stdout, /^3[23] 96\n$/);
});
