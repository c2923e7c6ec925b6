// openshelf orgs: the organizations, what they may spend and how fast they may call.

import { withStore } from '../../wiring/open-store.ts';
import { isoTimestamp, monthOf } from '../../../base/clock.ts';
import { newCallId } from '../../../data/metering/meter.ts';
import type { Organization, OrganizationSettings } from '../../../data/accounts/accounts.ts';
import { grantTokens, findUsage, type Usage } from '../../../data/accounts/balances.ts';
import { MAX_MONTHLY_QUOTA, MAX_PER_MINUTE } from '../../../data/accounts/organizations.ts';
import type { Store } from '../../../data/store.ts';
import {
  answer,
  byAction,
  counted,
  UsageError,
  type Command,
  type CommandInput,
} from '../command.ts';
import { configOf, configWithData, noOrganization } from '../data-folder.ts';
import { DATA_AND_JSON, noPositionals, numberOption, onePositional } from '../options.ts';

/** Maximum tokens in one grant. */
const MAX_GRANT = 1_000_000_000_000;

export const orgs: Command = {
  name: 'orgs',
  summary: 'create and list organizations, set their limits, grant tokens',
  synopsis: [
    'create NAME [--quota N] [--throttle N] [--burst N] [--data DIR] [--json]',
    'list [--data DIR] [--json]',
    'set NAME [--quota N] [--throttle N] [--burst N] [--data DIR] [--json]',
    'grant NAME TOKENS [--data DIR] [--json]',
  ],
  positionals: {
    NAME: 'the organization',
    TOKENS: 'how many tokens to add to the current month',
  },
  options: {
    quota: { value: 'N', help: 'the number of tokens per calendar month, UTC (default 1000000)' },
    throttle: { value: 'N', help: 'the number of requests per minute (default 600)' },
    burst: {
      value: 'N',
      help: 'the number of requests accepted in one burst (default: twice the throttle)',
    },
    ...DATA_AND_JSON,
  },
  notes: [
    'A new quota applies to the current month too, but never falls below what was already spent in it.',
    'A grant adds tokens to the current month only. A running server applies every change within a second.',
  ],
  run: byAction({ create, list, set, grant }),
};

function settingsOf({ values, positionals }: CommandInput): OrganizationSettings {
  const name = onePositional(positionals, 'NAME');
  const quota = numberOption(values, 'quota', { min: 0, max: MAX_MONTHLY_QUOTA });
  const throttle = numberOption(values, 'throttle', { min: 1, max: MAX_PER_MINUTE });
  const burst = numberOption(values, 'burst', { min: 1, max: MAX_PER_MINUTE });
  return {
    name,
    ...(quota === undefined ? {} : { monthlyQuota: quota }),
    ...(throttle === undefined ? {} : { throttlePerMinute: throttle }),
    ...(burst === undefined ? {} : { throttleBurst: burst }),
  };
}

type Shown = { readonly organization: Organization; readonly usage: Usage };

async function withUsage(store: Store, organization: Organization, nowMs: number): Promise<Shown> {
  const account = { organizationId: organization.id, month: monthOf(nowMs) };
  return { organization, usage: await findUsage(store.sql, account) };
}

function presented({ organization, usage }: Shown) {
  return {
    org: organization.name,
    monthly_quota: organization.monthlyQuota,
    throttle_per_minute: organization.throttlePerMinute,
    throttle_burst: organization.throttleBurst,
    created_at: isoTimestamp(organization.createdAtMs),
    tokens_used: usage.used,
    tokens_remaining: usage.remaining,
    calls: usage.calls,
  };
}

function lineOf(shown: Shown): string {
  const { organization, usage } = shown;
  return (
    `${organization.name}: ${organization.monthlyQuota} tokens a month, ` +
    `${organization.throttlePerMinute} requests a minute (${organization.throttleBurst} at once); ` +
    `this month ${usage.used} used in ${counted(usage.calls, 'call')}, ${usage.remaining} left`
  );
}

async function create(input: CommandInput): Promise<number> {
  const settings = settingsOf(input);
  const made = await withStore(configOf(input), async (store, nowMs) => {
    const organization = await store.accounts.insertOrganization(settings, nowMs);
    return organization === null ? null : withUsage(store, organization, nowMs);
  });
  if (made === null)
    throw new Error(
      `The organization "${settings.name}" already exists. Change it with openshelf orgs set.`,
    );
  return answer(input, presented(made), [lineOf(made)]);
}

async function list(input: CommandInput): Promise<number> {
  noPositionals(input.positionals);
  const rows = await withStore(await configWithData(input), async (store, nowMs) => {
    const organizations = await store.accounts.listOrganizations();
    return Promise.all(organizations.map((each) => withUsage(store, each, nowMs)));
  });
  return answer(input, rows.map(presented), rows.map(lineOf));
}

async function set(input: CommandInput): Promise<number> {
  const settings = settingsOf(input);
  if (Object.keys(settings).length === 1) {
    throw new UsageError('Nothing to set. Use --quota, --throttle or --burst.');
  }
  const changed = await withStore(await configWithData(input), async (store, nowMs) => {
    const organization = await store.accounts.updateOrganization(settings, nowMs);
    return organization === null ? null : withUsage(store, organization, nowMs);
  });
  if (changed === null) throw noOrganization(settings.name);
  return answer(input, presented(changed), [lineOf(changed)]);
}

async function grant(input: CommandInput): Promise<number> {
  const [name, text, ...rest] = input.positionals;
  if (name === undefined || text === undefined)
    throw new UsageError(`${name === undefined ? 'NAME and TOKENS are' : 'TOKENS is'} missing.`);
  noPositionals(rest);
  const tokens = /^\d{1,13}$/.test(text) ? Number(text) : 0;
  if (tokens < 1 || tokens > MAX_GRANT) {
    throw new UsageError(`TOKENS must be a whole number from 1 to ${MAX_GRANT}, not "${text}".`);
  }
  const granted = await withStore(await configWithData(input), async (store, nowMs) => {
    const organization = await store.accounts.findOrganization(name);
    if (organization === null) return null;
    const requestId = newCallId(nowMs);
    const wanted = { organizationId: organization.id, tokens, requestId, nowMs };
    return { ...(await grantTokens(store.sql, wanted)), month: monthOf(nowMs) };
  });
  if (granted === null) throw noOrganization(name);
  const { month, remaining } = granted;
  const json = { org: name, granted: tokens, month, tokens_remaining: remaining };
  return answer(input, json, [
    `granted ${tokens} tokens to ${name} for ${month}: ${remaining} left`,
  ]);
}
