// What doctor says of an installation that is broken in one way, each really made: the one finding that fails, in one line
// with its remedy, and exit code 1.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { DAY_MS } from '../../../src/base/clock.ts';
import { noteBackup } from '../../../src/answer/metrics/process-figures.ts';
import { newestVersion } from '../../../src/data/migrate.ts';
import { openSqlite } from '../../../src/data/sqlite/sqlite.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { runCommand } from '../../support/command.ts';
import { command, newDatabase, withClient } from '../../support/databases.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

type Env = Readonly<Record<string, string>>;

/** An installation that works, and what a test breaks in it. */
type Place = {
  readonly data: string;
  readonly env: Env;
  /** What the broken thing needs until doctor has run. */
  readonly stack: AsyncDisposableStack;
};

let folder: TemporaryFolder;
let whole: string;
const servers = new AsyncDisposableStack();
let shopUrl = '';

/** Starts a server on loopback; returns its address. */
async function serve(answer: RequestListener, stack: AsyncDisposableStack): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => void server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const portOf = (url: string) => new URL(url).port;
const shopAt = (url: string): Env => ({
  OPENSHELF_ORIGINS: `${publicOrigins().retailer_w.page}=${url}`,
});

before(async () => {
  folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  whole = join(folder.path, 'whole');
  shopUrl = await serve((_, response) => response.end('User-agent: *'), servers);
  const env = { OPENSHELF_DATA: whole };
  const made = await runCommand(['keys', 'create', '--org', 'o'], { env });
  assert.equal(made.code, 0, made.stderr);
  const args = ['channel', 'add', 'ntfy', '--url', 'https://ntfy.shop.example/mine', '--org', 'o'];
  const added = await runCommand(args, { env });
  assert.equal(added.code, 0, added.stderr);
});

after(async () => {
  await servers.disposeAsync();
  folder[Symbol.dispose]();
});

let copies = 0;

function newPlace(stack: AsyncDisposableStack): Place {
  const data = join(folder.path, `data-${(copies += 1)}`);
  cpSync(whole, data, { recursive: true });
  // Port 0: nothing listens anywhere.
  return { data, stack, env: { OPENSHELF_DATA: data, PORT: '0', ...shopAt(shopUrl) } };
}

type Said = { readonly code: number | null; readonly lines: readonly string[] };

const LAUNCHER = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
/** The Linux user `nobody`. */
const NOBODY = 65_534;

/** Runs doctor as a program: within another command, or as another user, in a working folder. */
function runDoctor(
  env: Env,
  {
    within = [],
    ...options
  }: { readonly within?: readonly string[]; readonly uid?: number; readonly cwd?: string },
): Said {
  const [program, ...args] = [...within, process.execPath, LAUNCHER, 'doctor'];
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { PATH, ...env },
    encoding: 'utf8',
    cwd: folder.path,
    ...options,
  });
  return { code: status, lines: `${stdout}${stderr}`.trimEnd().split('\n') };
}

const IS_ROOT = process.getuid?.() === 0;
const canMount =
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' })
    .status === 0;

/** A PostgreSQL database as a user of its own reaches it. */
async function postgresAs(
  { stack }: Place,
  {
    password = 'right',
    kind = 'empty',
    prepare = [],
  }: {
    readonly password?: string;
    readonly kind?: 'empty' | 'migrated';
    readonly prepare?: readonly string[];
  },
): Promise<Env> {
  const database = stack.use(await newDatabase(kind));
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  const user = `${name}_user`;
  await command(database.url, `create role ${user} login password 'right'`);
  stack.defer(() => command(database.url, `drop owned by ${user}; drop role ${user}`));
  for (const text of prepare) await command(database.url, text.replaceAll('NAME', name));
  url.username = user;
  url.password = password;
  return { DATABASE_URL: url.href };
}

/** Makes the server ask the user of the address for a password, which it trusts without one in tests. */
async function askForPassword(url: string): Promise<void> {
  const { username } = new URL(url);
  const admin = new URL(url);
  admin.username = 'openshelf';
  admin.password = '';
  const line = `host all ${username} 127.0.0.1/32 scram-sha-256`;
  await command(admin.href, `copy (select 1) to program 'sed -i "1i ${line}" pg_hba.conf'`);
  await command(admin.href, 'select pg_reload_conf()');
  for (;;) {
    try {
      await withClient(url, (client) => client.query('select 1'));
    } catch {
      return;
    }
  }
}

