// Sessions of the console, attacked: each token stolen, used again, sent from another site or network, after its key, and with a clock
// that is set.

import assert from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { createSignIns } from '../../src/data/metering/sign-ins.ts';
import { DEFAULT_SCOPES } from '../../src/base/scopes.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
import { startService, type Service } from '../support/service.ts';

// The clock is set back, after which the throttle's last calls lie in the future.
const KEY = {
  organization: 'test',
  note: null,
  throttlePerMinute: 60_000,
  throttleBurst: 10_000,
} as const;
let service: Service;
let own: string;
const clock = shiftedClock();

before(async () => {
  // A trusted proxy makes both schemes testable with one service: without its header a call came over plain http.
  service = await startService({ clock, env: { OPENSHELF_TRUST_PROXY: 'true' } });
  own = service.url;
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

type Sent = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  readonly to?: string;
};
type Json = Readonly<Record<string, unknown>>;
type Got = { readonly status: number; readonly cookie: string; readonly body: Json };

/** Sends a call as written, including headers that browsers set themselves. */
async function send(path: string, { method = 'GET', headers = {}, body, to }: Sent): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const given = Object.entries({ ...json, ...headers }).filter(([, value]) => value !== undefined);
  const sent = request(
    `${to ?? service.url}${path}`,
    { method, headers: Object.fromEntries(given), agent: false },
    (response) => {
      void response.toArray().then((pieces) => {
        const text = Buffer.concat(pieces as Buffer[]).toString();
        const cookie = response.headers['set-cookie']?.join() ?? '';
        resolve({
          status: response.statusCode ?? 0,
          cookie,
          body: JSON.parse(text || '{}') as Json,
        });
      });
    },
  );
  sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  return await promise;
}

const HTTPS = {
  host: 'shelf.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-for': '192.0.2.9',
};
const PAGE = { ...HTTPS, origin: 'https://shelf.example', 'sec-fetch-site': 'same-origin' };
const LAN = { host: 'nas:8790', origin: 'http://nas:8790' };

async function keyAndId() {
  const key = await service.newKey(KEY);
  return { key, id: key.slice(9, 17) };
}

type SignedIn = {
  readonly keyId: string;
  readonly cookie: string;
  readonly token: string;
  readonly id: string;
};

/** Signs in with a new key, or with a code, from a page. */
async function signIn(
  from: Readonly<Record<string, string>> = PAGE,
  body: object = {},
  key?: string,
): Promise<SignedIn & { readonly setCookie: string; readonly lasts: boolean }> {
  const bearer = 'code' in body ? {} : { authorization: `Bearer ${key ?? (await keyAndId()).key}` };
  const got = await send('/console/session', {
    method: 'POST',
    headers: { ...from, ...bearer },
    body,
  });
  assert.equal(got.status, 200, JSON.stringify(got.body));
  const {
    key_id: keyId,
    token,
    session_id: id,
    lasts,
  } = got.body as {
    key_id: string;
    token: string;
    session_id: string;
    lasts: boolean;
  };
  return { keyId, token, id, lasts, setCookie: got.cookie, cookie: got.cookie.split(';')[0] ?? '' };
}

/** What the browser sends with a call of the page. */
const sentBy = ({ cookie, token }: SignedIn, from: Readonly<Record<string, string>> = PAGE) => ({
  ...from,
  cookie,
  authorization: `Session ${token}`,
});

const statusOf = async (headers: Sent['headers'], path = '/v1/usage', method = 'GET') =>
  (await send(path, { method, headers: headers ?? {} })).status;

test('over https a session is in a cookie for this host alone, which no script reads; a tab has none elsewhere', async () => {
  const signed = await signIn();
  assert.match(
    signed.setCookie,
    /^__Host-openshelf=ses_[\w-]{22}\.\w{32}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
  );
  assert.equal(await statusOf(sentBy(signed)), 200);
  const { host } = new URL(own);
  const loopback = { host, origin: own, 'sec-fetch-site': 'same-origin' };
  const here = await signIn(loopback);
  assert.match(
    here.setCookie,
    /^openshelf=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
  );
  assert.equal(await statusOf(sentBy(here, loopback)), 200);
  const tab = await signIn(LAN);
  assert.deepEqual([tab.setCookie, tab.lasts], ['', false]);
  assert.equal(await statusOf({ ...LAN, authorization: `Session ${tab.token}` }), 200);
});

