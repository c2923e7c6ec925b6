// The answers of the free routes GET /v1, /v1/usage and /v1/retailers (D14): schemas and their presentation.

import { z } from 'zod';

import { isoOrNull, isoTimestamp } from '../../../base/clock.ts';
import { SOURCE_FAILURES } from '../../../base/source-state.ts';
import type { SourceReport } from '../../collect/asking/source-report.ts';
import type { RetailerState, RetailerStates } from '../../lookup/list-retailers.ts';
import { KNOWN_SLUGS } from '../../../base/retailer.ts';
import { text, tokenFields } from '../fields.ts';
import { presentSignals } from '../signals.ts';
import { SignalsBody } from '../signals-body.ts';

const sum = {
  tokens: z
    .int()
    .nonnegative()
    .meta({ description: 'The number of tokens that these calls cost.' }),
  calls: z.int().nonnegative().meta({ description: 'The number of billed calls.' }),
};

export const UsageReport = z
  .strictObject({
    organization: z.string().meta({ description: 'The organization that owns the key.' }),
    month: z.string().meta({ description: 'The current month (UTC).', example: '2026-11' }),
    month_ends_at: z.iso
      .datetime()
      .meta({ description: 'When the month ends and the next balance begins.' }),
    tokens_allowance: z
      .int()
      .nonnegative()
      .meta({ description: 'The monthly quota plus the tokens granted during the month.' }),
    tokens_used: z
      .int()
      .nonnegative()
      .meta({ description: 'The number of tokens billed during the month.' }),
    calls: z.int().nonnegative().meta({
      description: 'The number of billed calls. Replays with an `Idempotency-Key` are not billed.',
    }),
    days: z
      .array(
        z.strictObject({
          date: z.iso.date().meta({ description: 'The day, YYYY-MM-DD (UTC).' }),
          ...sum,
        }),
      )
      .meta({ description: 'The days (UTC) with a billed call, oldest first.' }),
    endpoints: z
      .array(
        z.strictObject({
          endpoint: z.string().meta({
            description: 'The method and path of the route.',
            example: 'GET /v1/products/{id}',
          }),
          ...sum,
        }),
      )
      .meta({ description: 'The same calls, grouped by route.' }),
    keys: z
      .array(
        z.strictObject({
          key_id: z.string().meta({ description: 'The public part of the key.' }),
          note: z
            .string()
            .nullable()
            .meta({ description: 'The note given when the key was created.' }),
          ...sum,
        }),
      )
      .meta({ description: 'The same calls, grouped by API key.' }),
    ...tokenFields,
  })
  .meta({ id: 'UsageReport' });

type Sum = { readonly tokens: number; readonly calls: number };

type Spent = {
  readonly organization: string;
  readonly month: string;
  readonly endsAtMs: number;
  readonly allowance: number;
  readonly days: readonly (Sum & { readonly day: string })[];
  readonly routes: readonly (Sum & { readonly route: string })[];
  readonly keys: readonly (Sum & { readonly keyId: string; readonly note: string | null })[];
};

/** Presents days, endpoints and keys as shown by `GET /v1/usage` and `openshelf usage --details`. */
export function presentSums({ days, routes, keys }: Pick<Spent, 'days' | 'routes' | 'keys'>) {
  return {
    days: days.map(({ day, tokens, calls }) => ({ date: day, tokens, calls })),
    endpoints: routes.map(({ route, tokens, calls }) => ({ endpoint: route, tokens, calls })),
    keys: keys.map(({ keyId, note, tokens, calls }) => ({ key_id: keyId, note, tokens, calls })),
  };
}

/** Returns the body of `GET /v1/usage` without its two token fields. */
export function presentUsage(spent: Spent) {
  const total = (of: (day: Sum) => number) => spent.days.reduce((all, day) => all + of(day), 0);
  return {
    organization: spent.organization,
    month: spent.month,
    month_ends_at: isoTimestamp(spent.endsAtMs),
    tokens_allowance: spent.allowance,
    tokens_used: total((day) => day.tokens),
    calls: total((day) => day.calls),
    ...presentSums(spent),
  };
}

