// Discord webhooks (discord.com/developers: Execute Webhook, Embed Limits). An embed has a title of at most 256 characters, a
// description of 4,096, 25 fields of 256 and 1,024, and 6,000 characters in total. With `wait=true` Discord responds once it
// has stored the message; without it, it reports no error for a message that it does not store. `allowed_mentions` with an
// empty `parse` mentions no one. Pure.

import { isoTimestamp } from '../../base/clock.ts';
import type { ChannelMessage, Target } from './channel.ts';
import { cardOf } from './notice-card.ts';
import { fitted, uncalled } from './plain-text.ts';
import type { ReceiverRequest } from './receiver.ts';

const MAX_TITLE = 256;
/** Less than Discord accepts, so that the total remains under 6,000. */
const MAX_DESCRIPTION = 3_000;
const MAX_VALUE = 200;

const BLUE = 0x1d_6f_dc;
const AMBER = 0xd9_8a_00;

/** Characters with a meaning in Discord's Markdown, including the `<` of a mention. */
const MARKUP = /[\\`*_~|<>[\]#]/;

function asText(character: string): string {
  return MARKUP.test(character) ? `\\${character}` : uncalled(character);
}

export function discordRequest(
  target: Extract<Target, { kind: 'discord' }>,
  message: ChannelMessage,
): ReceiverRequest {
  const { isTrouble, title, text, facts, url, imageUrl, links, atMs } = cardOf(message);
  const ways = links.filter((link) => link.url === message.watchUrl);
  const address = new URL(target.url);
  address.searchParams.set('wait', 'true');
  const embed = {
    title: fitted(title, { most: MAX_TITLE, write: asText }),
    description: fitted(text, { most: MAX_DESCRIPTION, write: asText }),
    color: isTrouble ? AMBER : BLUE,
    timestamp: isoTimestamp(atMs),
    fields: [
      ...facts.map(({ name, value }) => ({
        name,
        value: fitted(value, { most: MAX_VALUE, write: asText }),
        inline: message.notice.body.lines === undefined,
      })),
      ...ways.map(({ label, url: value }) => ({ name: label, value, inline: false })),
    ],
    ...(url === null ? {} : { url }),
    ...(imageUrl === null ? {} : { thumbnail: { url: imageUrl } }),
  };
  return {
    url: address.href,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } }),
  };
}
