// Signed requests: the vectors of RFC 9421 and of draft-ietf-webbotauth-httpsig-protocol bit for bit, how long a signature is
// used and for whom, and which requests have one. Signatures are verified here by their headers alone.

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';

import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import { agentCard, keyDirectory } from '../../src/egress/signing/key-directory.ts';
import { signingKeyOf, signMessage } from '../../src/egress/signing/message-signature.ts';
import { createRequestSigner } from '../../src/egress/signing/request-signer.ts';
import { contextOf } from '../support/contexts.ts';
import { openPublicWorld, type PublicWorld } from '../support/public-world.ts';
import { clock, PUBLIC_ADDRESS } from '../support/vector-cases.ts';

/** The key of RFC 9421, appendix B.1.4, which the vectors of the draft use too. */
const KEY = signingKeyOf(Buffer.from('n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU', 'base64url'));
const THUMBPRINT = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';

test('the key of RFC 9421 has the public part and the thumbprint of the documents', () => {
  assert.equal(KEY.x, 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs');
  assert.equal(KEY.thumbprint, THUMBPRINT);
});

const NONCES = {
  dictionary:
    'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==',
  string:
    'e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==',
};

const vectors = [
  {
    name: 'RFC 9421 B.2.6',
    parts: {
      label: 'sig-b26',
      covered: [
        ['"date"', 'Tue, 20 Apr 2021 02:07:55 GMT'],
        ['"@method"', 'POST'],
        ['"@path"', '/foo'],
        ['"@authority"', 'example.com'],
        ['"content-type"', 'application/json'],
        ['"content-length"', '18'],
      ],
      parameters: [
        ['created', 1_618_884_473],
        ['keyid', 'test-key-ed25519'],
      ],
    },
    input:
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    signature:
      'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  },
  {
    name: 'the draft, Signature-Agent as a dictionary',
    parts: {
      label: 'sig2',
      covered: [
        ['"@authority"', 'example.com'],
        ['"signature-agent";key="agent2"', '"https://signature-agent.test"'],
      ],
      parameters: [
        ['created', 1_735_689_600],
        ['keyid', THUMBPRINT],
        ['alg', 'ed25519'],
        ['expires', 4_889_289_600],
        ['nonce', NONCES.dictionary],
        ['tag', 'web-bot-auth'],
      ],
    },
    input: `sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${THUMBPRINT}";alg="ed25519";expires=4889289600;nonce="${NONCES.dictionary}";tag="web-bot-auth"`,
    signature:
      'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
  },
  {
    name: 'the draft, Signature-Agent as a string',
    parts: {
      label: 'sig2',
      covered: [
        ['"@authority"', 'example.com'],
        ['"signature-agent"', '"https://signature-agent.test"'],
      ],
      parameters: [
        ['created', 1_735_689_600],
        ['keyid', THUMBPRINT],
        ['alg', 'ed25519'],
        ['expires', 1_735_693_200],
        ['nonce', NONCES.string],
        ['tag', 'web-bot-auth'],
      ],
    },
    input: `sig2=("@authority" "signature-agent");created=1735689600;keyid="${THUMBPRINT}";alg="ed25519";expires=1735693200;nonce="${NONCES.string}";tag="web-bot-auth"`,
    signature:
      'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
  },
] as const;

for (const { name, parts, input, signature } of vectors) {
  test(`the vector of ${name} is reproduced bit for bit`, () => {
    const made = signMessage(KEY, parts);
    assert.deepEqual(made, { 'signature-input': input, signature });
  });
}

test('the directory, its digest and its signature are those of the draft bit for bit', () => {
  const nowMs = 1_735_689_600_000;
  const days = (4_889_289_600 - 1_735_689_600) / 86_400;
  const { path, text, headers } = keyDirectory({
    key: KEY,
    origin: 'https://signature-agent.test',
    nowMs,
    days,
  });
  assert.equal(path, '/.well-known/http-message-signatures-directory');
  assert.equal(
    text,
    `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"${THUMBPRINT}","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","use":"sig"}]}`,
  );
  assert.deepEqual(headers, {
    'content-type': 'application/http-message-signatures-directory+json',
    'cache-control': 'public, max-age=86400',
    'content-digest': 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:',
    'signature-input': `binding=("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="${THUMBPRINT}";tag="http-message-signatures-directory"`,
    signature:
      'binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:',
  });
});

test('the card names the agent, its robots.txt token and where its keys are', () => {
  const userAgent = 'openshelf/1.2.3 (+mailto:a@b.example)';
  const origin = 'https://shelf.example';
  const card = JSON.parse(agentCard({ origin, userAgent, contact: 'mailto:a@b.example' }).text);
  assert.equal(card.client_id, 'https://shelf.example/bot');
  assert.equal(
    card.jwks_uri,
    'https://shelf.example/.well-known/http-message-signatures-directory',
  );
  assert.deepEqual(card.contacts, ['mailto:a@b.example']);
  assert.equal(card.web_bot_auth['expected-user-agent'], userAgent);
  assert.equal(card.web_bot_auth['rfc9309-product-token'], 'openshelf');
  assert.equal(
    'contacts' in JSON.parse(agentCard({ origin, userAgent, contact: null }).text),
    false,
  );
});

const ORIGIN = 'https://shelf.example';
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Verifies the signature of a request as a shop would; returns its parameters. */
function verified(headers: Headers, authority: string) {
  const header = (name: string) => String(headers[name] ?? '');
  const [, input = ''] = /^sig1=(.*)$/.exec(header('signature-input')) ?? [];
  const [, names = '', parameters = ''] = /^\(([^)]*)\)(.*)$/.exec(input) ?? [];
  const agent = header('signature-agent');
  const isDictionary = agent.startsWith('sig1=');
  assert.equal(
    names,
    `"@authority" "signature-agent"${isDictionary ? ';key="sig1"' : ''}`,
    'authority and agent are covered',
  );
  const base = [
    `"@authority": ${authority}`,
    `"signature-agent"${isDictionary ? ';key="sig1"' : ''}: ${agent.replace(/^sig1=/, '')}`,
    `"@signature-params": ${input}`,
  ].join('\n');
  const [, signature = ''] = /^sig1=:(.*):$/.exec(header('signature')) ?? [];
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: KEY.x }, format: 'jwk' });
  const isValid = verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'));
  const numbers = [...parameters.matchAll(/;(created|expires)=(\d+)/g)].map(([, , n]) => Number(n));
  const [created = 0, expires = 0] = numbers;
  assert.match(parameters, new RegExp(`;keyid="${THUMBPRINT}";tag="web-bot-auth"$`));
  return { isValid, created, expires, form: isDictionary ? 'dictionary' : 'string' };
}

