// A liveness probe is answered before the routes are loaded just as by its route: the same bytes, headers, lines and counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startService } from '../support/service.ts';
import { ask, READ_BY_NODE, type WholeAnswer } from '../support/whole-answers.ts';

const withoutId = ({ status, headers, body }: WholeAnswer) => {
  const { 'x-request-id': id = '', ...rest } = headers;
  assert.ok(id !== '');
  return { status, headers: rest, body };
};

test('a process says that it lives in the words and with the headers of its route', async () => {
  const lines: string[] = [];
  await using service = await startService({ logTo: (text) => void lines.push(text) });
  for (const headers of [{}, { 'x-request-id': 'probe.1' }]) {
    const plain = await ask(service, '/livez', headers);
    assert.deepEqual(
      withoutId(plain),
      withoutId(await ask(service, '/livez', { ...headers, ...READ_BY_NODE })),
    );
    assert.equal(plain.body, '{"status":"ok"}');
  }
  assert.equal((await ask(service, '/livez?a=1')).status, 400);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(metrics, /^openshelf_http_requests_total\{[^}]*"\/livez"[^}]*"200"[^}]*\} 4$/m);
  await service.app.stop(0);
  assert.equal(lines.join('\n').split('"route":"/livez"').length - 1, 5);
});

test('it does so where pages of another origin may read answers', async () => {
  const env = { OPENSHELF_CORS_ORIGINS: 'https://pages.example' };
  await using service = await startService({ env });
  assert.deepEqual(
    withoutId(await ask(service, '/livez')),
    withoutId(await ask(service, '/livez', READ_BY_NODE)),
  );
});
