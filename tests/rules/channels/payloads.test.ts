// What each kind of channel sends: what its documentation allows, whatever a shop wrote.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { atomOf } from '../../../src/rules/channels/atom.ts';
import { mailFor } from '../../../src/rules/channels/email.ts';
import { mqttMessages } from '../../../src/rules/channels/mqtt.ts';
import { cardOf } from '../../../src/rules/channels/notice-card.ts';
import { fitted, plainLine } from '../../../src/rules/channels/plain-text.ts';
import { requestFor } from '../../../src/rules/channels/request-for.ts';
import { asDigest } from '../../../src/rules/channels/digest.ts';
import { priceLine } from '../../../src/rules/channels/price-line.ts';
import { channelTestBody, NOTICE_KINDS } from '../../../src/rules/watches/notice.ts';
import {
  hostileMessages,
  channelMessageOf,
  NOTICE_AT_MS,
  ORDINARY,
  TARGETS,
} from '../../support/channel-messages.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const NOW = { nowMs: NOTICE_AT_MS + 5_000 };
type HttpKind = Exclude<keyof typeof TARGETS, 'email' | 'mqtt' | 'feed'>;
const HTTP_KINDS: readonly HttpKind[] = [
  'webhook',
  'ntfy',
  'discord',
  'slack',
  'telegram',
  'apprise',
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const bodyOf = (kind: HttpKind, letter = channelMessageOf()) =>
  JSON.parse(requestFor(TARGETS[kind], letter, NOW).body) as { readonly [name: string]: Json };

/** Returns every text in a value, with its path. */
function textsOf(value: Json, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, `${path}.${name}`));
}

const bytes = (text: string) => Buffer.byteLength(text, 'utf8');
const STEERING =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;
/** An at sign that could begin a mention. */
const CALLING = /@[^\u200b]/;

test('every template has both prices, the line, the retailer, the page, the picture and the reason', () => {
  const wanted = [
    '$9.99',
    '$12.49',
    '$10.00',
    'retailer',
    'shop.example.com/p/1',
    'img.example.com',
    'below',
  ];
  const data = { ...ORDINARY, prices: ['$9.99', '$12.49', '$10.00'] };
  const letter = channelMessageOf({}, 'fired', data);
  const texts = HTTP_KINDS.map(
    (kind) => [kind, requestFor(TARGETS[kind], letter, NOW).body] as const,
  );
  const mail = mailFor(TARGETS.email, letter);
  for (const [kind, text] of [
    ...texts,
    ['text', mail.text] as const,
    ['html', mail.html] as const,
  ]) {
    for (const part of wanted) assert.ok(text.includes(part), `${kind} has no ${part}: ${text}`);
  }
});

test('every template links to the watch and draws its prices, if there is a public address and more than one', () => {
  const watchUrl = 'https://shelf.example.com/console/watches#wat_a_b-C';
  const letter = { ...channelMessageOf(), watchUrl, prices: priceLine([1_249, 999], 'USD') };
  for (const kind of HTTP_KINDS.filter((each) => each !== 'webhook')) {
    const { body } = requestFor(TARGETS[kind], letter, NOW);
    assert.ok(body.includes(watchUrl) && body.includes('█▁ $9.99 to $12.49'), `${kind}: ${body}`);
    assert.ok(!requestFor(TARGETS[kind], channelMessageOf(), NOW).body.includes('Your watch'));
  }
  const mail = mailFor(TARGETS.email, letter);
  for (const text of [mail.text, mail.html]) {
    assert.ok(text.includes(watchUrl) && text.includes('█▁ $9.99'), text);
    assert.match(text, /your watch of Widget, 12 pack\./);
    assert.ok(!text.includes('watch wat_1'), 'no id as a riddle');
  }
});