function signerAt(startMs: number, form: 'string' | 'dictionary' = 'string') {
  const time = { ms: startMs };
  const now = () => time.ms;
  return { time, signer: createRequestSigner({ key: KEY, origin: ORIGIN, form, clock: { now } }) };
}

const START = 1_735_689_600_000;

test('a signature is valid for its own authority alone and for five minutes', () => {
  for (const form of ['string', 'dictionary'] as const) {
    const { signer } = signerAt(START, form);
    const headers = signer.headersFor('shop.example:8443');
    const own = verified(headers, 'shop.example:8443');
    assert.deepEqual(own, {
      isValid: true,
      created: START / 1_000,
      expires: START / 1_000 + 300,
      form,
    });
    assert.equal(verified(headers, 'other.example').isValid, false);
    assert.equal(verified(headers, 'shop.example').isValid, false);
  }
});

test('a signature is made once for an authority within its life, and anew before it expires', () => {
  const { time, signer } = signerAt(START);
  const first = signer.headersFor('shop.example');
  time.ms = START + 269_000;
  assert.equal(signer.headersFor('shop.example'), first, 'the same object: nothing was signed');
  assert.notEqual(signer.headersFor('other.example'), first);
  time.ms = START + 270_000;
  const next = signer.headersFor('shop.example');
  assert.equal(verified(next, 'shop.example').created, START / 1_000 + 270);
});