type Broken = {
  readonly what: string;
  /** Breaks the place; returns the settings that differ, or what doctor said if it ran by itself. */
  readonly breaks: (place: Place) => Promise<Env | Said> | Env | Said;
  /** The line, from what it is about to the remedy. */
  readonly said: RegExp;
  readonly skip?: boolean;
};

const alive: RequestListener = (_, response) => response.end('{"status":"ok"}');
const other: RequestListener = (_, response) => response.end('<h1>A router</h1>');

const BROKEN: readonly Broken[] = [
  {
    what: 'a data folder that may not be written',
    skip: !IS_ROOT,
    breaks: ({ data, env }) => {
      for (const path of [data, join(data, 'openshelf.db')]) chownSync(path, NOBODY, NOBODY);
      chmodSync(join(data, 'openshelf.db'), 0o400);
      chmodSync(data, 0o500);
      return runDoctor(env, { uid: NOBODY });
    },
    said: /^FAILED {3}store +\S+openshelf\.db cannot be written\. Change its permissions, or/,
  },
  {
    what: 'a folder in which the data cannot be created',
    skip: !IS_ROOT,
    breaks: ({ data, env }) => {
      chmodSync(data, 0o755);
      return runDoctor({ ...env, OPENSHELF_DATA: join(data, 'new') }, { uid: NOBODY });
    },
    said: /^FAILED {3}store +\S+ cannot be written: it belongs to user 0, and openshelf runs as user 65534\. Run/,
  },
  {
    what: 'data of another user',
    skip: !IS_ROOT,
    breaks: ({ data, env }) => {
      chmodSync(data, 0o700);
      return runDoctor(env, { uid: NOBODY });
    },
    said: /^FAILED {3}store +\S+ cannot be read: it belongs to user 0, and openshelf runs as user 65534\. Run/,
  },
  {
    what: 'a disk with little room',
    skip: !canMount,
    breaks: ({ data, env }) =>
      runDoctor(env, {
        within: [
          'unshare',
          '-rm',
          'sh',
          '-c',
          `mount -t tmpfs -o size=16m tmpfs ${data} && "$0" "$@"`,
        ],
      }),
    said: /^FAILED {3}disk +0\.0 GiB are free for the data\. Free some space, or move the data folder\.$/,
  },
  {
    what: 'a file that is not a database',
    breaks: ({ data }) => {
      writeFileSync(join(data, 'openshelf.db'), readFileSync(LAUNCHER));
      return {};
    },
    said: /^FAILED {3}store +\S+ is not an SQLite database\. Restore a backup/,
  },
  {
    what: 'a database that is cut off',
    breaks: ({ data }) => {
      truncateSync(join(data, 'openshelf.db'), 20_000);
      return {};
    },
    said: /^FAILED {3}store +\S+ is cut off.*restore/,
  },
  {
    what: 'data of a newer program',
    breaks: async ({ data }) => {
      await using sql = await openSqlite({ path: join(data, 'openshelf.db') });
      const text = `insert into openshelf_migrations (version) values (${newestVersion() + 1})`;
      await sql.write([{ text }]);
      return {};
    },
    said: /^FAILED {3}store +The data has schema version \d+, this program \d+: use the newer program\.$/,
  },
  {
    what: 'a PostgreSQL server that does not run',
    breaks: () => ({ DATABASE_URL: 'postgres://o:right@127.0.0.1:1/shelf' }),
    said: /^FAILED {3}store +cannot connect to PostgreSQL: .*ECONNREFUSED.*Start its server, or correct the address/,
  },
  {
    what: 'a wrong password of PostgreSQL',
    breaks: async (place) => {
      const env = await postgresAs(place, { password: 'wrong' });
      await askForPassword(env['DATABASE_URL'] ?? '');
      return env;
    },
    said: /^FAILED {3}store +cannot connect to PostgreSQL: .*Correct user and password in DATABASE_URL/,
  },
  {
    what: 'a user of PostgreSQL who may not connect',
    breaks: (place) =>
      postgresAs(place, { prepare: ['revoke connect on database NAME from public'] }),
    said: /^FAILED {3}store +cannot connect to PostgreSQL: permission denied for database .*\. Let the user in: grant connect on/,
  },
  {
    what: 'a user of PostgreSQL who may not create the tables',
    breaks: (place) =>
      postgresAs(place, { prepare: ['revoke create on schema public from public'] }),
    said: /^FAILED {3}store +\S+: its user may not create tables\. Give the database to/,
  },
  {
    what: 'a user of PostgreSQL who may not read the tables',
    breaks: (place) => postgresAs(place, { kind: 'migrated' }),
    said: /^FAILED {3}store +.*permission denied for .*\. Give the database to the user of DATABASE_URL/,
  },
  {
    what: 'a port that another program has',
    breaks: async ({ stack }) => ({ PORT: portOf(await serve(other, stack)) }),
    said: /^FAILED {3}service +Another program answers at http:\S+\. Start .*choose another one\. \(PORT\)$/,
  },
  {
    what: 'a clock that is a day off',
    breaks: async ({ stack }) =>
      shopAt(
        await serve((_, response) => {
          response.setHeader('date', new Date(Date.now() - DAY_MS).toUTCString()).end('');
        }, stack),
      ),
    said: /^FAILED {3}clock +It differs from the clocks of shops by 86\d{3} s\. Set the clock of this machine \(NTP\)\.$/,
  },
  {
    what: 'channels without their key',
    breaks: ({ data }) => {
      rmSync(join(data, 'secrets.key'));
      return {};
    },
    said: /^FAILED {3}channels +Nothing is sent through 1 of the channels: .*Put the secrets\.key/,
  },
  {
    what: 'a public address at which another program answers',
    breaks: async ({ stack }) => ({ OPENSHELF_PUBLIC_URL: await serve(other, stack) }),
    said: /^FAILED {3}address +Another program answers at http\S+ Correct the address, .*\(OPENSHELF_PUBLIC_URL\)$/,
  },
  {
    what: 'a proxy that is not trusted',
    breaks: async ({ stack }) => {
      const url = await serve(alive, stack);
      return { OPENSHELF_PUBLIC_URL: url.replace('http:', 'https:') };
    },
    said: /^FAILED {3}proxy +.*all callers count as one address\. Set it to true .*\(OPENSHELF_TRUST_PROXY\)$/,
  },
  {
    what: 'a .env that may not be read',
    skip: !IS_ROOT,
    breaks: ({ env }) => {
      const cwd = join(folder.path, 'cwd');
      mkdirSync(cwd);
      writeFileSync(join(cwd, '.env'), 'PORT=1\n', { mode: 0o600 });
      return runDoctor(env, { uid: NOBODY, cwd });
    },
    said: /\.env cannot be read: it belongs to user 0, .* Run openshelf as the owner/,
  },
  {
    what: 'a backup that is too old',
    breaks: ({ data }) => {
      noteBackup(data, Date.now() - 9 * DAY_MS);
      return {};
    },
    said: /^FAILED {3}backup +The last one was made \S+\. Run openshelf backup on a timer\.$/,
  },
  {
    what: "an operator's channel that is deleted",
    breaks: () => ({ OPENSHELF_OPERATOR_CHANNEL: `chn_${'x'.repeat(22)}` }),
    said: /^FAILED {3}operator +The operator is not notified: .* Set OPENSHELF_OPERATOR_CHANNEL/,
  },
];