test('a mail names what it is about, also as a test and as a digest', () => {
  const { notice } = channelMessageOf(channelTestBody('my phone'), 'test');
  const tested = mailFor(TARGETS.email, { notice: { ...notice, watchId: '' }, data: {} });
  assert.equal(tested.subject, 'Test of the channel my phone');
  assert.match(tested.text, /Sent by openshelf, as a test of this channel\.\n$/);
  const many = Array.from({ length: 25 }, () => channelMessageOf().notice) as [typeof notice];
  const digest = mailFor(TARGETS.email, { notice: asDigest('ntc_1', many), data: {} });
  assert.match(digest.text, /20: Widget, 12 pack: \$9\.99 \(was \$12\.49\)\n/);
  assert.match(digest.text, /5 more are listed/);
  const slack = JSON.parse(
    requestFor(TARGETS.slack, { notice: asDigest('ntc_1', many), data: {} }, NOW).body,
  ) as { readonly blocks: readonly { readonly fields?: readonly unknown[] }[] };
  assert.deepEqual(
    slack.blocks.flatMap(({ fields }) => (fields === undefined ? [] : [fields.length])),
    [10, 10],
  );
});

test('a line of prices has at most thirty bars, whatever the days', () => {
  for (const days of [2, 29, 30, 31, 90]) {
    const line =
      priceLine(
        Array.from({ length: days }, (_, day) => 1_000 + day),
        'EUR',
      ) ?? '';
    const [bars = ''] = line.split(' ');
    assert.ok(bars.length <= 30 && bars.startsWith('▁'), line);
  }
  assert.equal(priceLine([999], 'USD'), null);
  assert.equal(priceLine([999, 999], 'USD'), '▁▁ $9.99');
});

test('every kind of notice becomes a message, also with nothing known', () => {
  const nothing = {
    retailer: null,
    url: null,
    imageUrl: null,
    oldCents: null,
    newCents: null,
    targetCents: null,
  };
  for (const kind of NOTICE_KINDS) {
    const letter = channelMessageOf({ ...nothing, title: '', text: '' }, kind);
    for (const http of HTTP_KINDS) {
      const { url, headers, body } = requestFor(TARGETS[http], letter, NOW);
      assert.ok(URL.canParse(url));
      assert.equal(headers['content-type'], 'application/json');
      assert.ok(!body.includes('null'), `${http} ${kind}: ${body}`);
    }
    const { subject, text, html } = mailFor(TARGETS.email, letter);
    assert.ok(subject !== '' && text.includes(subject) && html.includes(subject));
  }
});

test('ntfy: the topic, a title, a message of at most 4,096 bytes, all of it at most 8,192', () => {
  for (const letter of hostileMessages()) {
    const request = requestFor(TARGETS.ntfy, letter, NOW);
    const { message, title, topic, priority, click, attach } = bodyOf('ntfy', letter) as Readonly<
      Record<string, string>
    >;
    assert.equal(request.url, 'https://ntfy.example.com/');
    assert.equal(request.headers['authorization'], 'Bearer tk_d8a7c6b5e4f3');
    assert.equal(topic, 'prices-k3v9q2');
    assert.ok(Number.isInteger(priority) && Number(priority) >= 1 && Number(priority) <= 5);
    assert.ok(bytes(String(message)) <= 4_096 && String(message) !== '');
    assert.ok(bytes(title ?? '') <= 250);
    assert.ok(bytes(request.body) <= 8_192, `${bytes(request.body)} bytes`);
    for (const link of [click, attach]) assert.ok(URL.canParse(String(link)));
  }
});

