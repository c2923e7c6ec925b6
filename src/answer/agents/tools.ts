// The tools that agents call: their schemas, maximum costs, and answers.

import { z } from 'zod';
import type { CallToolResult } from '@modelcontextprotocol/server';

import { mostItCanCost, tokensInWords } from '../../base/call-cost.ts';
import { messageOf } from '../../base/fault.ts';
import { withoutRoutes } from '../../base/next-steps.ts';
import { cleanText } from '../../base/listing/text/text.ts';
import { answerWithin, type DigestRoom } from './answer.ts';
import type { Budget } from './budget.ts';
import {
  candidatesDigest,
  comparisonDetail,
  comparisonDigest,
  historyDigest,
  offersDigest,
  productDetail,
  productDigest,
  watchDigest,
} from './digest.ts';
import type { ShelfRefusal, Reply, Shelf } from './shelf.ts';

export type ToolParts = { readonly shelf: Shelf; readonly budget: Budget };

const identifier = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: 'A barcode (UPC, EAN, ISBN), ASIN, item id, or the URL of a product page' });
const retailer = z
  .string()
  .max(64)
  .optional()
  .meta({ description: 'The slug or name of the only retailer to use: retailer_w, walmart' });
const currency = z.string().max(10).optional().meta({
  description: 'The currency of prices: an ISO 4217 code or native; nothing is converted',
});
const detail = z.boolean().optional().meta({ description: 'Returns up to 16 KB instead of 2 KB' });
const amount = (what: string) =>
  z.number().min(0).max(1_000_000).multipleOf(0.01).optional().meta({ description: what });

const INPUTS = {
  lookup: z.strictObject({ identifier, retailer, currency, detail }),
  compare: z.strictObject({
    identifier,
    currency,
    cost: amount('What you pay for one unit: the whole set if the identifier is that of a set'),
    shipping: amount('What you pay to ship one unit'),
    prep: amount('What you pay to prepare one unit'),
    cost_per: z
      .enum(['code', 'piece'])
      .optional()
      .meta({ description: 'The unit of the costs: code (default), or piece, one piece of a set' }),
    roi: amount('The desired return in percent; fills highest_cost'),
    detail,
  }),
  find: z.strictObject({
    words: z
      .string()
      .min(2)
      .max(300)
      .meta({ description: 'Brand, model and size, as in a search' }),
  }),
  history: z.strictObject({
    identifier,
    retailer: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'The slug or name of a retailer, or all; the default is retailer_w' }),
    timeframe: z
      .enum(['7d', '30d', '60d', '90d', '180d', '1y', 'all'])
      .optional()
      .meta({ description: 'The default is 30d' }),
    currency,
    detail,
  }),
  offers: z.strictObject({ identifier, retailer, currency, detail }),
  watch: z.strictObject({
    identifier,
    retailer: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'Whose price: anchor (default), any, best, or a slug' }),
    currency: currency.meta({
      description: 'The currency of the watch, which cannot be changed later: an ISO 4217 code',
    }),
    below: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .meta({ description: 'Notifies when the price is below this amount' }),
    down_percent: z.number().positive().max(1_000).optional(),
    new_low: z
      .union([z.literal(30), z.literal(90)])
      .optional()
      .meta({ description: 'Notifies when the price is the lowest in this many days' }),
    back_in_stock: z.boolean().optional(),
  }),
} as const;

type Inputs = { readonly [Name in keyof typeof INPUTS]: z.infer<(typeof INPUTS)[Name]> };
export type ToolName = keyof Inputs;

export type Tool<Name extends ToolName = ToolName> = {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly input: (typeof INPUTS)[Name];
  /** Arguments of a valid call, shown in answer to an invalid one. */
  readonly example: Inputs[Name];
  readonly isReadOnly: boolean;
  readonly run: (parts: ToolParts, input: Inputs[Name]) => Promise<CallToolResult>;
};

const MOST_TOKENS: Readonly<Record<ToolName, number>> = {
  lookup: mostItCanCost({ kind: 'product', addOns: {} }),
  compare: mostItCanCost({ kind: 'compare' }),
  find: mostItCanCost({ kind: 'free' }),
  history: mostItCanCost({ kind: 'history' }),
  offers: mostItCanCost({ kind: 'product', addOns: { includeOffers: true } }),
  watch: mostItCanCost({ kind: 'free' }),
};

