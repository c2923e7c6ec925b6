// Answers of the operator's routes, /v1/admin/*: schemas and their presentation.

import { z } from 'zod';

import { isoTimestamp, isoOrNull } from '../../../base/clock.ts';
import type { OpenJob } from '../../../data/operation.ts';
import { tokenFields } from '../fields.ts';

const whole = (description: string) => z.int().nonnegative().meta({ description });
const instant = (description: string) => z.iso.datetime().meta({ description });
const sum = {
  tokens: whole('The number of tokens that these calls cost.'),
  calls: whole('The number of billed calls.'),
};

export const OperatorUsage = z
  .strictObject({
    month: z.string().meta({ description: 'The current month (UTC).', example: '2026-11' }),
    days: z
      .array(z.strictObject({ date: z.iso.date().meta({ description: 'The day (UTC).' }), ...sum }))
      .meta({ description: 'The days with a billed call, oldest first.' }),
    endpoints: z
      .array(
        z.strictObject({
          endpoint: z.string().meta({ description: 'The method and path of the route.' }),
          ...sum,
        }),
      )
      .meta({ description: 'The same calls, grouped by route, most tokens first.' }),
    organizations: z
      .array(
        z.strictObject({
          organization: z.string().meta({ description: 'The name of the organization.' }),
          tokens_allowance: whole('The monthly quota plus the tokens granted during the month.'),
          ...sum,
        }),
      )
      .meta({ description: 'Every organization, most tokens first.' }),
    ...tokenFields,
  })
  .meta({ id: 'OperatorUsage' });
export type OperatorUsage = z.infer<typeof OperatorUsage>;

type Sum = { readonly tokens: number; readonly calls: number };

/** Returns the body without its token fields. */
export function presentOperatorUsage(usage: {
  readonly month: string;
  readonly days: readonly (Sum & { readonly day: string })[];
  readonly routes: readonly (Sum & { readonly route: string })[];
  readonly organizations: readonly (Sum & {
    readonly organization: string;
    readonly allowance: number;
  })[];
}) {
  return {
    month: usage.month,
    days: usage.days.map(({ day, tokens, calls }) => ({ date: day, tokens, calls })),
    endpoints: usage.routes.map(({ route, tokens, calls }) => ({ endpoint: route, tokens, calls })),
    organizations: usage.organizations.map(({ organization, allowance, tokens, calls }) => ({
      organization,
      tokens_allowance: allowance,
      tokens,
      calls,
    })),
  };
}

export const OperatorQueue = z
  .strictObject({
    waiting: whole('The number of jobs that are waiting for their turn.'),
    running: whole('The number of jobs that a worker is running.'),
    parked: whole(
      'The number of jobs that were given up after several attempts; a lookup a day later or more ' +
        'tries again.',
    ),
    jobs: z
      .array(
        z.strictObject({
          retailer: z
            .string()
            .meta({ description: 'The slug of the retailer that the job queries.' }),
          subject: z.string().meta({ description: 'The barcode, or the key of the listing.' }),
          state: z
            .enum(['waiting', 'running', 'parked'])
            .meta({ description: 'The state of the job.' }),
          attempts: whole('The number of attempts so far.'),
          reason: z
            .string()
            .nullable()
            .meta({ description: 'The reason why the last attempt failed.' }),
          created_at: instant('When the job was requested.'),
          runs_at: instant('The earliest time at which the job runs.'),
        }),
      )
      .meta({
        description: 'At most 100 jobs: parked ones first, then postponed ones, then the oldest.',
      }),
    hosts: z
      .array(
        z.strictObject({
          host: z.string().meta({
            description:
              'The registrable domain of a shop, or the name of a host that asked for a pause.',
          }),
          failures: whole('The number of consecutive refusals and failures.'),
          paused_seconds: whole(
            'The number of seconds for which no request is sent to the host; 0 if requests are allowed.',
          ),
          paused_for: z
            .enum(['everyone', 'one_organization', 'background'])
            .nullable()
            .meta({
              description:
                'For whom the host is paused; `null` if it is not paused. `everyone`: the shop asked for a pause ' +
                'or refused several organizations. `one_organization`: the only organization whose requests ' +
                'failed, and background work. `background`: background work only.',
            }),
        }),
      )
      .meta({
        description:
          'The hosts that failed recently, most failures first, and the hosts that asked for a ' +
          'pause: hosts known to this process and, on PostgreSQL, to all processes.',
      }),
    ...tokenFields,
  })
  .meta({ id: 'OperatorQueue' });
export type OperatorQueue = z.infer<typeof OperatorQueue>;

type ShownQueue = {
  readonly counts: { readonly waiting: number; readonly running: number; readonly parked: number };
  readonly jobs: readonly OpenJob[];
  readonly hosts: readonly {
    readonly host: string;
    readonly failures: number;
    readonly leftMs: number;
    readonly pausedFor: 'everyone' | 'one_organization' | 'background' | null;
  }[];
};

/** Returns the body without its token fields. */
export function presentQueue({ counts, jobs, hosts }: ShownQueue) {
  return {
    ...counts,
    jobs: jobs.map(({ createdAtMs, runAtMs, ...job }) => ({
      ...job,
      created_at: isoTimestamp(createdAtMs),
      runs_at: isoTimestamp(runAtMs),
    })),
    hosts: hosts.map(({ host, failures, leftMs, pausedFor }) => ({
      host,
      failures,
      paused_seconds: Math.ceil(leftMs / 1_000),
      paused_for: pausedFor,
    })),
  };
}

