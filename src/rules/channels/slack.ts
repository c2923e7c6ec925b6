// Slack's incoming webhooks with blocks (docs.slack.dev, Block Kit): at most 50 blocks, a header of 150 characters, a section's
// text of 3,000, ten fields of 2,000. `&`, `<` and `>` are written as entities, because `<!channel>` and links begin with one.
// The picture is a link instead of a block: Slack refuses the whole message if it cannot load its picture. Pure.

import type { ChannelMessage, Target } from './channel.ts';
import { cardOf } from './notice-card.ts';
import { asEntity, escaped, fitted } from './plain-text.ts';
import type { ReceiverRequest } from './receiver.ts';

const MAX_HEADER = 150;
const MAX_TEXT = 2_900;
const MAX_FIELD = 200;
const MAX_FIELDS = 10;
/** Characters after escaping: two links stay below a section's 3,000. */
const MAX_LINK = 1_400;

export function slackRequest(
  target: Extract<Target, { kind: 'slack' }>,
  message: ChannelMessage,
): ReceiverRequest {
  const { title, text, facts, links } = cardOf(message);
  const plain = (written: string, most: number) => ({
    type: 'plain_text',
    text: fitted(written, { most, write: asEntity }),
    emoji: false,
  });
  const ways = links.map(({ url, label }) => linkText(url, label));
  const linkLine = ways.filter((link) => link !== null).join('  ');
  const fields = facts.map(({ name, value }) => plain(`${name}: ${value}`, MAX_FIELD));
  const blocks = [
    { type: 'header', text: plain(title, MAX_HEADER) },
    {
      type: 'section',
      text: plain(text, MAX_TEXT),
      ...(fields.length === 0 ? {} : { fields: fields.slice(0, MAX_FIELDS) }),
    },
    ...(fields.length > MAX_FIELDS
      ? [{ type: 'section', fields: fields.slice(MAX_FIELDS, 2 * MAX_FIELDS) }]
      : []),
    ...(linkLine === ''
      ? []
      : [{ type: 'section', text: { type: 'mrkdwn', text: linkLine, verbatim: true } }]),
  ];
  // The text of a phone notification, which shows no blocks.
  const summary = fitted(title, { most: MAX_FIELD, write: asEntity });
  const unfurling = { unfurl_links: false, unfurl_media: true };
  return {
    url: target.url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: summary, blocks, ...unfurling }),
  };
}

function linkText(url: string, label: string): string | null {
  const address = escaped(url, asEntity);
  return address.length > MAX_LINK ? null : `<${address}|${label}>`;
}