const tokensOf = (count: number): string => (count === 0 ? 'No tokens' : tokensInWords(count));
const priced = (name: ToolName): string => `${tokensOf(MOST_TOKENS[name])}.`;

const lookup: Tool<'lookup'> = {
  name: 'lookup',
  title: 'Look up a product',
  description:
    'Looks up what a product is and what it costs: identity, best price, age of the facts, doubts. ' +
    priced('lookup'),
  input: INPUTS.lookup,
  example: { identifier: '614141000005' },
  isReadOnly: true,
  run: (parts, { detail: isLong, ...ask }) =>
    answer(parts, 'lookup', {
      reply: () => parts.shelf.product({ ...ask, withOffers: false }),
      digest: isLong === true ? productDetail : productDigest,
      detail: isLong,
    }),
};

const compare: Tool<'compare'> = {
  name: 'compare',
  title: 'Compare retailers',
  description:
    'Compares one product at every retailer: price, fees and, if cost is sent, profit, ROI and the ' +
    `highest cost. Uses stored data. ${priced('compare')}`,
  input: INPUTS.compare,
  example: { identifier: '614141000005', cost: 12.5 },
  isReadOnly: true,
  run: (parts, { identifier: wanted, currency: money, detail: isLong, ...costs }) =>
    answer(parts, 'compare', {
      reply: () =>
        parts.shelf.comparison({ identifier: wanted, currency: money, costs: given(costs) }),
      digest: isLong === true ? comparisonDetail : comparisonDigest,
      detail: isLong,
    }),
};

const find: Tool<'find'> = {
  name: 'find',
  title: 'Find candidates by words',
  description: `Finds product pages with a search engine; look one up to check it. ${priced('find')}`,
  input: INPUTS.find,
  example: { words: 'Cobbleton brass letter tray' },
  isReadOnly: true,
  run: (parts, { words }) =>
    answer(parts, 'find', { reply: () => parts.shelf.find(words), digest: candidatesDigest }),
};

const history: Tool<'history'> = {
  name: 'history',
  title: 'Price history',
  description:
    'Returns the stored prices of a product: current, lowest, highest, average, newest rows. ' +
    priced('history'),
  input: INPUTS.history,
  example: { identifier: '614141000005', timeframe: '90d' },
  isReadOnly: true,
  run: (parts, { detail: isLong, ...ask }) =>
    answer(parts, 'history', {
      reply: () => parts.shelf.history(ask),
      digest: historyDigest,
      detail: isLong,
    }),
};

const offers: Tool<'offers'> = {
  name: 'offers',
  title: 'Live offers',
  description:
    'Returns the current sellers of a product, cheapest first, fetched during the call. ' +
    priced('offers'),
  input: INPUTS.offers,
  example: { identifier: '614141000005' },
  isReadOnly: true,
  run: (parts, { detail: isLong, ...ask }) =>
    answer(parts, 'offers', {
      reply: () => parts.shelf.product({ ...ask, withOffers: true }),
      digest: offersDigest,
      detail: isLong,
    }),
};

const watch: Tool<'watch'> = {
  name: 'watch',
  title: 'Watch a product',
  description:
    'Creates a watch that checks daily and sends a notification when a condition is met, or on any change. ' +
    `Creating it is free; each check costs the key ${tokensInWords({ kind: 'watchedRead' })}, so ask the ` +
    'user first.',
  input: INPUTS.watch,
  example: { identifier: '614141000005', below: 20 },
  isReadOnly: false,
  run: (parts, input) =>
    answer(parts, 'watch', { reply: () => parts.shelf.watch(given(input)), digest: watchDigest }),
};

export const TOOLS = { lookup, compare, find, history, offers, watch } as const;

type Call<Body> = {
  readonly reply: () => Promise<Reply<Body>>;
  readonly digest: (body: Body, room: DigestRoom) => Record<string, unknown>;
  readonly detail?: boolean | undefined;
};

/** Runs a call within the budget, and reports its cost. */
async function answer<Body>(
  { budget }: ToolParts,
  name: ToolName,
  { reply: ask, digest, detail: isLong }: Call<Body>,
): Promise<CallToolResult> {
  const most = MOST_TOKENS[name];
  const settle = await budget.take(most);
  if (settle === null) return budgetSpent(budget, name);
  // A synchronous throw becomes a refusal too: otherwise its reserved tokens would never be released.
  const reply = await Promise.try(ask).catch((error: unknown): Reply<never> => {
    const why = messageOf(error);
    return { ok: false, refusal: { code: 'unreachable', detail: why } };
  });
  if (!reply.ok) {
    settle(0);
    return refused(reply.refusal, budget);
  }
  const { tokens_consumed: spent = 0, tokens_remaining: remaining } = reply.body;
  settle(spent);
  const tokens = { spent, ...leftOf(budget, remaining) };
  return answerWithin((room) => ({ ...digest(reply.body, room), tokens }), { detail: isLong });
}

