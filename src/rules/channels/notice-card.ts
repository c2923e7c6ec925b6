// A notice as all channels show it: a title, a sentence, facts in a fixed order, a link and a picture. Each kind of
// channel only escapes and cuts it. Pure.

import { publicUrl } from '../../base/listing/public-url.ts';
import { usdText } from '../../base/dollars.ts';
import type { ChannelMessage } from './channel.ts';
import { plainLine } from './plain-text.ts';

type NoticeFact = { readonly name: string; readonly value: string };

/** The texts may be what a shop wrote. Each is a line that is not empty, not escaped and not cut yet. */
export type NoticeCard = {
  /** Whether it says that the watch itself is in trouble. */
  readonly isTrouble: boolean;
  /** Whether it is worth a sound: a price that was waited for, or trouble. */
  readonly isUrgent: boolean;
  readonly title: string;
  /** Why the notice is sent. */
  readonly text: string;
  /** The facts that are known. */
  readonly facts: readonly NoticeFact[];
  /** The product page; null if there is none that may be shown. */
  readonly url: string | null;
  readonly imageUrl: string | null;
  readonly atMs: number;
};

/** Longer addresses are left out, because a cut address leads elsewhere. */
const MAX_LINK = 1_000;

export function cardOf({ notice }: ChannelMessage): NoticeCard {
  const { body, kind, atMs } = notice;
  const { newCents, oldCents, targetCents } = body;
  // What a shop wrote may contain nothing visible, and services refuse a text without visible characters.
  const title = plainLine(body.title) || 'A notice of openshelf';
  const retailer = plainLine(body.retailer ?? '');
  const isTrouble = kind === 'failing' || kind === 'moved' || kind === 'out_of_tokens';
  return {
    isTrouble,
    isUrgent: isTrouble || kind === 'fired',
    title,
    text: plainLine(body.text) || title,
    facts: [
      priceFact('Price', newCents),
      priceFact('Before', oldCents),
      priceFact('Target', targetCents),
      retailer === '' ? null : { name: 'Retailer', value: retailer },
    ].filter((fact) => fact !== null),
    url: linkOf(body.url),
    imageUrl: linkOf(body.imageUrl),
    atMs,
  };
}

function priceFact(name: string, cents: number | null): NoticeFact | null {
  return cents === null ? null : { name, value: usdText(cents) };
}

/** A public http or https address in one spelling, without characters that end a link in some markup; else null. */
function linkOf(text: string | null): string | null {
  const url = URL.parse(publicUrl(text) ?? '');
  if (url === null) return null;
  const href = url.href.replaceAll(/[|'()*`{}[\]^\\]/g, percentEncoded);
  return href.length > MAX_LINK ? null : href;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
