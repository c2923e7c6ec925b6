// A code in exponent form is the same at every door.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { agentOverHttp } from '../support/agent.ts';
import { runCommand } from '../support/command.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService({ withRetailers: true });
});
after(() => service[Symbol.asyncDispose]());

const CODE = '614141000005';
const ROUTES = ['', '/history', '/compare'];

test('lookup, history, compare, a batch, an agent and the command read the whole one and say what the other lost', async () => {
  await service.lookup(CODE);
  await service.untilQueueIdle();
  for (const [text, isWhole] of [
    ['6.14141000005E+11', true],
    ['614.14E+9', false],
  ] as const) {
    const said: string[] = [];
    for (const route of ROUTES) {
      const { status, body } = await service.get(
        `/v1/products/${encodeURIComponent(text)}${route}`,
      );
      said.push(`${status} ${JSON.stringify(body['detail'])}`);
    }
    const response = await fetch(`${service.url}/v1/products/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ id: text }),
    });
    const line = (await response.json()) as { status: number; problem: { detail: string } | null };
    said.push(`${line.status} ${line.problem?.detail ?? ''}`);
    const headers = { authorization: `Bearer ${service.key}` };
    await using agent = await agentOverHttp(service.url, headers);
    const answered = await agent.call('lookup', { identifier: text });
    said.push(`${answered.isError ? 400 : 200} ${JSON.stringify(answered.body['detail'])}`);
    const ran = await runCommand(['identify', text]);
    said.push(`${ran.code === 0 ? 200 : 400} ${ran.stderr}`);
    for (const [at, each] of said.entries()) {
      assert.match(each, isWhole ? /^200 / : /^400 .*last digits are lost/, `${at} ${text}`);
    }
  }
});
