import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startService } from '../support/service.ts';

test('a browser at the address of the service gets a page that leads to the reference, a program the error that it got', async () => {
  await using service = await startService();
  const page = await fetch(`${service.url}/`, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const text = await page.text();
  for (const part of ['href="/docs"', 'href="/openapi.json"', 'openshelf keys create']) {
    assert.ok(text.includes(part), part);
  }
  for (const accept of ['application/json', '*/*']) {
    const answer = await fetch(`${service.url}/`, { headers: { accept } });
    assert.equal(answer.status, 404);
    assert.equal(((await answer.json()) as { code: string }).code, 'unknown_route');
  }
});
