// The receiver of Apprise's own API (github.com/caronc/apprise-api, "Notify"): JSON with title, body, type and format. It
// hands the message to any service that Apprise knows. Pure.

import type { ChannelMessage, Target } from './channel.ts';
import { cardOf } from './notice-card.ts';
import { fitted } from './plain-text.ts';
import type { ReceiverRequest } from './receiver.ts';

const MAX_TITLE = 250;
const MAX_TEXT = 2_000;
const MAX_FACT = 200;

export function appriseRequest(
  target: Extract<Target, { kind: 'apprise' }>,
  message: ChannelMessage,
): ReceiverRequest {
  const { isTrouble, title, text, facts, links } = cardOf(message);
  const lines = [
    fitted(text, { most: MAX_TEXT }),
    ...facts.map(({ name, value }) => fitted(`${name}: ${value}`, { most: MAX_FACT })),
    ...links.map(({ label, url }) => `${label}: ${url}`),
  ];
  return {
    url: target.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      title: fitted(title, { most: MAX_TITLE }),
      body: lines.join('\n'),
      type: isTrouble ? 'warning' : 'info',
      format: 'text',
    }),
  };
}
