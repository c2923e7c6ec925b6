// How every tool answers: within the budget, with the tokens spent, and after a refusal with what to do next.

import type { z } from 'zod';
import type { CallToolResult } from '@modelcontextprotocol/server';

import { mostItCanCost, tokensInWords } from '../../base/call-cost.ts';
import { messageOf } from '../../base/fault.ts';
import { withoutRoutes } from '../../base/next-steps.ts';
import { cleanText } from '../../base/listing/text/text.ts';
import { answerWithin, type DigestRoom } from './answer.ts';
import type { Budget } from './budget.ts';
import type { ShelfRefusal, Reply, Shelf } from './shelf.ts';

export type ToolParts = { readonly shelf: Shelf; readonly budget: Budget };

const MOST_TOKENS = {
  lookup: mostItCanCost({ kind: 'product', addOns: {} }),
  compare: mostItCanCost({ kind: 'compare' }),
  find: mostItCanCost({ kind: 'free' }),
  history: mostItCanCost({ kind: 'history' }),
  offers: mostItCanCost({ kind: 'product', addOns: { includeOffers: true } }),
  watch: mostItCanCost({ kind: 'free' }),
  watches: mostItCanCost({ kind: 'free' }),
  change_watch: mostItCanCost({ kind: 'free' }),
  remove_watch: mostItCanCost({ kind: 'free' }),
} as const;

export type ToolName = keyof typeof MOST_TOKENS;

export type Tool<Schema extends z.ZodObject = z.ZodObject> = {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  /** Arguments of a valid call, shown in answer to an invalid one. */
  readonly example: z.infer<Schema>;
  readonly effect: 'reads' | 'adds' | 'changes';
  readonly run: (parts: ToolParts, input: z.infer<Schema>) => Promise<CallToolResult>;
};

/** Creates a tool whose example and `run` fit its schema. */
export function tool<const Schema extends z.ZodObject>(row: Tool<Schema>): Tool<Schema> {
  return row;
}

const tokensOf = (count: number): string => (count === 0 ? 'No tokens' : tokensInWords(count));

/** Formats what a tool costs, as a sentence of its description. */
export const priced = (name: ToolName): string => `${tokensOf(MOST_TOKENS[name])}.`;

type Call<Body> = {
  readonly reply: () => Promise<Reply<Body>>;
  readonly digest: (body: Body, room: DigestRoom) => Record<string, unknown>;
  readonly detail?: boolean | undefined;
  /** The argument that the route knows as `id`, and what to do if it names nothing. */
  readonly subject?: Subject;
};

type Subject = { readonly argument: string; readonly ifNotFound: string };

const PRODUCT: Subject = {
  argument: 'identifier',
  ifNotFound: 'Check the identifier with the user, or call find with brand and model.',
};

/** Runs a call within the budget, and reports its cost. */
export async function answerTool<Body>(
  { budget }: ToolParts,
  name: ToolName,
  { reply: ask, digest, detail: isLong, subject = PRODUCT }: Call<Body>,
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
    return refused(reply.refusal, subject, budget);
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
  subject: Subject,
  budget: Budget,
): CallToolResult {
  // Calls still in progress have reserved the tokens. If the month's tokens were spent, the wait would be longer.
  const isSetAside = code === 'quota_exceeded' && (retryAfterSeconds ?? Infinity) <= SOON_SECONDS;
  return refusal((room) => ({
    error: code,
    detail: cleanText(withoutRoutes(why, 'tool'), room.text * 5),
    // The route names the parameter after its path; an agent knows only its tool's arguments.
    parameter: parameter === 'id' ? subject.argument : parameter,
    allowed: allowed.slice(0, room.rows * 2).map((each) => cleanText(each, 60)),
    retry_after_seconds: retryAfterSeconds,
    next:
      code === 'not_found'
        ? subject.ifNotFound
        : (NEXT[isSetAside ? 'throttled' : code] ?? OTHERWISE),
    tokens: { spent: 0, ...leftOf(budget, tokensRemaining) },
  }));
}

function refusal(make: (room: DigestRoom) => Record<string, unknown>): CallToolResult {
  return answerWithin(make, { isError: true });
}

/** Removes unset fields from the body. */
export function given<Body extends object>(body: Body): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as Body;
}
