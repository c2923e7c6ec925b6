// Telegram's `sendMessage` (core.telegram.org/bots/api): a text of 1 to 4,096 characters after its entities are parsed. In its
// HTML mode, `&`, `<` and `>` in text are written as entities. The token is part of the path. Pure.

import { TELEGRAM_ORIGIN, type ChannelMessage, type Target } from './channel.ts';
import { cardOf } from './notice-card.ts';
import { asEntity, asHtml, escaped, fitted } from './plain-text.ts';
import type { ReceiverRequest } from './receiver.ts';

/** With two links and the facts, the text is under 4,096 even before the tags are parsed. */
const MAX_TITLE = 250;
const MAX_TEXT = 1_200;
const MAX_FACT = 120;
const MAX_LINK = 800;

export function telegramRequest(
  target: Extract<Target, { kind: 'telegram' }>,
  message: ChannelMessage,
): ReceiverRequest {
  const { title, text, facts, url, imageUrl, links } = cardOf(message);
  const line = (written: string, most: number) => fitted(written, { most, write: asEntity });
  const ways = links.map((link) => linkText(link.url, link.label));
  const lines = [
    `<b>${line(title, MAX_TITLE)}</b>`,
    line(text, MAX_TEXT),
    ...facts.map(({ name, value }) => line(`${name}: ${value}`, MAX_FACT)),
    ways.filter((link) => link !== null).join(' · '),
  ];
  const preview = imageUrl ?? url;
  return {
    url: `${TELEGRAM_ORIGIN}/bot${target.botToken}/sendMessage`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      chat_id: target.chatId,
      text: lines.filter((each) => each !== '').join('\n'),
      parse_mode: 'HTML',
      // Otherwise Telegram would preview any address in a title.
      link_preview_options:
        preview === null ? { is_disabled: true } : { url: preview, prefer_small_media: true },
    }),
  };
}

function linkText(url: string, label: string): string | null {
  const address = escaped(url, asHtml);
  return address.length > MAX_LINK ? null : `<a href="${address}">${label}</a>`;
}