test('after the clock is set back no signature of the future is sent', () => {
  const { time, signer } = signerAt(START);
  signer.headersFor('shop.example');
  time.ms = START - 10_000;
  assert.equal(
    verified(signer.headersFor('shop.example'), 'shop.example').created,
    START / 1_000 - 10,
  );
});

test('a host that refuses gets the other form next time, until one gets through and stays', () => {
  for (const form of ['string', 'dictionary'] as const) {
    const other = form === 'string' ? 'dictionary' : 'string';
    const { signer } = signerAt(START, form);
    const formNow = () => verified(signer.headersFor('shop.example'), 'shop.example').form;
    const after = (status: number) => {
      signer.answered('shop.example', status);
      return formNow();
    };
    assert.equal(formNow(), form);
    assert.equal(after(429), form, 'too many requests say nothing of the form');
    assert.equal(after(500), form);
    assert.equal(after(403), other);
    assert.equal(after(401), form, 'neither got through: they take turns');
    assert.equal(after(400), other);
    assert.equal(after(200), other);
    assert.equal(after(403), other, 'a form that got through stays');
    assert.equal(verified(signer.headersFor('b.example'), 'b.example').form, form);
  }
});

let world: PublicWorld;
before(async () => {
  world = await openPublicWorld();
});
beforeEach(() => {
  world.reset();
});
after(() => world.close());

type Sent = { readonly host: string; readonly path: string; readonly headers: IncomingHttpHeaders };

async function sentBy(
  request: { readonly url: string; readonly isOfficial?: boolean },
  isSigned = true,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  world.answer = ({ url = '', headers }, response) => {
    sent.push({ host: headers.host ?? '', path: url, headers });
    if (url === '/robots.txt') return response.writeHead(404).end();
    if (url === '/leads') response.writeHead(302, { Location: 'https://other.example.com/there' });
    return response.end();
  };
  const fetcher = createFetcher({
    clock,
    version: '1.2.3',
    hostIntervalMs: 0,
    extraCertificates: [world.certificate],
    localAddresses: () => [],
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    signer: isSigned
      ? createRequestSigner({ key: KEY, origin: ORIGIN, form: 'string', clock })
      : null,
  });
  await fetcher({ accept: 'html', ...request }, contextOf(AbortSignal.timeout(15_000)));
  return sent;
}

const SIGNATURE = ['signature', 'signature-input', 'signature-agent'] as const;
const hasNone = ({ headers }: Sent) => SIGNATURE.every((name) => headers[name] === undefined);

test('every request of a chain is signed for its own host, robots.txt included', async () => {
  const sent = await sentBy({ url: 'https://shop.example.com/leads' });
  assert.deepEqual(
    sent.map(({ host, path }) => `${host}${path}`),
    [
      'shop.example.com/robots.txt',
      'shop.example.com/leads',
      'other.example.com/robots.txt',
      'other.example.com/there',
    ],
  );
  for (const { host, headers } of sent) {
    assert.equal(verified(headers, host).isValid, true);
    assert.equal(headers['signature-agent'], `"${ORIGIN}"`);
  }
  const values = sent.map(({ headers }) => headers['signature']);
  assert.equal(values[0], values[1], 'one signature of a host is used again');
  assert.notEqual(values[1], values[2]);
});

test('official APIs, requests without TLS and those without a key are not signed', async () => {
  const kinds = [
    await sentBy({ url: 'https://shop.example.com/api', isOfficial: true }),
    await sentBy({ url: 'http://shop.example.com/page' }),
    await sentBy({ url: 'https://shop.example.com/page' }, false),
  ];
  for (const sent of kinds) {
    assert.ok(sent.length > 0);
    assert.ok(sent.every(hasNone));
  }
});