const hours = (what: string) =>
  z
    .int()
    .positive()
    .nullable()
    .meta({
      description: `The number of hours for which ${what} may be returned; \`null\` if there is no limit.`,
    });

const TermsBody = z
  .strictObject({
    price_hours: hours('prices, stock and all other facts about the sale'),
    identity_hours: hours('the other facts'),
    history: z
      .boolean()
      .meta({ description: 'Whether a price history is built from the facts of the source.' }),
    alerts: z.boolean().meta({ description: 'Whether watches use the facts of the source.' }),
    merge: z.enum(['yes', 'isolated']).meta({
      description:
        'Whether its facts are merged with facts from other sources. `isolated`: they are only ' +
        'shown separately.',
    }),
    pictures: z.enum(['store', 'link', 'none']).meta({
      description: 'Whether its images may be stored, only linked to, or neither.',
    }),
    export: z.boolean().meta({
      description: 'Whether its price history is included in the files of `openshelf export`.',
    }),
    audience: z.enum(['everyone', 'operator']).meta({
      description: 'Who gets its facts. `operator`: only keys with the scope `admin`.',
    }),
    notice: text('A sentence that is shown with its facts; `null` if there is none.'),
    by: z.enum(['default', 'operator']).meta({
      description:
        'Whether these are the default terms or those that the operator changed (`OPENSHELF_TERMS`).',
    }),
  })
  .meta({
    id: 'SourceTerms',
    description: 'The terms of the source that apply in this installation. Omitted if it has none.',
  });

const ConditionBody = z
  .strictObject({
    state: z.enum(['unknown', 'ok', ...SOURCE_FAILURES]).meta({
      description:
        '`unknown`: it has not been queried yet. `ok`: it answers. `credentials_refused`: it rejects the ' +
        'credentials of this installation. `not_eligible`: the credentials are valid, but the account may not ' +
        'use the API. `quota_spent`: the requests of the day are used up. `throttled`: it received too many ' +
        'requests in a short time. `unreachable`: it does not answer, or only with errors. `unreadable`: its ' +
        'answer cannot be understood.',
    }),
    since: z.iso.datetime().nullable().meta({
      description: 'When this state began; `null` if the source has not been queried yet.',
    }),
    question: z
      .string()
      .nullable()
      .meta({
        description:
          'The question, named as in `answers`, that the failure is limited to; `null` if it concerns the whole ' +
          'source, or the source answers.',
      }),
    detail: text('What is wrong and what to do about it; `null` if the source answers.'),
    last_outcome: z
      .enum(['answered', ...SOURCE_FAILURES])
      .nullable()
      .meta({ description: 'The last outcome, named as in `state`; `null` if there is none.' }),
    last_outcome_at: z.iso.datetime().nullable().meta({
      description:
        'When the last outcome occurred, to the minute if it is an answer; `null` if there is none.',
    }),
    calls_today: z.int().nonnegative().meta({
      description:
        'The number of requests in the last 24 hours, without requests for access tokens.',
    }),
    daily_limit: z
      .int()
      .positive()
      .nullable()
      .meta({
        description:
          'The number of requests that this installation sends in 24 hours at most ' +
          '(`OPENSHELF_SOURCE_LIMITS`); `null` if there is no limit.',
      }),
  })
  .meta({
    id: 'SourceCondition',
    description: 'How an official API is. Sources of a retailer that share a key share it.',
  });

const QUESTIONS = {
  product: "A listing of the retailer, by its address or by the retailer's own identifier.",
  barcode: "The retailer's listings for a barcode.",
  offers:
    'The offers of all sellers. If no source lists them, `include_offers` returns the offers that ' +
    'the product page states.',
  reviews: 'Reviews by month.',
  seller: 'The profile of a seller.',
  restriction:
    "Whether the operator's seller account may list a product, for `include_seller_context`.",
  fulfillment_eligibility:
    'Whether the marketplace would store and ship a product, for `include_seller_context`. ' +
    'Exclusions by size, weight and hazard are answered without a source.',
} as const;

