// Mail channels against a real mail server on loopback (D71): nothing but the request to confirm it is sent to an address before
// its owner agrees.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { ChannelAnswer, ChannelMade, ChannelTest } from '../../src/answer/wire/watches/channels.ts';
import { WatchAnswer } from '../../src/answer/wire/watches/watches.ts';
import { createTestAuthority } from '../support/certificates.ts';
import { startMailServer } from '../support/mail-server.ts';
import { contractService, refused, type Call } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const mail = await startMailServer({ authority: createTestAuthority(), hasStartTls: false });
after(() => mail.close());

const contract = contractService({
  env: {
    OPENSHELF_SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
    OPENSHELF_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    OPENSHELF_SMTP_FROM: 'shelf@example.com',
    OPENSHELF_PUBLIC_URL: 'https://shelf.example.com/shelf/',
  },
});

const send = (method: string, body: unknown): Call => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

const at = (id: string) => `/v1/channels/${id}`;

async function make(to: string) {
  const body = send('POST', { kind: 'email', to, name: 'Buy now at https://evil.example' });
  return ChannelMade.parse(await contract.ok('/v1/channels', body)).channel;
}

async function stateOf(id: string) {
  return ChannelAnswer.parse(await contract.ok(at(id))).channel.state;
}

/** Creates a watch of the channel and a notice of it; returns how many mails that sends. */
async function mailsOfNotice(channel: string): Promise<number> {
  const asked = { identifier: '614141000005', below: 0.01, channels: [channel] };
  const { watch } = WatchAnswer.parse(await contract.ok('/v1/watches', send('POST', asked)));
  const before = mail.received.length;
  await contract.ok(`/v1/watches/${watch.id}/test`, { method: 'POST' });
  await contract.app.deliverNotices();
  return mail.received.length - before;
}

/** The text of the last mail, without the line breaks and escapes of its encoding. */
function lastMail(): string {
  const { raw = '' } = mail.received.at(-1) ?? {};
  return raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
}

const codeIn = (text: string) => /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0] ?? '';

async function press(path: string, method: string) {
  const { url } = contract.service;
  const answer = await fetch(`${url}${path}`, { method });
  return { status: answer.status, text: await answer.text() };
}

proves(
  'D71i',
  'a mail address is sent nothing else until the code that it got is returned',
  async () => {
    const made = await make('jane@shop.example');
    assert.equal(made.state, 'unconfirmed');
    assert.equal(mail.received.length, 1);
    assert.deepEqual(mail.received[0]?.to, ['jane@shop.example']);
    assert.ok(!lastMail().includes('evil'), 'nothing that a caller wrote is sent to a stranger');
    const code = codeIn(lastMail());
    assert.equal(await mailsOfNotice(made.channel_id), 0);
    const wrong = await contract.call(
      `${at(made.channel_id)}/confirm`,
      send('POST', { code: '0000-0000' }),
    );
    assert.equal(refused(wrong, 400, 'invalid_parameter')['parameter'], 'code');
    // A test sends the request once more, with the same code.
    const tested = await contract.ok(`${at(made.channel_id)}/test`, { method: 'POST' });
    assert.equal(ChannelTest.parse(tested).outcome, 'delivered');
    assert.equal(codeIn(lastMail()), code);
    assert.equal(await stateOf(made.channel_id), 'unconfirmed');
    const typed = ` ${code.toLowerCase().replace('-', ' – ').replaceAll('0', 'o')} `;
    const confirmed = await contract.ok(
      `${at(made.channel_id)}/confirm`,
      send('POST', { code: typed }),
    );
    assert.equal(ChannelAnswer.parse(confirmed).channel.state, 'active');
    assert.equal(await mailsOfNotice(made.channel_id), 1);
    // Confirming again changes nothing, whatever the code.
    await contract.ok(`${at(made.channel_id)}/confirm`, send('POST', { code: 'x' }));
    assert.equal(await stateOf(made.channel_id), 'active');
  },
);

proves(
  'D71i',
  'the link in the mail confirms when its button is pressed, not when it is opened',
  async () => {
    const made = await make('joe@shop.example');
    const link =
      /https:\/\/shelf\.example\.com\/shelf(\/confirm\?[^\s"<]+)/.exec(lastMail())?.[1] ?? '';
    const opened = await press(link, 'GET');
    assert.equal(opened.status, 200);
    assert.match(opened.text, /<form method="post">/);
    assert.equal(await stateOf(made.channel_id), 'unconfirmed');
    const asked = new URLSearchParams(link.slice(link.indexOf('?')));
    for (const [name, value] of [
      ['code', 'ZZZZ-ZZZZ'],
      ['channel', 'chn_2mQ9xkz0'],
      ['channel', "chn_' or 1=1"],
      ['code', ''],
    ] as const) {
      const other = new URLSearchParams(asked);
      other.set(name, value);
      assert.equal((await press(`/confirm?${other.toString()}`, 'POST')).status, 404);
    }
    assert.equal(await stateOf(made.channel_id), 'unconfirmed');
    assert.equal((await press(link, 'POST')).status, 200);
    assert.equal(await stateOf(made.channel_id), 'active');
  },
);

proves(
  'D71i',
  'a channel that is led to another address has to be confirmed again, with another code',
  async () => {
    const made = await make('ann@shop.example');
    const first = codeIn(lastMail());
    const confirm = (code: string) =>
      contract.call(`${at(made.channel_id)}/confirm`, send('POST', { code }));
    assert.equal((await confirm(first)).status, 200);
    await contract.ok(at(made.channel_id), send('PATCH', { to: 'ann@shop.example', name: 'Ann' }));
    assert.equal(await stateOf(made.channel_id), 'active', 'the address is the same');
    await contract.ok(at(made.channel_id), send('PATCH', { to: 'bob@shop.example' }));
    assert.equal(await stateOf(made.channel_id), 'unconfirmed');
    assert.deepEqual(mail.received.at(-1)?.to, ['bob@shop.example']);
    assert.notEqual(codeIn(lastMail()), first);
    refused(await confirm(first), 400, 'invalid_parameter');
    assert.equal(await mailsOfNotice(made.channel_id), 0);
    assert.equal((await confirm(codeIn(lastMail()))).status, 200);
    assert.equal(await mailsOfNotice(made.channel_id), 1);
  },
);

proves(
  'D71i',
  'a request to confirm that cannot be sent stands in the channel, and can be sent again',
  async () => {
    mail.refusing.set('lost@shop.example', 550);
    const made = await make('lost@shop.example');
    assert.equal(made.state, 'unconfirmed');
    assert.match(made.last_detail ?? '', /\S/);
    mail.refusing.clear();
    const tested = await contract.ok(`${at(made.channel_id)}/test`, { method: 'POST' });
    assert.equal(ChannelTest.parse(tested).outcome, 'delivered');
  },
);