test('a session has the organization and scopes of its key, and never more', async () => {
  const key = await service.newKey({
    organization: 'reader',
    note: null,
    scopes: ['products:read'],
  });
  const headers = sentBy(await signIn(PAGE, {}, key));
  const usage = await send('/v1/usage', { headers });
  assert.equal(usage.body['organization'], 'reader');
  assert.equal(await statusOf(headers, '/v1/admin/usage'), 403);
  assert.equal(await statusOf(headers, '/v1/products/614141000005/refresh', 'POST'), 403);
});

test('an attacker who has taken one thing cannot act: each row is refused, and the owner still can', async () => {
  const signed = await signIn();
  const other = await signIn();
  const headers = sentBy(signed);
  const code = (await send('/console/code', { method: 'POST', headers })).body['code'] as string;
  const used = await signIn(PAGE, { code });
  const [id = '', first = ''] = signed.cookie.replace('__Host-openshelf=', '').split('.');
  const { sql } = service.app.store;
  const [row] = await sql.all('select secret_sha256 from sessions where id = $1', [id]);
  const attacks: readonly (readonly [string, Sent['headers'], string?, string?])[] = [
    ['the cookie alone', { ...headers, authorization: undefined }],
    ['the cookie, another half', { ...headers, authorization: `Session ${other.token}` }],
    ['the cookie twice', { ...headers, authorization: `Session ${first}` }],
    ['the half of the page alone', { ...headers, cookie: undefined }],
    [
      'both halves, the cookie under the name of plain http',
      { ...headers, cookie: signed.cookie.replace('__Host-', '') },
    ],
    [
      'the hash of a leaked database',
      { ...headers, authorization: `Session ${String(row?.['secret_sha256']).slice(0, 32)}` },
    ],
    [
      'the id as a key',
      { ...headers, authorization: `Bearer osk_live_${id.slice(-8)}_${first}000000` },
    ],
    [
      'fixation: a cookie set by the attacker before',
      { ...headers, cookie: `${other.cookie}; ${signed.cookie}` },
    ],
    [
      'a form of another site',
      { ...headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      '/v1/watches',
      'POST',
    ],
    [
      'a form of another site in an old browser',
      { ...headers, origin: 'https://evil.example', 'sec-fetch-site': undefined },
      '/v1/watches',
      'POST',
    ],
    ['a sandboxed page', { ...headers, origin: 'null' }, '/v1/watches', 'POST'],
    [
      'a program without an origin',
      { ...headers, origin: undefined, 'sec-fetch-site': undefined },
      '/v1/watches',
      'POST',
    ],
    [
      'a fetch of another site that spends tokens',
      { ...headers, origin: undefined, 'sec-fetch-site': 'cross-site' },
      '/v1/products/614141000005',
    ],
    [
      'a page at another port',
      { ...headers, origin: 'https://shelf.example:8443', 'sec-fetch-site': 'same-site' },
      '/v1/channels/chn_2mQ9xkz0',
      'DELETE',
    ],
    [
      'a page of a sibling name',
      { ...headers, origin: 'https://a.shelf.example', 'sec-fetch-site': 'same-site' },
    ],
    [
      'a stream of another site',
      {
        ...headers,
        origin: undefined,
        'sec-fetch-site': 'cross-site',
        accept: 'text/event-stream',
      },
      '/v1/changes',
    ],
    [
      'an address opened from elsewhere',
      { ...headers, origin: undefined, 'sec-fetch-site': 'none' },
    ],
    [
      'the same over plain http',
      { ...headers, 'x-forwarded-proto': 'http', origin: 'http://shelf.example' },
    ],
    [
      'a forged header before that of the proxy',
      { ...headers, 'x-forwarded-proto': 'https, http' },
    ],
    [
      'a name rebound to this machine',
      { ...headers, host: 'evil.example', origin: 'https://evil.example', cookie: undefined },
    ],
  ];
  for (const [name, stolen, path = '/v1/usage', method = 'GET'] of attacks) {
    assert.equal(await statusOf(stolen, path, method), 401, name);
  }
  const signIns: readonly (readonly [string, Sent['headers'], object])[] = [
    ['a code that was used', PAGE, { code }],
    ['a code that was used, to look', PAGE, { code, look: true }],
    [
      'another site that signs its visitor in',
      { ...PAGE, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { code: 'AAAA-AAAA-AAAA' },
    ],
    ['a program without an origin', { ...PAGE, origin: undefined }, { code: 'AAAA-AAAA-AAAA' }],
    ['a session without a code', headers, {}],
    ['a guess', PAGE, { code: 'AAAA-AAAA-AAAA' }],
    ['a wrong guess of another length', PAGE, { code: '1' }],
    [
      'a key that is none',
      { ...PAGE, authorization: `Bearer osk_live_${id.slice(-8)}_${first}000000` },
      {},
    ],
  ];
  for (const [name, from, body] of signIns) {
    const got = await send('/console/session', { method: 'POST', headers: from ?? {}, body });
    assert.deepEqual([got.status, got.cookie], [401, ''], name);
  }
  for (const each of [signed, other, used]) assert.equal(await statusOf(sentBy(each)), 200);
});

test('without the setting for a proxy nobody on the network can claim https, and so gets no cookie', async () => {
  await using direct = await startService();
  const { host } = new URL(direct.url);
  const headers = { ...PAGE, origin: undefined, authorization: `Bearer ${direct.key}` };
  const attempt = (more: Sent['headers']) =>
    send('/console/session', {
      method: 'POST',
      headers: { ...headers, ...more },
      body: {},
      to: direct.url,
    });
  assert.equal((await attempt({ origin: 'https://shelf.example' })).status, 401);
  const plain = await attempt({ origin: 'http://shelf.example' });
  assert.deepEqual([plain.status, plain.cookie, plain.body['lasts']], [200, '', false]);
  const here = await attempt({ host, origin: `http://${host}` });
  assert.match(here.cookie, /^openshelf=/);
});

test('a code signs in once, however many send it at the same moment, and only while it is fresh', async () => {
  const headers = sentBy(await signIn());
  const codeNow = async () =>
    (await send('/console/code', { method: 'POST', headers })).body['code'] as string;
  const code = await codeNow();
  assert.match(code, /^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
  const look = await send('/console/session', {
    method: 'POST',
    headers: PAGE,
    body: { code, look: true },
  });
  assert.equal(look.body['organization'], 'test');
  const typed = code.toLowerCase().replaceAll('-', ' ');
  const all = await Promise.all(
    Array.from({ length: 8 }, () =>
      send('/console/session', { method: 'POST', headers: PAGE, body: { code: typed } }),
    ),
  );
  assert.equal(all.filter(({ status }) => status === 200).length, 1);
  assert.equal(all.filter(({ status }) => status === 401).length, 7);
  const late = await codeNow();
  clock.advance(11 * MINUTE_MS);
  const got = await send('/console/session', {
    method: 'POST',
    headers: PAGE,
    body: { code: late },
  });
  assert.equal(got.status, 401);
});

test('whoever guesses codes is slowed, and no guess takes a code away from its owner', async () => {
  const headers = sentBy(await signIn());
  const made = await send('/console/code', { method: 'POST', headers });
  const from = { ...PAGE, 'x-forwarded-for': '198.51.100.7' };
  const startedMs = performance.now();
  const guesses = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      send('/console/session', {
        method: 'POST',
        headers: from,
        body: { code: `AAAA-AAAA-AA${10 + at}` },
      }),
    ),
  );
  assert.ok(guesses.every(({ status }) => status === 401));
  // Twenty a second.
  assert.ok(performance.now() - startedMs > 900);
  await signIn(PAGE, { code: made.body['code'] });
});

test('a session ends with its key, at once for one that is revoked, at its time for one that expires', async () => {
  const { accounts } = service.app.store;
  const signed = await signIn();
  const made = await send('/console/code', { method: 'POST', headers: sentBy(signed) });
  const body = { code: String(made.body['code']) };
  await accounts.revokeKey(signed.keyId, clock.now());
  assert.equal(await statusOf(sentBy(signed)), 401);
  const late = await send('/console/session', { method: 'POST', headers: PAGE, body });
  assert.equal(late.status, 401, 'a code of a revoked key');
  const short = await service.newKey({ ...KEY, expiresAtMs: clock.now() + HOUR_MS });
  const ends = await signIn(PAGE, {}, short);
  assert.equal(await statusOf(sentBy(ends)), 200);
  clock.advance(HOUR_MS + 1);
  assert.equal(await statusOf(sentBy(ends)), 401);
});

test('a session lasts thirty days and a tab twelve hours; a clock that is set revives nothing', async () => {
  const { sessions } = service.app.store;
  const [signed, tab] = [await signIn(), await signIn(LAN)];
  clock.advance(13 * HOUR_MS);
  assert.equal(await statusOf({ ...LAN, authorization: `Session ${tab.token}` }), 401);
  clock.advance(29 * DAY_MS);
  assert.equal(await statusOf(sentBy(signed)), 200);
  clock.advance(DAY_MS);
  assert.equal(await statusOf(sentBy(signed)), 401);
  await sessions.sweep(clock.now());
  clock.advance(-(10 * DAY_MS));
  assert.equal(await statusOf(sentBy(signed)), 401, 'it was swept before the clock was set back');
  const young = await signIn();
  const code = (await send('/console/code', { method: 'POST', headers: sentBy(young) })).body[
    'code'
  ];
  clock.advance(-DAY_MS);
  assert.equal(await statusOf(sentBy(young)), 401, 'a session from the future');
  const early = await send('/console/session', { method: 'POST', headers: PAGE, body: { code } });
  assert.equal(early.status, 401, 'a code from the future');
});

test("a key's holder sees its sessions and ends each; another key's are out of reach; signing out ends the cookie", async () => {
  const { key } = await keyAndId();
  const named = { ...PAGE, 'user-agent': 'Walker/1 (Phone)' };
  const [desk, phone, stranger] = [
    await signIn(PAGE, {}, key),
    await signIn(named, {}, key),
    await signIn(),
  ];
  const listed = async (headers: Sent['headers']) =>
    (await send('/v1/sessions', { headers: headers ?? {} })).body['sessions'] as Json[];
  const seen = await listed(sentBy(desk));
  assert.deepEqual(new Set(seen.map(({ id }) => String(id))), new Set([desk.id, phone.id]));
  assert.equal(seen.find(({ is_current }) => is_current === true)?.['id'], desk.id);
  assert.equal(seen.find(({ id }) => id === phone.id)?.['user_agent'], 'Walker/1 (Phone)');
  assert.equal((await listed({ ...HTTPS, authorization: `Bearer ${key}` })).length, 2);
  const end = (id: string, headers: Sent['headers']) =>
    send(`/v1/sessions/${id}`, { method: 'DELETE', headers: headers ?? {} });
  for (const id of [stranger.id, 'nosuchid', '%00']) {
    assert.equal((await end(id, sentBy(desk))).status, 404, id);
  }
  assert.deepEqual(
    [(await end(phone.id, sentBy(desk))).cookie, await statusOf(sentBy(phone))],
    ['', 401],
  );
  const out = await end(desk.id, sentBy(desk));
  assert.match(
    out.cookie,
    /^__Host-openshelf=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict; Secure$/,
  );
  assert.equal(await statusOf(sentBy(desk)), 401);
  assert.equal(await statusOf(sentBy(stranger)), 200);
});

test('a code that a session has made does not bring it back once it is signed out', async () => {
  const { key } = await keyAndId();
  const [owner, thief] = [await signIn(PAGE, {}, key), await signIn(PAGE, {}, key)];
  const made = await send('/console/code', { method: 'POST', headers: sentBy(thief) });
  assert.equal(await statusOf(sentBy(owner), `/v1/sessions/${thief.id}`, 'DELETE'), 200);
  const body = { code: made.body['code'] };
  const got = await send('/console/session', { method: 'POST', headers: PAGE, body });
  assert.equal(got.status, 401);
  // A browser that is given a new code signs out first.
  const again = await send('/console/code', { method: 'POST', headers: sentBy(owner) });
  assert.equal(await statusOf(sentBy(owner), `/v1/sessions/${owner.id}`, 'DELETE'), 200);
  await signIn(PAGE, { code: again.body['code'] });
});

test('the stream of changes and the writing of a workbook take a session from the page, and from nowhere else', async () => {
  const signed = await signIn();
  const table = { columns: [{ name: 'a', kind: 'text' }], rows: [['=1+1']], notes: [] };
  for (const [path, init, type] of [
    ['/v1/changes', { headers: { accept: 'text/event-stream' } }, 'text/event-stream'],
    [
      '/console/sheet?write=xlsx',
      {
        method: 'POST',
        body: JSON.stringify(table),
        headers: { 'content-type': 'application/json' },
      },
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
  ] as const) {
    for (const [from, status] of [
      [PAGE, 200],
      [{ ...PAGE, origin: 'https://evil.example' }, 401],
      [{ ...PAGE, origin: 'null' }, 401],
      [{ ...PAGE, 'sec-fetch-site': 'cross-site' }, 401],
    ] as const) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const method = 'method' in init ? init.method : 'GET';
      // Browsers send no origin with a GET of their own page's script.
      const isRead = method === 'GET' && from.origin === PAGE.origin;
      const sent: Readonly<Record<string, string>> = { ...init.headers, ...sentBy(signed, from) };
      const { origin = '', ...rest } = sent;
      const headers = isRead ? rest : { ...rest, origin };
      request(`${service.url}${path}`, { method, headers, agent: false }, resolve)
        .once('error', reject)
        .end('body' in init ? init.body : undefined);
      const response = await promise;
      response.destroy();
      assert.equal(response.statusCode, status, `${path} ${JSON.stringify(from)}`);
      if (status === 200) assert.equal(response.headers['content-type'], type);
    }
  }
});

test('a session is one to every process with the same data, also after a restart, and ends in all of them', async () => {
  const signed = await signIn();
  const { store } = service.app;
  // What another process, or the next one, knows is what is stored.
  const { createMetering } = await import('../../src/data/metering/metering.ts');
  const { createAccounts } = await import('../../src/data/accounts/accounts.ts');
  const other = createMetering({ accounts: createAccounts(store.sql), sql: store.sql, clock });
  const cookie = signed.cookie.replace('__Host-openshelf=', '');
  const token = `Session ${cookie}.${signed.token}`;
  assert.equal((await other.authenticate(token)).keyId, signed.keyId);
  assert.equal(await store.accounts.endSession(signed.keyId, signed.id), true);
  clock.advance(501);
  await assert.rejects(other.authenticate(token), /This sign-in to the console has ended/);
});

test('no token and no code is stored as it is, or written to the log', async () => {
  const signIns = createSignIns(service.app.store.sessions, clock);
  const key = await service.newKey({ ...KEY, scopes: DEFAULT_SCOPES });
  const { code } = await signIns.createCode(key.slice(9, 17));
  const signed = await signIn(PAGE, {}, key);
  const { sql } = service.app.store;
  const rows = JSON.stringify([
    await sql.all('select * from sessions'),
    await sql.all('select * from sign_in_codes'),
  ]);
  const [, first = ''] = signed.cookie.split('.');
  for (const secret of [code, code.replaceAll('-', ''), first, signed.token]) {
    assert.ok(!rows.includes(secret));
  }
});
