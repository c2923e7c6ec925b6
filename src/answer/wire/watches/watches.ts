// Watches and their notices on the wire (D70): requests and answers.

import { z } from 'zod';

import { isoTimestamp, isoOrNull, SECOND_MS } from '../../../base/clock.ts';
import type { ShownWatch, Watch } from '../../../rules/watches/stored-watch.ts';
import { NOTICE_KINDS } from '../../../rules/watches/notice.ts';
import {
  DEFAULT_INTERVAL_MS,
  intervalOf,
  intervalText,
  newEnoughSinceMs,
} from '../../../rules/watches/schedule.ts';
import {
  currencyOfRules,
  RULE_NAMES,
  type Known,
  type Rules,
} from '../../../rules/watches/watch.ts';
import { saidCurrency, watchCurrency } from '../currency.ts';
import { amount, flag, instant, text, tokenFields } from '../fields.ts';
import { amountOrNull, currencyField, minorUnitsOfAmount } from '../hundredths.ts';

const MOST_PRICE = 1_000_000;
export const INTERVAL_RULE = 'a number with m, h or d, from 1h to 30d, such as 6h';

const interval = z
  .unknown()
  .transform((written, context) => {
    const ms = typeof written === 'string' ? intervalOf(written) : null;
    if (ms !== null) return ms;
    context.addIssue({ code: 'custom', params: { allowed: [intervalHint(written)] } });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    example: '6h',
    description: `How often the watch is checked: ${INTERVAL_RULE}. The default is 1d.`,
  });

/** A number is most often meant in seconds; it then states how that is written. */
function intervalHint(written: unknown): string {
  const text = typeof written === 'number' ? intervalText(written * SECOND_MS) : '';
  return intervalOf(text) === null ? INTERVAL_RULE : `"${text}" (${INTERVAL_RULE})`;
}

/** An amount with at most two decimals. */
const price = z
  .number()
  .positive()
  .max(MOST_PRICE)
  .refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, {
    params: { allowed: ['an amount with at most two decimals'] },
  });

const percent = (description: string) =>
  z.number().positive().max(1_000).nullable().meta({ description });

const conditions = {
  below: price.nullable().meta({
    description:
      'Notify when the price is below this amount, in the `currency` of the watch, and again ' +
      'after a further drop or after the price has been above it.',
  }),
  down_percent: percent(
    'Notify when the price has fallen by this many percent since the last notification.',
  ),
  up_percent: percent(
    'Notify when the price has risen by this many percent since the last notification.',
  ),
  new_low: z
    .union([z.literal(30), z.literal(90)])
    .nullable()
    .meta({ description: 'Notify when the price is the lowest in this many days, 30 or 90.' }),
  step_percent: z
    .number()
    .positive()
    .max(99)
    .meta({
      description:
        'The further drop in percent after which `below` and `new_low` notify again. The default ' +
        'is 5.',
    }),
  back_in_stock: z.boolean().meta({ description: 'Notify when the product is back in stock.' }),
  out_of_stock: z.boolean().meta({ description: 'Notify when the product is out of stock.' }),
  buy_box: z.boolean().meta({
    description: "Notify when the offer behind the page's price is from another seller.",
  }),
  any_change: z.boolean().meta({
    description:
      'Notify on every change of price, stock or seller. `true` if no condition is sent.',
  }),
};

const watchSource = z.literal('handed_in').meta({
  description:
    'Only pages that the organization hands in count: nothing is fetched, the watch costs nothing, and ' +
    '`interval` has no meaning.',
});

/** A tag: a short line without quotation marks and backslashes, which JSON text would escape. */
export const watchTag = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .refine((written) => !/["\\,]|[\p{Cc}\p{Cs}]/u.test(written), {
    params: { allowed: ['1 to 40 characters without commas, quotation marks and backslashes'] },
  });

const common = {
  retailer: z.string().meta({
    description:
      'Whose price is watched: `anchor` (default, the shop that supplies the price of the record, its ' +
      '`price_source`), `any` (each retailer separately), `best` (the lowest price), or a slug. A ' +
      'watch of pages accepts only `any` or `best`.',
    example: 'best',
  }),
  interval,
  ...conditions,
  channels: z
    .array(z.string().max(64))
    .max(10)
    .meta({ description: 'The IDs of the channels through which the watch notifies.' }),
  failing_after: z
    .int()
    .min(1)
    .max(100)
    .meta({
      description:
        'The number of consecutive checks that read nothing before a notification states that the watch ' +
        'is failing. The default is 3.',
    }),
  tags: z
    .array(watchTag)
    .max(10)
    .meta({ description: 'What you sort watches by: at most 10 tags.', example: ['kitchen'] }),
};