async function doctorSays(env: Env): Promise<Said> {
  const { code, out, err } = await runCommand(['doctor'], { env });
  return { code, lines: [...out, ...err] };
}

for (const { what, breaks, said, skip = false } of BROKEN) {
  test(`doctor names the remedy for ${what}`, { skip }, async () => {
    await using stack = new AsyncDisposableStack();
    const place = newPlace(stack);
    const made = await breaks(place);
    const { code, lines } =
      'lines' in made ? (made as Said) : await doctorSays({ ...place.env, ...made });
    const failed = lines.filter((line) => !/^(?:ok|lacking) /.test(line));
    const found = failed.filter((line) => said.test(line));
    assert.equal(found.length, 1, lines.join('\n'));
    assert.equal(code, 1);
  });
}

test('first what works, then what does not, then what is only missing, in a line each; none fails where all works', async () => {
  await using stack = new AsyncDisposableStack();
  const { env, data } = newPlace(stack);
  noteBackup(data, Date.now());
  const url = await serve(alive, stack);
  const sound = await doctorSays({ ...env, PORT: portOf(url), OPENSHELF_PUBLIC_URL: url });
  assert.equal(sound.code, 0, sound.lines.join('\n'));
  const broken = await doctorSays({
    ...env,
    PORT: portOf(shopUrl),
    OPENSHELF_PUBLIC_URL: shopUrl,
  });
  const marks = broken.lines.map((line) => line.slice(0, 7).trim());
  const isOrdered = /^(?:ok )+FAILED FAILED (?:lacking ?)+$/.test(marks.join(' '));
  assert.ok(isOrdered, broken.lines.join('\n'));
  for (const what of ['Node', 'disk', 'store', 'internet', 'clock', 'backup', 'service', 'address'])
    assert.ok(
      sound.lines.some((line) => line.startsWith(`ok       ${what} `)),
      what,
    );
});
