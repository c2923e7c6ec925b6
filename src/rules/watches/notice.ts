// The content of a notice before it is worded for a channel: the same facts for every channel. Pure.

import { moneyText } from '../../base/money-text.ts';
import type { Firing, Known, FiringReason } from './watch.ts';

export const NOTICE_KINDS = [
  'fired',
  'failing',
  'works_again',
  'out_of_tokens',
  'resumed',
  'moved',
  'rule_withdrawn',
  'test',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Prices are minor units. */
export type NoticeContent = {
  /** The currency of the prices; absent for dollars. */
  readonly currency?: string;
  /** The source with terms (D81) that stated one of the prices; absent if there is none. Not shown. */
  readonly source?: string;
  readonly title: string;
  /** One line. */
  readonly text: string;
  /** Of a digest: the titles of its notices. */
  readonly lines?: readonly string[];
  readonly reasons: readonly FiringReason[];
  readonly retailer: string | null;
  readonly url: string | null;
  readonly imageUrl: string | null;
  /** The title of the product. */
  readonly product: string | null;
  readonly oldCents: number | null;
  readonly newCents: number | null;
  /** The price that the watch waits for. */
  readonly targetCents: number | null;
};

/** The name of a watch if no title is known: the submitted identifiers. */
type Named = { readonly identifiers: readonly string[]; readonly known: Known | null };

/** Creates the notice for rules that fired. */
export function firedBody(
  { reasons, currency, source, subject, oldCents, newCents, targetCents }: Firing,
  named: Named,
): NoticeContent {
  const product = nameOf(named);
  const price = newCents === null ? '' : `: ${moneyText(newCents, currency ?? 'USD')}`;
  const was =
    oldCents === null || oldCents === newCents
      ? ''
      : ` (was ${moneyText(oldCents, currency ?? 'USD')})`;
  return {
    title: `${product}${price}${was}`,
    text: reasons.map(({ detail }) => detail).join(' '),
    reasons,
    ...placeOf(subject),
    product,
    ...currencyAndSource({ currency, source }),
    oldCents,
    newCents,
    targetCents,
  };
}

function currencyAndSource({
  currency,
  source,
}: {
  readonly currency?: string | undefined;
  readonly source?: string | undefined;
}): Pick<NoticeContent, 'currency' | 'source'> {
  return {
    ...(currency === undefined ? {} : { currency }),
    ...(source === undefined ? {} : { source }),
  };
}

type Facts = {
  /** For `failing`: how the last attempt ended, and how many checks in a row read nothing. */
  readonly why?: string | null;
  readonly rounds?: number;
  /** For `moved`: the title of the product that the page shows now. */
  readonly nowShown?: string | null;
};

/** Creates the notice about the watch's own state. */
export function troubleBody(
  kind: Exclude<NoticeKind, 'fired'>,
  named: Named,
  facts: Facts = {},
): NoticeContent {
  const product = nameOf(named);
  const { title, text } = SENTENCES[kind](product, facts);
  return {
    title,
    text,
    reasons: [],
    ...placeOf(named.known),
    product,
    ...currencyAndSource(named.known ?? {}),
    oldCents: null,
    newCents: named.known?.priceCents ?? null,
    targetCents: null,
  };
}

type Sentences = { readonly title: string; readonly text: string };

const SENTENCES: Readonly<
  Record<Exclude<NoticeKind, 'fired'>, (product: string, facts: Facts) => Sentences>
> = {
  failing: (product, { why, rounds }) => ({
    title: `Watch is failing: ${product}`,
    text:
      `The last ${(rounds ?? 1) === 1 ? 'check' : `${rounds} checks`} read nothing. Reason: ` +
      `${whyWords(why ?? null)} The checks continue. If the page has moved, create a watch for its new address.`,
  }),
  works_again: (product) => ({
    title: `Watch works again: ${product}`,
    text: 'The last check read the page.',
  }),
  out_of_tokens: (product) => ({
    title: `Watch is stopped: ${product}`,
    text:
      "The organization's tokens of this month do not cover a check. Checks resume when tokens are available: " +
      'with the next month (UTC), or after openshelf orgs grant.',
  }),
  resumed: (product) => ({
    title: `Watch resumed: ${product}`,
    text: 'Tokens are available again, and the checks continue.',
  }),
  moved: (product, { nowShown }) => ({
    title: `Another product: ${product}`,
    text:
      `This page now shows another product${(nowShown ?? null) === null ? '' : `, ${nowShown}`}. Its price is ` +
      'not compared with the price of the watched product. The checks continue and notify you ' +
      'if the watched product is back; create a separate watch for the other one.',
  }),
  rule_withdrawn: (product) => ({
    title: `Choose the price again: ${product}`,
    text:
      'The page has changed, and the price that you chose on it can no longer be found with ' +
      'certainty. The watch ignores the price of this page until you choose it again or delete ' +
      'the rule.',
  }),
  test: (product) => ({
    title: `Test of a watch: ${product}`,
    text: 'This is a test notice. A real one looks like this, with the prices and the reason.',
  }),
};

/** Returns the reason as a sentence, without the machine-readable code before it. */
function whyWords(why: string | null): string {
  const words = (why ?? 'the last check was not made in time').replace(/^[a-z_]+: /, '');
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** Creates the notice for testing a channel; `name` is the channel's. */
export function channelTestBody(name: string): NoticeContent {
  return textBody({
    title: `Test of the channel ${name}`,
    text: 'From now on, notices of watches arrive here, with the prices and the reason.',
  });
}

/** Creates a notice that is not about a product. */
export function textBody(sentences: Sentences): NoticeContent {
  return {
    ...sentences,
    reasons: [],
    ...placeOf(null),
    product: null,
    oldCents: null,
    newCents: null,
    targetCents: null,
  };
}

function nameOf({ identifiers, known }: Named): string {
  return known?.title ?? identifiers[0] ?? 'a product';
}

function placeOf(known: Known | null) {
  const { retailer = null, url = null, imageUrl = null } = known ?? {};
  return { retailer, url: url === '' ? null : url, imageUrl };
}