const answerable = (description: string) =>
  z
    .strictObject({
      sources: z.array(z.string()).meta({
        description:
          'The sources that this installation asks this question, in the order in which they ' +
          'are tried. A page may still refuse, or robots.txt forbid it.',
      }),
      reason: z
        .enum(['first_party_retailer', 'no_source', 'settings_missing'])
        .nullable()
        .meta({
          description:
            'The reason why no source of this installation can answer the question; `null` if ' +
            'one can. `first_party_retailer`: the retailer has no other sellers. `no_source`: ' +
            'openshelf has no source for it. `settings_missing`: a source exists, but lacks ' +
            'settings.',
        }),
      missing_settings: z.array(z.string()).meta({
        description: 'The settings that the first source lacks, if `reason` is `settings_missing`.',
      }),
    })
    .meta({ description });

const answersShape = Object.fromEntries(
  Object.entries(QUESTIONS).map(([kind, description]) => [kind, answerable(description)]),
) as Record<keyof typeof QUESTIONS, ReturnType<typeof answerable>>;

export const RetailerList = z
  .strictObject({
    retailers: z
      .array(
        z.strictObject({
          retailer: z.enum(KNOWN_SLUGS).meta({ description: 'The slug of the retailer.' }),
          alias: z.string().meta({
            description: 'An alternative name, which is accepted wherever the slug is.',
          }),
          hosts: z.array(z.string()).meta({
            description:
              "The hosts that serve the retailer's product pages, also with `www.` or `m.` in front.",
          }),
          marketplace: z
            .boolean()
            .meta({ description: 'Whether the retailer has third-party sellers.' }),
          identity_method: z.enum(['catalog_key', 'page_barcode']).nullable().meta({
            description: 'How its listings are tied to a barcode; `null` if they cannot be.',
          }),
          usable: z.boolean().meta({ description: 'Whether at least one source is configured.' }),
          sources: z
            .array(
              z.strictObject({
                name: z.string().meta({ description: 'The name of the source.', example: 'page' }),
                official_api: z
                  .boolean()
                  .meta({ description: 'Whether it is an official API of the retailer.' }),
                configured: z.boolean().meta({
                  description: 'Whether the source has all its settings and is therefore used.',
                }),
                missing_settings: z.array(z.string()).meta({
                  description: 'The names of the missing settings.',
                }),
                paused_seconds: z
                  .int()
                  .positive()
                  .nullable()
                  .meta({
                    description:
                      'The number of seconds for which the source is not queried, because it refused, asked for a ' +
                      'pause, or its daily limit is used up; `null` if it is queried. If `condition.question` is ' +
                      'set, only that question is not asked.',
                  }),
                condition: ConditionBody.nullable().meta({
                  description:
                    'How the official API is; `null` for other sources, and for one without its settings.',
                }),
                terms: TermsBody.optional(),
              }),
            )
            .meta({
              description: 'The sources of the retailer, in the order in which they are tried.',
            }),
          answers: z.strictObject(answersShape).meta({
            description:
              'The questions about the retailer that this installation can answer, and why it cannot answer ' +
              'the others.',
          }),
          last_success_at: z.iso.datetime().nullable().meta({
            description: 'When a listing of the retailer was last fetched; `null` if never.',
          }),
          signals: SignalsBody.optional(),
        }),
      )
      .meta({ description: 'The seven known retailers.' }),
    search_provider: z
      .string()
      .nullable()
      .meta({
        description:
          'The search engine that finds product pages at retailers without a barcode search; `null` if ' +
          'there is none.',
      }),
    search_provider_problem: z
      .strictObject({
        setting: z.string().meta({ description: 'The setting that the operator has to check.' }),
        detail: z.string().meta({ description: 'The reason, as a sentence.' }),
        paused_seconds: z
          .int()
          .meta({ description: 'The number of seconds for which no request is sent to it.' }),
      })
      .nullable()
      .meta({
        description:
          'Why the search engine is not asked at present: it is unreachable, refuses requests or asked for a ' +
          'pause; `null` if it is asked. Each process of an installation has its own.',
      }),
    ...tokenFields,
  })
  .meta({ id: 'RetailerList' });