const optional = z.strictObject(common).partial().shape;

export const NewWatchBody = z
  .strictObject({
    identifier: z.string().min(1).max(4_096).optional().meta({
      description:
        'A barcode, ASIN, item ID or the address of a page. Send either this or `addresses`.',
      example: '614141000005',
    }),
    addresses: z.array(z.string().min(1).max(4_096)).min(1).max(20).optional().meta({
      description: 'The addresses of pages that are watched as one, at most 20.',
    }),
    currency: watchCurrency.optional(),
    source: watchSource.optional(),
    ...optional,
  })
  .meta({ id: 'NewWatch' });
export type NewWatchBody = z.infer<typeof NewWatchBody>;

export const WatchPatchBody = z
  .strictObject({
    ...optional,
    paused: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the watch is paused. A paused watch is not checked.' }),
  })
  .meta({ id: 'WatchPatch' });
export type WatchPatchBody = z.infer<typeof WatchPatchBody>;

const DEFAULT_STEP_PERCENT = 5;
const DEFAULT_FAILING_AFTER = 3;

type SentRules = Pick<NewWatchBody, keyof typeof conditions>;

function belowCentsOf({ below }: SentRules, before: Rules | null, currency: string): number | null {
  if (below === undefined) return before?.belowCents ?? null;
  return below === null ? null : minorUnitsOfAmount(below, currency);
}

/**
 * Returns the rules after a change: those that were sent, and the earlier ones that were not. `currency` is the currency of
 * the watch.
 */
function rulesOf(sent: SentRules, before: Rules | null, currency: string): Rules {
  return {
    belowCents: belowCentsOf(sent, before, currency),
    downPercent:
      sent.down_percent === undefined ? (before?.downPercent ?? null) : sent.down_percent,
    upPercent: sent.up_percent === undefined ? (before?.upPercent ?? null) : sent.up_percent,
    newLowDays: sent.new_low === undefined ? (before?.newLowDays ?? null) : sent.new_low,
    stepPercent: sent.step_percent ?? before?.stepPercent ?? DEFAULT_STEP_PERCENT,
    backInStock: sent.back_in_stock ?? before?.backInStock ?? false,
    outOfStock: sent.out_of_stock ?? before?.outOfStock ?? false,
    buyBox: sent.buy_box ?? before?.buyBox ?? false,
    anyChange: sent.any_change ?? before?.anyChange ?? false,
    ...(before?.currency === undefined ? {} : { currency: before.currency }),
    ...(before?.isHandedIn === true ? { isHandedIn: true } : {}),
  };
}

/** Returns the request for a new watch, with the defaults filled in. `usualCurrency` is the installation's. */
export function wantedOf(body: NewWatchBody, usualCurrency: string) {
  const { currency = usualCurrency } = body;
  const isCurrencyAsked = body.currency !== undefined;
  return {
    isCurrencyAsked,
    identifier: body.identifier ?? null,
    addresses: body.addresses ?? [],
    retailer: body.retailer ?? null,
    intervalMs: body.interval ?? DEFAULT_INTERVAL_MS,
    rules: {
      ...rulesOf(body, null, currency),
      ...currencyField(currency, isCurrencyAsked),
      ...(body.source === undefined ? {} : { isHandedIn: true as const }),
    },
    channels: body.channels ?? [],
    failingAfter: body.failing_after ?? DEFAULT_FAILING_AFTER,
    tags: [...new Set(body.tags)],
  };
}

/** Returns the changes of a patch; settings that it does not name are unchanged. */
export function changedOf(body: WatchPatchBody) {
  const { retailer, interval: intervalMs, channels, failing_after: failingAfter, paused } = body;
  const { tags } = body;
  return {
    rules: (before: Rules) => rulesOf(body, before, currencyOfRules(before)),
    ...(retailer === undefined ? {} : { retailer }),
    ...(intervalMs === undefined ? {} : { intervalMs }),
    ...(channels === undefined ? {} : { channels }),
    ...(failingAfter === undefined ? {} : { failingAfter }),
    ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
    ...(paused === undefined ? {} : { isPaused: paused }),
  };
}

const ListingBody = z.strictObject({
  retailer: z.string().meta({ description: 'Slug.' }),
  url: text('The URL of the product page.'),
  title: text('The title of the listing.'),
  image_url: text('The URL of an image.'),
  price: amount('The last price that was accepted as real.'),
  in_stock: flag('Whether the product could be bought when the listing was last read.'),
  seller: text('The seller of the offer behind the price.'),
  observed_at: z.iso.datetime().meta({ description: 'When the listing was last read.' }),
  ai_input: z.literal(false).optional().meta({
    description:
      'Present only if the shop allows no text of its page to be given to language models.',
  }),
});

