// Messages for channel tests: an ordinary one, and one in which a shop made every text as bad as it could.

import type { ChannelMessage, Target } from '../../src/rules/channels/channel.ts';
import type { NoticeContent, NoticeKind } from '../../src/rules/watches/notice.ts';

/** What a stored channel consists of besides its ids and times, for tests that send nothing. */
export const SEALED_WEBHOOK = {
  kind: 'webhook',
  name: 'hook',
  hint: 'hook',
  schedule: null,
  sealedTarget: 'sealed',
} as const;

export const NOTICE_ID = '0f8d3a52-97b1-4c8e-a1d4-5d3c1b0a9e77';
export const NOTICE_AT_MS = Date.UTC(2026, 10, 23, 9, 0, 0);

export const ORDINARY: NoticeContent = {
  title: 'Widget, 12 pack: $9.99 (was $12.49)',
  text: 'The price is below $10.00.',
  reasons: [{ rule: 'below', detail: 'The price is below $10.00.' }],
  retailer: 'retailer_w',
  url: 'https://shop.example.com/p/1?a=1&b=2',
  imageUrl: 'https://img.example.com/1.jpg',
  product: 'Widget, 12 pack',
  oldCents: 1_249,
  newCents: 999,
  targetCents: 1_000,
};

export function channelMessageOf(
  body: Partial<NoticeContent> = {},
  kind: NoticeKind = 'fired',
  data: Readonly<Record<string, unknown>> = { id: NOTICE_ID },
): ChannelMessage {
  return {
    notice: {
      id: NOTICE_ID,
      organizationId: 'org_1',
      watchId: 'wat_1',
      listingId: null,
      kind,
      body: { ...ORDINARY, ...body },
      atMs: NOTICE_AT_MS,
    },
    data,
  };
}

/** Everything in one: mentions, markup, control characters, bidi, half characters, and far too long. */
export const HOSTILE_TITLES: readonly string[] = [
  'a'.repeat(10_000),
  '&'.repeat(10_000),
  '"\\'.repeat(5_000),
  '@everyone '.repeat(1_000),
  '<!channel> <@U123> <!here|x> '.repeat(350),
  '<b onclick="x">&amp;</b><script>alert(1)</script> '.repeat(200),
  '[free](https://evil.example) **bold** `code` ||spoiler|| '.repeat(180),
  'price \u202e99.9$\u2066\u200b\u0000\u0007\r\nBcc: x@evil.example\r\n\r\n'.repeat(200),
  '👩‍👩‍👧‍👦'.repeat(1_000),
  `${'x'.repeat(149)}😀`.repeat(60),
  '\ud83d'.repeat(10_000),
  '漢'.repeat(10_000),
  ' \t\n'.repeat(3_000),
];

/** Returns messages in which a shop put that everywhere it can. */
export function hostileMessages(): readonly ChannelMessage[] {
  return HOSTILE_TITLES.map((title) =>
    channelMessageOf({
      title,
      text: title,
      product: title,
      retailer: title.slice(0, 500),
      url: `https://shop.example.com/p?q=${encodeURIComponent('|>"<&'.repeat(40))}&x=|>'()`,
      imageUrl: `https://img.example.com/${'a'.repeat(900)}?&&&&&&&&&&&&`,
    }),
  );
}

export const TARGETS = {
  apprise: { kind: 'apprise', url: 'https://apprise.example.com/notify/k3yk3yk3y' },
  mqtt: {
    kind: 'mqtt',
    url: 'mqtts://broker.example.com:8883',
    login: { user: 'shelf-user', password: 'shelf-pass-9f3' },
    topic: 'openshelf',
  },
  feed: { kind: 'feed', token: 'f33df33df33df33d' },
  webhook: {
    kind: 'webhook',
    url: 'https://hooks.example.com/in/4f9d81c2?key=a8d7c6b5',
    signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  },
  ntfy: {
    kind: 'ntfy',
    server: 'https://ntfy.example.com',
    topic: 'prices-k3v9q2',
    token: 'tk_d8a7c6b5e4f3',
  },
  discord: { kind: 'discord', url: 'https://discord.com/api/webhooks/123456789/Tok-en_9f8e7d6c' },
  slack: { kind: 'slack', url: 'https://hooks.slack.com/services/T0A1B2C3/B0A1B2C3/Zx9Yw8Vu7' },
  telegram: {
    kind: 'telegram',
    botToken: '123456789:AAF-9f8e7d6c5b4a3_2f1e0d9c8b7a65',
    chatId: '-1001234567890',
  },
  email: { kind: 'email', to: 'jane.doe@shop.example' },
} satisfies { readonly [Kind in Target['kind']]: Extract<Target, { kind: Kind }> };
