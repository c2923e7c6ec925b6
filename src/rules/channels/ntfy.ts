// ntfy, published as JSON to the server's root (docs.ntfy.sh/publish, "Publish as JSON"). A message has at most 4,096
// bytes, and the server reads at most twice as many bytes of the whole JSON text (`transformBodyJSON` in its source). Pure.

import type { ChannelMessage, Target } from './channel.ts';
import { cardOf } from './notice-card.ts';
import { bytesOf, fitted, uncalled } from './plain-text.ts';
import type { ReceiverRequest } from './receiver.ts';

/** Bytes. In the worst case JSON doubles each, and two links of 1,000 are added: under 8,192 in total. */
const MAX_TITLE = 250;
const MAX_TEXT = 2_000;
const MAX_FACT = 120;

/** ntfy's priorities: an urgent notice may make a sound. */
const HIGH = 4;
const DEFAULT = 3;

export function ntfyRequest(
  target: Extract<Target, { kind: 'ntfy' }>,
  letter: ChannelMessage,
): ReceiverRequest {
  const { isTrouble, isUrgent, title, text, facts, url, imageUrl, links } = cardOf(letter);
  const actions = links
    .filter((link) => link.url === letter.watchUrl)
    .map(({ label, url: to }) => ({ action: 'view', label, url: to }));
  const line = (written: string, most: number) =>
    fitted(written, { most, write: uncalled, sizeOf: bytesOf });
  const lines = facts.map(({ name, value }) => line(`${name}: ${value}`, MAX_FACT));
  return {
    url: `${target.server}/`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(target.token === null ? {} : { authorization: `Bearer ${target.token}` }),
    },
    body: JSON.stringify({
      topic: target.topic,
      title: line(title, MAX_TITLE),
      message: [line(text, MAX_TEXT), ...lines].join('\n'),
      tags: [isTrouble ? 'warning' : 'shopping_cart'],
      priority: isUrgent ? HIGH : DEFAULT,
      ...(url === null ? {} : { click: url }),
      ...(imageUrl === null ? {} : { attach: imageUrl }),
      ...(actions.length === 0 ? {} : { actions }),
    }),
  };
}