function leftOf(budget: Budget, remaining: number | undefined) {
  const inConversation = budget.left();
  return {
    ...(inConversation === null ? {} : { left_in_budget: inConversation }),
    ...(remaining === undefined ? {} : { left_this_month: remaining }),
  };
}

function budgetSpent(budget: Budget, name: ToolName): CallToolResult {
  const left = budget.left() ?? 0;
  const affordable = Object.entries(MOST_TOKENS).filter(([, most]) => most <= left);
  const calls = affordable.map(([each, most]) => `${each} (${most})`).join(', ');
  return refusal(() => ({
    error: 'budget_spent',
    detail:
      `${name} can cost ${tokensOf(MOST_TOKENS[name])}, but only ${left} of the budget of ${budget.limit} can ` +
      'be spent now. Nothing was charged. Answer from what you have, and tell the user what is missing.',
    still_possible: calls,
    tokens: { spent: 0, spent_of_budget: budget.spent(), left_in_budget: left },
  }));
}

const SOON_SECONDS = 60;

/** What an agent should do after a refusal. The service's own messages are written for HTTP clients. */
const NEXT: Readonly<Record<string, string>> = {
  invalid_identifier:
    'Send one barcode, ASIN, item id or product URL as identifier. For words, call find.',
  not_found: 'Check the identifier with the user, or call find with brand and model.',
  identity_mismatch: 'The page shows another product. Look the barcode up instead.',
  quota_exceeded:
    "The month's tokens are spent. Stop and tell the user; calls will fail until the month ends.",
  throttled: 'Wait for retry_after_seconds, then call again.',
  invalid_parameter: 'Correct the argument named in parameter, then call again.',
  retailer_mismatch: 'Leave out retailer, or send the barcode of the product as identifier.',
  bare_identifier_required:
    'Leave out retailer, or send the URL of the product page as identifier.',
  url_not_allowed:
    'Send the public URL of a product page, or the barcode. Do not try this address again.',
  source_unusable:
    'This page cannot be read, now or later. Look up the barcode or another page of the product.',
  upstream_unavailable: 'Call again later, or use compare or history, which contact no shop.',
  offers_unavailable: 'Use lookup: it has the buy box price.',
  insufficient_scope: 'This key may not do that. Tell the user.',
  invalid_api_key: 'Tell the user to check OPENSHELF_API_KEY.',
  missing_api_key: 'Tell the user to set OPENSHELF_API_KEY.',
  overloaded: 'Wait for retry_after_seconds, then call again, one call at a time.',
  unreachable:
    'The service does not respond. Try once more, then tell the user what detail states.',
};
const OTHERWISE = 'Tell the user what detail states.';

function refused(
  { code, detail: why, parameter, allowed = [], retryAfterSeconds, tokensRemaining }: ShelfRefusal,
  budget: Budget,
): CallToolResult {
  // Calls still in progress have reserved the tokens. If the month's tokens were spent, the wait would be longer.
  const isSetAside = code === 'quota_exceeded' && (retryAfterSeconds ?? Infinity) <= SOON_SECONDS;
  return refusal((room) => ({
    error: code,
    detail: cleanText(withoutRoutes(why, 'tool'), room.text * 5),
    // The route names the parameter after its path; an agent knows only its tool's arguments.
    parameter: parameter === 'id' ? 'identifier' : parameter,
    allowed: allowed.slice(0, room.rows * 2).map((each) => cleanText(each, 60)),
    retry_after_seconds: retryAfterSeconds,
    next: NEXT[isSetAside ? 'throttled' : code] ?? OTHERWISE,
    tokens: { spent: 0, ...leftOf(budget, tokensRemaining) },
  }));
}

function refusal(make: (room: DigestRoom) => Record<string, unknown>): CallToolResult {
  return answerWithin(make, { isError: true });
}

/** Removes unset fields from the body. */
function given<Body extends object>(body: Body): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as Body;
}