export const OperatorInstallation = z
  .strictObject({
    version: z.string().meta({ description: 'The version of the service.' }),
    database: z
      .enum(['sqlite', 'postgres'])
      .meta({ description: 'The database in which everything is stored.' }),
    pace_seconds: z.number().nonnegative().meta({
      description:
        'The number of seconds between two requests to one host; more if its robots.txt asks for more.',
    }),
    lacks: z
      .array(
        z.strictObject({
          what: z.string().meta({
            description: 'A function that this installation lacks, or offers only in part.',
          }),
          settings: z
            .array(z.string())
            .meta({ description: 'The settings that would change this.' }),
          change: z.string().meta({ description: 'What to do, as a sentence.' }),
        }),
      )
      .meta({ description: 'Missing functions, most useful first; empty if none is missing.' }),
    readings: z
      .array(
        z.strictObject({
          retailer: z.string().meta({ description: 'Slug.' }),
          answers: whole('The number of responses that were read in the last seven days.'),
          read: whole(
            'The number of these responses with information: a product, search results, or that there are ' +
              'none; not a block page or an error.',
          ),
          blocked: whole(
            'The number of these responses that were refusals: a block page, a challenge or a denial.',
          ),
          unavailable: whole('The number of these responses that asked to retry later.'),
          unreadable: whole('The number of these responses that were pages no reader could read.'),
          fill_rate: z
            .number()
            .min(0)
            .max(1)
            .nullable()
            .meta({
              description:
                'The share of the fields normally stated by its pages that were present, from 0 to 1; `null` if ' +
                'there was no response.',
            }),
        }),
      )
      .meta({ description: 'How the pages of each retailer were read in the last seven days.' }),
    ...tokenFields,
  })
  .meta({ id: 'OperatorInstallation' });
export type OperatorInstallation = z.infer<typeof OperatorInstallation>;

const KEY_FIELDS = {
  id: z.string().meta({ description: 'The public part of the key.' }),
  organization: z.string().meta({ description: 'The organization whose tokens the key spends.' }),
  note: z.string().nullable().meta({ description: 'What the key is for.' }),
  scopes: z.array(z.string()).meta({ description: 'The scopes of the key.' }),
  expires_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the key expires; `null` if it never does.' }),
};

export const OperatorKeys = z
  .strictObject({
    keys: z
      .array(
        z.strictObject({
          ...KEY_FIELDS,
          state: z
            .enum(['active', 'expired', 'revoked'])
            .meta({ description: 'Whether the key is accepted.' }),
          created_at: instant('When the key was created.'),
          last_used: z.iso.date().nullable().meta({
            description: 'The day (UTC) of its last billed call; `null` if there was none.',
          }),
        }),
      )
      .meta({ description: 'The keys, newest first, at most 1,000.' }),
    ...tokenFields,
  })
  .meta({ id: 'OperatorKeys' });
export type OperatorKeys = z.infer<typeof OperatorKeys>;

export const NewOperatorKey = z
  .strictObject({
    key: z
      .string()
      .meta({ description: 'The key itself. It is shown once and cannot be read again.' }),
    ...KEY_FIELDS,
    replaces: z
      .string()
      .nullable()
      .meta({ description: 'The ID of the key that it replaces; `null` if it replaces none.' }),
    ...tokenFields,
  })
  .meta({ id: 'NewOperatorKey' });
export type NewOperatorKey = z.infer<typeof NewOperatorKey>;

export const RevokedOperatorKey = z
  .strictObject({
    id: z.string().meta({ description: 'The ID of the revoked key.' }),
    ...tokenFields,
  })
  .meta({ id: 'RevokedOperatorKey' });

type KeyFacts = {
  readonly id: string;
  readonly organization: string;
  readonly note: string | null;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number | null;
};

function keyFields({ id, organization, note, scopes, expiresAtMs }: KeyFacts) {
  return { id, organization, note, scopes: [...scopes], expires_at: isoOrNull(expiresAtMs) };
}

type ShownKey = KeyFacts & {
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
  readonly lastUsedDay: string | null;
};

/** Returns the body without its token fields. */
export function presentKeys(keys: readonly ShownKey[], nowMs: number) {
  return {
    keys: keys.map((key) => ({
      ...keyFields(key),
      state: stateOf(key, nowMs),
      created_at: isoTimestamp(key.createdAtMs),
      last_used: key.lastUsedDay,
    })),
  };
}

function stateOf({ revokedAtMs, expiresAtMs }: ShownKey, nowMs: number) {
  if (revokedAtMs !== null) return 'revoked' as const;
  return expiresAtMs !== null && expiresAtMs <= nowMs ? ('expired' as const) : ('active' as const);
}

/** Returns the body without its token fields. */
export function presentNewKey(key: KeyFacts & { readonly text: string }, replaces: string | null) {
  return { key: key.text, ...keyFields(key), replaces };
}

type ShownInstallation = {
  readonly version: string;
  readonly database: 'sqlite' | 'postgres';
  readonly intervalMs: number;
  readonly lacks: readonly {
    readonly what: string;
    readonly settings: readonly string[];
    readonly change: string;
  }[];
  readonly readings: readonly {
    readonly retailer: string;
    readonly answers: number;
    readonly read: number;
    readonly blocked: number;
    readonly unavailable: number;
    readonly unreadable: number;
    /** 0 to 1. */
    readonly fillRate: number | null;
  }[];
};

/** Returns the body without its token fields. */
export function presentInstallation(shown: ShownInstallation) {
  const { version, database, intervalMs, lacks, readings } = shown;
  return {
    version,
    database,
    pace_seconds: intervalMs / 1_000,
    lacks: lacks.map(({ what, settings, change }) => ({ what, settings: [...settings], change })),
    readings: readings.map(({ fillRate, ...counts }) => ({
      ...counts,
      fill_rate: fillRate === null ? null : Math.round(fillRate * 10_000) / 10_000,
    })),
  };
}
