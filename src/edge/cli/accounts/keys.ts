// openshelf keys: who may call, and until when.

import { storeOf, withStore } from '../../wiring/open-store.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { DAY_MS, isoTimestamp, isoOrNull } from '../../../base/clock.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../../base/scopes.ts';
import { issueKey, listKeys, rotateKey } from '../../../data/metering/keys.ts';
import { MAX_MONTHLY_QUOTA, MAX_PER_MINUTE } from '../../../data/accounts/organizations.ts';
import { holdsData } from '../../../data/store.ts';
import {
  answer,
  byAction,
  DONE,
  printJson,
  UsageError,
  type Command,
  type CommandInput,
} from '../command.ts';
import { configOf, configWithData, noOrganization, placeOf } from '../data-folder.ts';
import {
  DATA_AND_JSON,
  instantOption,
  noPositionals,
  numberOption,
  onePositional,
  requiredOption,
  textOption,
} from '../options.ts';

export const keys: Command = {
  name: 'keys',
  summary: 'create, list, rotate and revoke API keys',
  synopsis: [
    'create --org NAME [--scopes LIST] [--expires WHEN] [--note TEXT] [--quota N] [--throttle N] [--data DIR] [--json]',
    'list --org NAME [--data DIR] [--json]',
    'rotate ID [--old-until WHEN] [--expires WHEN] [--data DIR] [--json]',
    'revoke ID [--data DIR] [--json]',
  ],
  positionals: { ID: 'the identifier of a key, as printed by "list", or the key itself' },
  options: {
    org: {
      value: 'NAME',
      help: 'the organization that owns the key; "create" adds an organization that does not exist',
    },
    scopes: {
      value: 'LIST',
      help: `the scopes of the key, separated by commas: ${SCOPES.join(', ')} (default ${DEFAULT_SCOPES.join(',')})`,
    },
    expires: {
      value: 'WHEN',
      help: 'when the key expires (default: never; with rotate: the lifetime of the old key)',
    },
    'old-until': {
      value: 'WHEN',
      help: 'with rotate: when the old key expires (default 24h; 0m revokes it at once)',
    },
    note: { value: 'TEXT', help: 'a note that states what the key is for' },
    quota: {
      value: 'N',
      help: 'the number of tokens that the organization may spend per calendar month, UTC (default 1000000)',
    },
    throttle: {
      value: 'N',
      help: 'the number of requests that the organization may send per minute (default 600)',
    },
    ...DATA_AND_JSON,
  },
  notes: [
    'WHEN is a time from now (90d, 12h, 30m), a day (2027-01-31, UTC) or an instant (2027-01-31T12:00:00Z).',
    'A key is shown once, when it is created: only its hash is stored. A running server applies every change',
    'within a second.',
  ],
  run: byAction({ create, list, rotate, revoke }),
};

/** Returns a key's id, given alone or as the whole key. */
function keyId(positionals: readonly string[]): string {
  return onePositional(positionals, 'ID')
    .replace(/^osk_live_/, '')
    .slice(0, 8);
}

function noActiveKey(id: string): string {
  return `There is no active key "${id}". openshelf keys list shows the ids of an organization.`;
}

function scopesOption(values: CommandInput['values']): readonly Scope[] | undefined {
  const text = textOption(values, 'scopes');
  if (text === undefined) return undefined;
  const named = new Set(text.split(/[\s,]+/).filter((name) => name !== ''));
  const scopes = SCOPES.filter((scope) => named.delete(scope));
  const [unknown] = named;
  if (unknown !== undefined || scopes.length === 0) {
    throw new UsageError(
      `Unknown scope "${unknown ?? text}". --scopes takes some of ${SCOPES.join(', ')}.`,
    );
  }
  return scopes;
}

/**
 * Parses when a key expires. A time that has already passed is refused as a mistake: the key would be handed out, and every
 * call with it refused.
 */
function expiryOption(values: CommandInput['values'], nowMs: number): number | undefined {
  const atMs = instantOption(values, 'expires', nowMs);
  if (atMs === undefined || atMs > nowMs) return atMs;
  throw new UsageError(
    `--expires ${textOption(values, 'expires')} would expire the key at once. Leave it out for a key that never expires.`,
  );
}