const WatchBody = z
  .strictObject({
    id: z.string().meta({ description: 'The ID of the watch.', example: 'wat_2mQ9xkz0' }),
    identifier: text('The identifier that is watched; `null` if `addresses` are watched.'),
    addresses: z
      .array(z.string())
      .meta({ description: 'The addresses of pages that are watched as one.' }),
    retailer: z
      .string()
      .meta({ description: 'Whose price is watched: `anchor`, `any`, `best` or a slug.' }),
    interval: z.string().meta({ description: 'The time between two checks.', example: '1d' }),
    below: amount('The price below which the watch notifies; `null` if not set.'),
    currency: saidCurrency,
    source: watchSource.optional(),
    down_percent: z
      .number()
      .nullable()
      .meta({ description: 'The drop in percent at which the watch notifies; `null` if not set.' }),
    up_percent: z
      .number()
      .nullable()
      .meta({ description: 'The rise in percent at which the watch notifies; `null` if not set.' }),
    new_low: z
      .int()
      .nullable()
      .meta({
        description:
          'The number of days in which the price must be the lowest for the watch to notify; `null` if not ' +
          'set.',
      }),
    step_percent: z.number().meta({
      description: 'The further drop in percent after which `below` and `new_low` notify again.',
    }),
    back_in_stock: z
      .boolean()
      .meta({ description: 'Whether the watch notifies when the product is back in stock.' }),
    out_of_stock: z
      .boolean()
      .meta({ description: 'Whether the watch notifies when the product is out of stock.' }),
    buy_box: z.boolean().meta({
      description:
        "Whether the watch notifies when the offer behind the page's price is from another seller.",
    }),
    any_change: z.boolean().meta({
      description: 'Whether the watch notifies on every change of price, stock or seller.',
    }),
    channels: z
      .array(z.string())
      .meta({ description: 'The IDs of the channels through which the watch notifies.' }),
    failing_after: z.int().meta({
      description:
        'The number of consecutive checks that read nothing before a notification states that the watch ' +
        'is failing.',
    }),
    tags: z.array(z.string()).meta({ description: 'The tags of the watch.' }),
    state: z.enum(['active', 'paused', 'failing', 'out_of_tokens']).meta({
      description:
        'The state of the watch. `failing`: the last checks read nothing, or the page shows another ' +
        "product; `reason` states why, and the checks continue. `out_of_tokens`: the month's tokens are " +
        'spent; checks resume when tokens are available.',
    }),
    reason: text('Why the last check read nothing; `null` if it read something.'),
    created_at: z.iso.datetime().meta({ description: 'When the watch was created.' }),
    next_check_at: instant(
      'When the next check is due; `null` while the watch is paused, and if it fetches nothing.',
    ),
    last_read_at: instant('When something was last read; `null` if never.'),
    listings: z
      .array(ListingBody)
      .meta({ description: 'The known facts about the listings of the watch.' }),
    not_watched: z
      .array(
        z.strictObject({
          retailer: z.string().meta({ description: 'The slug of the retailer.' }),
          source: z.string().meta({ description: 'The source whose terms allow no price alerts.' }),
          reason: z.literal('terms').meta({ description: 'Why the retailer is left out.' }),
        }),
      )
      .optional()
      .meta({
        description:
          'Retailers that a watch of `any` or `best` leaves out. Present only if there are any.',
      }),
  })
  .meta({ id: 'Watch', description: 'A watch: its conditions and the values that it has seen.' });

export function presentWatch(watch: Watch & Partial<ShownWatch>): z.infer<typeof WatchBody> {
  const { identifiers, gtin, rules, state, pausedAtMs, trouble } = watch;
  const isOne = gtin !== null || identifiers.length === 1;
  return {
    id: watch.id,
    identifier: isOne ? (identifiers[0] ?? null) : null,
    addresses: isOne ? [] : [...identifiers],
    retailer: watch.retailer,
    interval: intervalText(watch.intervalMs),
    below: amountOrNull(rules.belowCents, currencyOfRules(rules)),
    ...(rules.currency === undefined ? {} : { currency: rules.currency }),
    ...(rules.isHandedIn === true ? { source: 'handed_in' as const } : {}),
    down_percent: rules.downPercent,
    up_percent: rules.upPercent,
    new_low: rules.newLowDays,
    step_percent: rules.stepPercent,
    back_in_stock: rules.backInStock,
    out_of_stock: rules.outOfStock,
    buy_box: rules.buyBox,
    any_change: rules.anyChange,
    channels: [...watch.channels],
    failing_after: watch.failingAfter,
    tags: [...watch.tags],
    state: pausedAtMs === null ? (trouble ?? 'active') : 'paused',
    reason: reasonOf(watch),
    created_at: isoTimestamp(watch.createdAtMs),
    next_check_at:
      pausedAtMs === null && rules.isHandedIn !== true ? isoTimestamp(watch.nextAtMs) : null,
    last_read_at: isoOrNull(watch.readAtMs),
    listings: Object.values(state.known).map(presentKnown),
    ...presentNotWatched(watch),
  };
}

