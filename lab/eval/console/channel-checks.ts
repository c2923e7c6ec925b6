// Channels: created on the page, tested, notified by a watch, and removed; the receiver's answer is shown.

import { axeFindings } from './browser.ts';
import { signedIn, textOf, unless, type Check, type CheckParts } from './acts.ts';
import { removeWatches } from './watch-checks.ts';

/** Removes every channel of the organization. */
async function removeChannels({ stage }: CheckParts): Promise<void> {
  const { service } = stage;
  const { body } = await service.get('/v1/channels');
  for (const { channel_id: id } of body['channels'] as { channel_id: string }[]) {
    await fetch(`${service.url}/v1/channels/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${service.key}` },
    });
  }
}

const CHANNEL: Check = {
  name: 'a webhook is created, tested with its answer shown, notified by a watch, sent to again, paused and removed',
  run: async (parts) => {
    await removeWatches(parts);
    await removeChannels(parts);
    const { service, receiver, known } = parts.stage;
    receiver.got.length = 0;
    const watched = await signedIn(parts);
    const { page } = watched;
    await page.goto(`${service.url}/console/channels`);
    await page.waitForSelector('text=There is no channel yet');
    await page.selectOption('#channel-kind', 'webhook');
    await page.fill('#channel-name', 'our server');
    await page.fill('#channel-url', 'http://127.0.0.1:9/hook');
    await page.click('form button:has-text("Add")');
    const refused = await textOf(page, '[role="alert"]');
    await page.fill('#channel-url', `${receiver.url}/hook`);
    await page.click('form button:has-text("Add")');
    const secret = await textOf(page, '.secret');
    await page.click('.channel button:has-text("Send a test")');
    await page.waitForSelector('.tested :text("The test was delivered")');
    const thanked = await textOf(page, '.tested');
    receiver.answer = { status: 500, text: '<b>broken</b>' };
    await page.click('.channel button:has-text("Send a test")');
    await page.waitForSelector('.tested :text("HTTP 500")');
    const broken = await textOf(page, '.tested');
    await parts.shot(page, 'channel-tested');
    receiver.answer = { status: 200, text: 'thank you' };
    receiver.got.length = 0;
    await page.goto(`${service.url}/console/watches#add=${known}`);
    await page.fill('#watch-below', '1000');
    await page.waitForSelector('label:has-text("our server")');
    await page.click('form button:has-text("Watch")');
    await page.waitForSelector('.notice[data-kind="fired"]', { timeout: 30_000 });
    const sent = () => receiver.got.filter(({ body }) => body.includes('notice.fired'));
    // Before the delivery the page shows that it is waiting, and then that it was delivered.
    await page.click('text=Sent through channels');
    await page.waitForSelector('li[data-state="delivered"]');
    await parts.shot(page, 'watch-delivered');
    await page.click('text=send again');
    for (let looks = 0; looks < 100 && sent().length < 2; looks += 1)
      await page.waitForTimeout(100);
    const ids = new Set(sent().map(({ id }) => id));
    await page.goto(`${service.url}/console/channels`);
    await page.click('.channel button:has-text("Pause")');
    await page.waitForSelector('text=nothing is sent through it');
    await page.click('.channel button:has-text("Remove")');
    await page.click('.channel button:has-text("Really remove?")');
    await page.waitForSelector('text=There is no channel yet');
    const found = [
      ...unless(/public|private|address/i.test(refused), `a private address: “${refused}”`),
      ...unless(secret.startsWith('whsec_'), `its secret is “${secret}”`),
      ...unless(thanked.includes('thank you'), `tested it says “${thanked}”`),
      ...unless(
        broken.includes('<b>broken</b>') && broken.includes('was not delivered'),
        `a failure reads “${broken}”`,
      ),
      ...unless(sent().length === 2, `the receiver was told ${sent().length} times`),
      ...unless(ids.size === 1, 'sent again, the notice has another id'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    await removeWatches(parts);
    return found;
  },
};

/** The values that a person needs for each kind. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  ntfy: ['url', 'token'],
  discord: ['url'],
  slack: ['url'],
  telegram: ['bot_token', 'chat_id'],
  apprise: ['url'],
  mqtt: ['url', 'username', 'password'],
  webhook: ['url', 'secret'],
};

const KINDS: Check = {
  name: 'each kind of channel asks for what it needs, says where to find it, and is refused with an explanation',
  run: async (parts) => {
    await removeChannels(parts);
    const watched = await signedIn(parts, { width: 390, scheme: 'dark' });
    const { page } = watched;
    await page.goto(`${parts.stage.service.url}/console/channels`);
    await page.waitForSelector('#channel-kind');
    // The stage has no mail server.
    await page.waitForFunction(() => !document.querySelector('option[value="email"]'));
    const found: string[] = [];
    for (const [kind, fields] of Object.entries(FIELDS)) {
      await page.selectOption('#channel-kind', kind);
      const asked = await page
        .locator('#new-channel .fields input[name]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('name')));
      const names = asked.filter((name) => name !== null);
      for (const name of names) await page.fill(`#channel-${name}`, 'nonsense');
      await page.click('form button:has-text("Add")');
      const words = await page.waitForSelector('[role="alert"]');
      const text = await words.innerText();
      await words.evaluate((each) => each.remove());
      found.push(
        ...unless(names.join(' ') === fields.join(' '), `${kind} asks for ${names.join(', ')}`),
        ...unless(text.length > 25, `${kind} is refused with “${text}”`),
      );
    }
    found.push(...(await axeFindings(page)), ...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

export const CHANNEL_CHECKS: readonly Check[] = [CHANNEL, KINDS];

/** Creates a channel in each state. */
export async function someChannels(parts: CheckParts): Promise<void> {
  await removeChannels(parts);
  const { service, receiver } = parts.stage;
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${service.url}/v1/channels${path}`, {
      method,
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { channel?: { channel_id: string } };
  };
  const made = [];
  for (const name of [
    'our server',
    'the old server',
    'a name that is very long and goes on and on',
  ]) {
    const { channel } = await ask('POST', '', { kind: 'webhook', name, url: `${receiver.url}/` });
    made.push(channel?.channel_id ?? '');
  }
  const [good = '', failing = '', paused = ''] = made;
  await ask('POST', `/${good}/test`);
  receiver.answer = { status: 503, text: 'we are closed' };
  await ask('POST', `/${failing}/test`);
  receiver.answer = { status: 200, text: 'thank you' };
  await ask('PATCH', `/${paused}`, { paused: true });
}