export type RetailerList = z.infer<typeof RetailerList>;

/** Returns the body of `GET /v1/retailers` without its two token fields. */
export function presentRetailers(states: RetailerStates) {
  return {
    retailers: states.retailers.map((state) => ({
      retailer: state.retailer,
      alias: state.alias,
      hosts: [...state.hosts],
      marketplace: state.isMarketplace,
      identity_method: state.identityMethod,
      usable: state.sources.some((source) => source.isUsed),
      sources: state.sources.map((source) => ({
        name: source.name,
        official_api: source.isOfficial,
        configured: source.isUsed,
        missing_settings: [...source.missing],
        paused_seconds: source.report?.restSeconds ?? null,
        condition: source.report === null ? null : presentCondition(source.report),
        ...(source.terms === null ? {} : { terms: presentTerms(source.terms) }),
      })),
      answers: presentAnswers(state.answers),
      last_success_at: state.lastSuccessMs === null ? null : isoTimestamp(state.lastSuccessMs),
      ...presentSignals(state.signals),
    })),
    search_provider: states.searchProvider,
    search_provider_problem: presentProblem(states.searchProblem),
  };
}

function presentCondition(report: SourceReport) {
  return {
    state: report.state,
    since: isoOrNull(report.sinceMs),
    question: report.question,
    detail: report.detail,
    last_outcome: report.lastOutcome,
    last_outcome_at: isoOrNull(report.lastOutcomeMs),
    calls_today: report.calls,
    daily_limit: report.dailyLimit,
  };
}

function presentProblem(problem: RetailerStates['searchProblem']) {
  if (problem === null) return null;
  const { setting, detail, pausedSeconds } = problem;
  return { setting, detail, paused_seconds: pausedSeconds };
}

function presentTerms(terms: NonNullable<RetailerState['sources'][number]['terms']>) {
  return {
    price_hours: terms.priceHours,
    identity_hours: terms.identityHours,
    history: terms.history,
    alerts: terms.alerts,
    merge: terms.merge,
    pictures: terms.pictures,
    export: terms.export,
    audience: terms.audience,
    notice: terms.notice,
    by: terms.by,
  };
}

function presentAnswers(answers: RetailerState['answers']) {
  const present = ({ sources, reason, missing }: (typeof answers)['product']) => ({
    sources: [...sources],
    reason,
    missing_settings: [...missing],
  });
  return {
    product: present(answers.product),
    barcode: present(answers.barcode),
    offers: present(answers.offers),
    reviews: present(answers.reviews),
    seller: present(answers.seller),
    restriction: present(answers.restriction),
    fulfillment_eligibility: present(answers.fulfillment_eligibility),
  };
}

export const RouteList = z
  .strictObject({
    service: z.literal('openshelf').meta({ description: 'The name of the service.' }),
    version: z.string().meta({ description: 'The version of the service.' }),
    documentation: z.string().meta({ description: 'The path of the OpenAPI document.' }),
    routes: z
      .array(
        z.strictObject({
          method: z.string().meta({ description: 'The HTTP method.' }),
          path: z.string().meta({ description: 'The path, with its parameters in braces.' }),
          summary: z.string().meta({ description: 'What the route does.' }),
          needs_key: z.boolean().meta({ description: 'Whether the route requires an API key.' }),
        }),
      )
      .meta({ description: 'Every route, in the order of the OpenAPI document.' }),
    ...tokenFields,
  })
  .meta({ id: 'RouteList' });
