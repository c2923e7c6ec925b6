// A notice as shown in all channels: a title, a sentence, facts in a fixed order, a link and a picture. Each kind of
// channel only escapes and truncates it. Pure.

import { publicUrl } from '../../base/listing/public-url.ts';
import { moneyText } from '../../base/money-text.ts';
import type { ChannelMessage } from './channel.ts';
import { plainLine } from './plain-text.ts';

type NoticeFact = { readonly name: string; readonly value: string };

/** The texts may come from a shop. Each is a non-empty line, not yet escaped or truncated. */
export type NoticeCard = {
  /** Whether it reports a problem with the watch itself. */
  readonly isTrouble: boolean;
  /** Whether it deserves a sound: a price the user was waiting for, or a problem. */
  readonly isUrgent: boolean;
  readonly title: string;
  /** Why the notice is sent. */
  readonly text: string;
  /** The known facts. */
  readonly facts: readonly NoticeFact[];
  /** The product page; null if there is none that may be shown. */
  readonly url: string | null;
  readonly imageUrl: string | null;
  /** The links with their labels: to the page, the picture and the watch. */
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly atMs: number;
};

/** The kinds that report a problem with the watch itself. */
const TROUBLE: ReadonlySet<string> = new Set([
  'failing',
  'moved',
  'out_of_tokens',
  'rule_withdrawn',
]);

/** Longer addresses are omitted, because a truncated address leads elsewhere. */
const MAX_LINK = 1_000;

export function cardOf({ notice, watchUrl = null, prices = null }: ChannelMessage): NoticeCard {
  const { body, kind, atMs } = notice;
  const { newCents, oldCents, targetCents, currency = 'USD' } = body;
  const price = (name: string, cents: number | null) =>
    cents === null ? null : { name, value: moneyText(cents, currency) };
  // Shop text may contain nothing visible, and services refuse a text without visible characters.
  const title = plainLine(body.title) || 'A notice from openshelf';
  const retailer = plainLine(body.retailer ?? '');
  const isTrouble = TROUBLE.has(kind);
  const [url, imageUrl] = [linkOf(body.url), linkOf(body.imageUrl)];
  return {
    isTrouble,
    isUrgent: isTrouble || kind === 'fired',
    title,
    text: plainLine(body.text) || title,
    facts: [
      price('Price', newCents),
      price('Before', oldCents),
      price('Target', targetCents),
      retailer === '' ? null : { name: 'Retailer', value: retailer },
      prices === null ? null : { name: 'Last 90 days', value: prices },
      ...(body.lines ?? []).map((line, at) => ({ name: String(at + 1), value: plainLine(line) })),
    ].filter((fact) => fact !== null),
    url,
    imageUrl,
    links: [
      { label: 'Open the page', url },
      { label: 'Image', url: imageUrl },
      { label: body.lines === undefined ? 'Your watch' : 'Your watches', url: watchUrl },
    ].flatMap((link) => (link.url === null ? [] : [{ ...link, url: link.url }])),
    atMs,
  };
}

/** Returns the address at which the console shows a notice's watch; null if the installation has no public address. */
export function watchUrlOf(
  publicUrl: string | null,
  { watchId }: ChannelMessage['notice'],
): string | null {
  if (publicUrl === null) return null;
  return `${publicUrl}/console/watches${watchId === '' ? '' : `#${watchId}`}`;
}

/** Returns a normalized public http or https address without characters that end a link in some markup; otherwise null. */
function linkOf(text: string | null): string | null {
  const url = URL.parse(publicUrl(text) ?? '');
  if (url === null) return null;
  const href = url.href.replaceAll(/[|'()*`{}[\]^\\]/g, percentEncoded);
  return href.length > MAX_LINK ? null : href;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