test('Discord: one embed within every limit, that calls nobody', () => {
  for (const letter of hostileMessages()) {
    const { url } = requestFor(TARGETS.discord, letter, NOW);
    assert.equal(new URL(url).searchParams.get('wait'), 'true');
    const { embeds, allowed_mentions: mentions } = bodyOf('discord', letter);
    assert.deepEqual(mentions, { parse: [] });
    const [embed] = embeds as readonly Record<string, Json>[];
    assert.ok(embed !== undefined);
    const { title = '', description = '' } = embed as Readonly<Record<string, string>>;
    const fields = embed['fields'] as readonly { name: string; value: string }[];
    assert.ok(title.length <= 256 && description.length <= 4_096);
    assert.ok(fields.length <= 25);
    for (const { name, value } of fields) {
      assert.ok(name.length <= 256 && value.length <= 1_024 && value !== '');
    }
    const parts = [title, description, ...fields.flatMap(({ name, value }) => [name, value])];
    const all = parts.map((part) => part.length).reduce((a, b) => a + b);
    assert.ok(all <= 6_000, `${all} characters`);
    for (const part of parts) {
      assert.ok(!CALLING.test(part));
      // Each markup character is preceded by a backslash.
      assert.equal(part.replaceAll(/\\./gsu, '').search(/[*_`|<>[\]]/), -1, part.slice(0, 99));
    }
  }
});

test('Slack: blocks within every limit, and no angle bracket but those of our own links', () => {
  for (const letter of hostileMessages()) {
    const body = bodyOf('slack', letter);
    const blocks = body['blocks'] as readonly Record<string, Json>[];
    assert.ok(blocks.length <= 50);
    for (const block of blocks) {
      const { text } = block['text'] as { text: string };
      assert.ok(text !== '' && text.length <= (block['type'] === 'header' ? 150 : 3_000));
      const fields = (block['fields'] ?? []) as readonly { text: string }[];
      assert.ok(fields.length <= 10 && fields.every((field) => field.text.length <= 2_000));
    }
    for (const [path, text] of textsOf(body)) {
      const own = text.replaceAll(/<https:\/\/[^<>|\s]+\|(?:Open the page|Image)>/g, '');
      assert.doesNotMatch(own, /[<>]/, path);
      assert.doesNotMatch(own, /&(?!amp;|lt;|gt;)/, path);
    }
  }
});

test('Telegram: HTML of our own tags alone, at most 4,096 characters', () => {
  for (const letter of hostileMessages()) {
    const { url } = requestFor(TARGETS.telegram, letter, NOW);
    assert.equal(url, `https://api.telegram.org/bot${TARGETS.telegram.botToken}/sendMessage`);
    const {
      text,
      parse_mode: mode,
      chat_id: chat,
    } = bodyOf('telegram', letter) as Readonly<Record<string, string>>;
    assert.deepEqual([mode, chat], ['HTML', '-1001234567890']);
    assert.ok(String(text).length >= 1 && String(text).length <= 4_096, `${String(text).length}`);
    const own = String(text).replaceAll(
      /<\/?b>|<a href="[^"<>\s]+">(?:Open the page|Image)<\/a>/g,
      '',
    );
    assert.doesNotMatch(own, /[<>]/);
    assert.doesNotMatch(own, /&(?!amp;|lt;|gt;)/);
    assert.doesNotMatch(own, CALLING);
  }
});

test('nothing that steers a screen or breaks a character stands in any message of the services', () => {
  for (const letter of hostileMessages()) {
    for (const kind of ['ntfy', 'discord', 'slack', 'telegram'] as const) {
      for (const [path, text] of textsOf(bodyOf(kind, letter))) {
        assert.doesNotMatch(text, STEERING, `${kind}${path}`);
        assert.doesNotMatch(text, CALLING, `${kind}${path}`);
      }
    }
  }
});

test('a mail is one line of subject, and HTML in which a shop wrote no tag', () => {
  for (const letter of hostileMessages()) {
    const { subject, text, html } = mailFor(TARGETS.email, letter);
    assert.ok(subject.length <= 200);
    for (const part of [subject, text, html]) assert.doesNotMatch(part, STEERING);
    assert.doesNotMatch(subject, /\n/);
    const own = html.replaceAll(
      /<\/?(?:html|head|body|h2|p|table|tr|th|td|small)(?: (?:lang="en"|align="left"|cellpadding="4"))?>|<!doctype html>|<meta charset="utf-8">|<a href="https:[^"<>]*">|<\/a>|<img src="https:[^"<>]*" alt="" width="200">/g,
      '',
    );
    assert.doesNotMatch(own, /[<>"']/);
  }
});

test('links that are not a public web address are left out', () => {
  const addresses = [
    'javascript:alert(1)',
    'data:text/html,x',
    'http://127.0.0.1/x',
    'http://localhost/x',
    'https://user:pass@shop.example.com/',
    'https://shop.example.com:8443/x',
    `https://shop.example.com/${'a'.repeat(2_000)}`,
    'https://shop.example.com/\r\nx',
  ];
  for (const address of addresses) {
    const { url, imageUrl } = cardOf(channelMessageOf({ url: address, imageUrl: address }));
    assert.deepEqual([url, imageUrl], [null, null], address);
  }
});

test('a text that fits is cut nowhere, one that does not is cut between characters', () => {
  const seed = seedOf(20_261_123);
  const random = randomFrom(seed);
  const letters = ['a', 'é', '漢', '😀', '<', '&', '@', '\u202e', ' ', '\n', '\ud800'];
  for (let run = 0; run < 500; run += 1) {
    const text = Array.from({ length: integerBelow(random, 60) }, () => pick(random, letters)).join(
      '',
    );
    const most = 3 + integerBelow(random, 60);
    const line = plainLine(text);
    const cut = fitted(text, { most });
    const said = `seed ${seed}: ${JSON.stringify(text)} in ${most}`;
    if (line.length <= most) assert.equal(cut, line, said);
    else {
      assert.ok(cut.length <= most && cut.endsWith('…') && line.startsWith(cut.slice(0, -1)), said);
      assert.ok(cut.length >= most - 2, said);
    }
    assert.ok(cut.isWellFormed(), said);
  }
});

test('a feed and a broker get whatever a shop wrote as text: no markup, no topic and no control character of its own', () => {
  const odd = [
    ...hostileMessages(),
    channelMessageOf({ product: '\u200b', title: '\ufffe\ud800 #+/$SYS ]]>\u0000{{ 1 }}' }),
  ];
  for (const message of odd) {
    const { notice } = message;
    const feed = atomOf({
      id: 'chn_1',
      name: notice.body.title,
      createdAtMs: 0,
      notices: [{ notice, watchUrl: null }],
    });
    const names = [...feed.matchAll(/<\/?([^\s>]*)/g)].map(([, name = '']) => name);
    const own = 'feed id title updated author name entry link content'.split(' ');
    assert.deepEqual(
      names.filter((name) => !own.includes(name)),
      ['?xml'],
    );
    assert.doesNotMatch(feed, /[\u0000-\u0009\u000b-\u001f\ufffe\uffff]|\p{Surrogate}|\]\]>/u);
    const [, content = ''] = /<content type="html">([^<]*)</.exec(feed) ?? [];
    const html = content
      .replaceAll(/&(lt|gt|quot|#39);/g, (_, sign: string) => SIGNS[sign] ?? '')
      .replaceAll('&amp;', '&');
    const tags = [...html.matchAll(/<\/?[^>]*>?/g)].map(([tag]) => tag);
    for (const tag of tags) assert.match(tag, OWN_TAG);
    const sent = mqttMessages(TARGETS.mqtt, message);
    const { watchId } = notice;
    assert.deepEqual(
      sent.map(({ topic }) => topic),
      [`homeassistant/sensor/openshelf/${watchId}/config`, `openshelf/${watchId}/state`],
    );
    for (const { payload } of sent) {
      assert.ok(bytes(payload) < 8_192);
      const described = JSON.parse(payload) as Json;
      for (const [path, text] of textsOf(described)) {
        assert.doesNotMatch(text, STEERING, path);
        if (path === '.name') assert.notEqual(text, '');
      }
    }
  }
});

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'" };
const OWN_TAG =
  /^<(?:\/?(?:p|ul|li|a)|a href="https?:[^"<>]*"|img src="https?:[^"<>]*" alt="" width="200")>$/;