/** Rejects an organization as an argument, as `orgs` takes it: here it is an option. */
function noOrganizationArgument({ values, positionals }: CommandInput): void {
  const [first] = positionals;
  if (first !== undefined && values['org'] === undefined) {
    throw new UsageError(
      `Unexpected argument "${first}". Specify the organization with --org ${first}.`,
    );
  }
  noPositionals(positionals);
}

async function create(input: CommandInput): Promise<number> {
  const { values, io } = input;
  noOrganizationArgument(input);
  const quota = numberOption(values, 'quota', { min: 0, max: MAX_MONTHLY_QUOTA });
  const throttle = numberOption(values, 'throttle', { min: 1, max: MAX_PER_MINUTE });
  const scopes = scopesOption(values);
  const expiresAtMs = expiryOption(values, systemClock.now());
  const request = {
    organization: requiredOption(values, 'org'),
    ...(quota === undefined ? {} : { monthlyQuota: quota }),
    ...(throttle === undefined ? {} : { throttlePerMinute: throttle }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    note: textOption(values, 'note') ?? null,
  };
  const config = configOf(input);
  const isNew = !(await holdsData(storeOf(config)));
  const made = await withStore(config, (store, nowMs) => issueKey(store.accounts, request, nowMs));
  const expires = isoOrNull(made.expiresAtMs);
  if (values['json'] === true) {
    const { text: key, id, organization: org } = made;
    printJson(io, { key, id, org, scopes: made.scopes, expires_at: expires });
  } else {
    io.out(made.text);
    const until = expires === null ? '' : ` until ${expires}`;
    io.err(`Key ${made.id} of ${made.organization}${until}. It is shown once: store it now.`);
  }
  if (isNew) {
    io.err(
      `There was no data in ${placeOf(config)} before this command. A service that uses other data does not ` +
        'know this key.',
    );
  }
  return DONE;
}

async function list(input: CommandInput): Promise<number> {
  noOrganizationArgument(input);
  const name = requiredOption(input.values, 'org');
  const rows = await withStore(await configWithData(input), (store, nowMs) =>
    listKeys(store.accounts, name, nowMs),
  );
  if (rows === null) throw noOrganization(name);
  const lines = rows.map((row) => {
    const ended = row.revoked_at ?? row.expires_at;
    const state = ended === null ? row.state : `${stateWord(row.state)} ${ended}`;
    const used = row.last_used === null ? 'never used' : `used ${row.last_used}`;
    const columns = [row.id, row.created_at, state, used, row.scopes.join(' '), row.note ?? ''];
    return columns.join('  ').trimEnd();
  });
  return answer(input, rows, lines);
}

function stateWord(state: 'active' | 'expired' | 'revoked'): string {
  return state === 'active' ? 'active until' : state;
}

async function rotate(input: CommandInput): Promise<number> {
  const { values, positionals, io } = input;
  const id = keyId(positionals);
  const nowMs = systemClock.now();
  const oldUntilMs = instantOption(values, 'old-until', nowMs) ?? nowMs + DAY_MS;
  const expiresAtMs = expiryOption(values, nowMs);
  const wanted = { id, oldUntilMs, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
  const made = await withStore(await configWithData(input), (store, storeNowMs) =>
    rotateKey(store.accounts, wanted, storeNowMs),
  );
  if (made === null) throw new Error(noActiveKey(id));
  const oldUntil = isoTimestamp(made.oldUntilMs);
  if (values['json'] === true) {
    printJson(io, {
      key: made.text,
      id: made.id,
      org: made.organization,
      scopes: made.scopes,
      expires_at: isoOrNull(made.expiresAtMs),
      old: { id, expires_at: oldUntil },
    });
  } else {
    io.out(made.text);
    io.err(`Key ${made.id} of ${made.organization}. It is shown once: store it now.`);
    io.err(`The old key ${id} is valid until ${oldUntil}.`);
  }
  return DONE;
}

async function revoke(input: CommandInput): Promise<number> {
  const id = keyId(input.positionals);
  const wasRevoked = await withStore(await configWithData(input), (store, nowMs) =>
    store.accounts.revokeKey(id, nowMs),
  );
  if (!wasRevoked) throw new Error(noActiveKey(id));
  return answer(input, { revoked: id }, [`revoked ${id}`]);
}
