// A private receiver that the operator lists for one organization is for its channels only, when they are made and when
// something is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startReceiver } from '../support/receiver.ts';
import { startWatchService } from '../support/watch-service.ts';

test('a receiver listed for one organization and path takes no channel of another, and none elsewhere', async () => {
  await using receiver = await startReceiver();
  await using running = await startWatchService({
    OPENSHELF_NOTIFY_ALLOW: `test=${receiver.place}/shelf`,
  });
  const other = await running.service.newKey({ organization: 'other', note: null });
  const theirs = { authorization: `Bearer ${other}` };
  const make = (path: string, headers = {}) =>
    running.call('POST', '/v1/channels', { kind: 'webhook', url: receiver.url + path }, headers);
  const ours = await make('/shelf/a');
  assert.equal(ours.status, 200, JSON.stringify(ours.body));
  for (const [path, headers] of [
    ['/shelf/a', theirs],
    ['/', {}],
    ['/shelves', {}],
  ] as const) {
    const refused = await make(path, headers);
    assert.deepEqual([refused.status, refused.body['code']], [400, 'url_not_allowed'], path);
  }
  const { channel_id: id } = ours.body['channel'] as { readonly channel_id: string };
  const moved = { url: `${receiver.url}/admin` };
  assert.equal((await running.call('PATCH', `/v1/channels/${id}`, moved)).status, 400);
  const sent = await running.call('POST', `/v1/channels/${id}/test`);
  assert.equal(sent.status, 200);
  assert.match(JSON.stringify(sent.body), /delivered/);
  const { sql } = running.service.app.store;
  await sql.write([{ text: "update organizations set name = 'another' where name = 'test'" }]);
  const late = await running.call('POST', `/v1/channels/${id}/test`);
  assert.doesNotMatch(JSON.stringify(late.body), /"delivered"/);
  assert.match(JSON.stringify(late.body), /address is not allowed/);
  assert.equal(receiver.received.length, 1);
});