function presentNotWatched({ notWatched = [] }: Partial<ShownWatch>) {
  if (notWatched.length === 0) return {};
  return { not_watched: notWatched.map((each) => ({ ...each, reason: 'terms' as const })) };
}

/** Returns the watch's trouble. If its check has read some of several pages, one that could not be read is not trouble. */
function reasonOf(watch: Watch): string | null {
  const { reason, readAtMs, roundAtMs, intervalMs, failedRounds, rules } = watch;
  if (rules.isHandedIn === true) return null;
  const sinceMs = roundAtMs === null ? 0 : newEnoughSinceMs(roundAtMs, intervalMs);
  const hasRead = failedRounds === 0 && readAtMs !== null && readAtMs >= sinceMs;
  return hasRead ? null : reason;
}

function presentKnown(known: Known): z.infer<typeof ListingBody> {
  return {
    retailer: known.retailer,
    url: known.url === '' ? null : known.url,
    title: known.title,
    image_url: known.imageUrl,
    price: amountOrNull(known.priceCents, known.currency ?? 'USD'),
    in_stock: known.inStock,
    seller: known.seller,
    observed_at: isoTimestamp(known.atMs),
    ...(known.aiInput === undefined ? {} : { ai_input: known.aiInput }),
  };
}

const NoticeBody = z
  .strictObject({
    id: z.string().meta({
      description: 'The ID of the notification, which stays the same when it is sent again.',
    }),
    watch_id: text(
      'The ID of the watch to which the notification belongs; `null` for the test of a channel and for notices to the operator.',
    ),
    kind: z.enum(NOTICE_KINDS).meta({
      description:
        'The kind of notification. `fired`: a condition was met. `moved`: the page now shows ' +
        'another product. `rule_withdrawn`: the price that was chosen on the page is no longer ' +
        'found (`POST /v1/rules`). The others are about the watch itself.',
    }),
    at: z.iso.datetime().meta({ description: 'When the notification was written.' }),
    title: z
      .string()
      .meta({ description: 'The title in one line, such as for the subject of an email.' }),
    text: z.string().meta({ description: 'The reasons as sentences.' }),
    reasons: z
      .array(
        z.strictObject({
          rule: z.enum(RULE_NAMES).meta({ description: 'The condition that was met.' }),
          detail: z.string().meta({ description: 'The reason in words.' }),
        }),
      )
      .meta({ description: 'The conditions that were met.' }),
    retailer: text('Slug.'),
    url: text('The URL of the product page.'),
    image_url: text('The URL of an image.'),
    product: text('The title of the product.'),
    currency: saidCurrency,
    old_price: amount('The price before the change.'),
    new_price: amount('The current price.'),
    target: amount('The price below which the watch notifies; `null` if not set.'),
  })
  .meta({ id: 'Notice' });
export type NoticeOnWire = z.infer<typeof NoticeBody>;

const next = text('The value to send as `cursor` to continue; `null` on the last page.');

export type WatchOnWire = z.infer<typeof WatchBody>;

export const WatchAnswer = z
  .strictObject({
    watch: WatchBody,
    existing: z.literal(true).optional().meta({
      description: 'Present if no watch was created, because `watch` already asks for the same.',
    }),
    ...tokenFields,
  })
  .meta({ id: 'WatchAnswer' });
export const WatchWithNotices = z.strictObject({
  watch: WatchBody,
  notices: z.array(NoticeBody).meta({ description: 'The newest 20 notifications, newest first.' }),
  ...tokenFields,
});
export const WatchList = z.strictObject({
  watches: z.array(WatchBody).meta({ description: 'The watches, newest first.' }),
  next,
  ...tokenFields,
});
export type WatchList = z.infer<typeof WatchList>;
export const WatchTest = z.strictObject({ watch: WatchBody, notice: NoticeBody, ...tokenFields });
export const WatchDeleted = z.strictObject({
  deleted: z.literal(true).meta({ description: 'Always `true`: the watch is deleted.' }),
  id: z.string().meta({ description: 'The ID of the deleted watch.' }),
  ...tokenFields,
});
