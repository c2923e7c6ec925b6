// openshelf keys create|list|rotate|revoke: who may call, and how long.

import { systemClock, withStore } from '../app.ts';
import { DAY_MS, isoTimestamp } from '../core/clock.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../metering/api-key.ts';
import { issueKey, listKeys, rotateKey } from '../metering/keys.ts';
import { MAX_MONTHLY_QUOTA, MAX_PER_MINUTE } from '../store/organizations.ts';
import {
  byAction,
  configOf,
  DONE,
  noWords,
  numberOption,
  onePositional,
  printJson,
  requiredOption,
  textOption,
  UsageError,
  type Command,
  type CommandInput,
} from './command.ts';
import { heldConfigOf } from './held-data.ts';
import { instantOption } from './instant.ts';

export const keys: Command = {
  name: 'keys',
  summary: 'create, list, rotate and revoke API keys',
  usage: [
    'Usage: openshelf keys create --org NAME [--scopes LIST] [--expires WHEN] [--note TEXT]',
    '                             [--quota N] [--throttle N] [--json]',
    '       openshelf keys list --org NAME [--json]',
    '       openshelf keys rotate ID [--old-until WHEN] [--expires WHEN] [--json]',
    '       openshelf keys revoke ID [--json]',
    '',
    '  --org NAME        the organization; made when it does not exist',
    `  --scopes LIST     of ${SCOPES.join(', ')} (default ${DEFAULT_SCOPES.join(',')})`,
    '  --expires WHEN    from then on the key is refused (default: never; rotate: as long a life as the old)',
    '  --old-until WHEN  rotate: until then the old key stays valid (default 24h; 0m: not a moment longer)',
    '  --note TEXT       what the key is for',
    '  --quota N         tokens a calendar month (UTC) of the organization (default 1000000)',
    '  --throttle N      requests a minute of the organization (default 600)',
    '  --data DIR        the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json            one JSON value on one line',
    '',
    'WHEN is a time from now (90d, 12h, 30m), a day (2027-01-31, UTC) or an instant (2027-01-31T12:00:00Z).',
    'A key is shown once, when it is made: only its hash is kept. A running server knows of every change',
    'within a second.',
  ].join('\n'),
  options: {
    org: { type: 'string' },
    scopes: { type: 'string' },
    expires: { type: 'string' },
    'old-until': { type: 'string' },
    quota: { type: 'string' },
    throttle: { type: 'string' },
    note: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  },
  takesWords: true,
  run: byAction({ create, list, rotate, revoke }),
};

/** The id, given alone or as the key that begins with it. */
function keyId(positionals: readonly string[]): string {
  return onePositional(positionals, 'ID')
    .replace(/^osk_live_/, '')
    .slice(0, 8);
}

function scopesOption(values: CommandInput['values']): readonly Scope[] | undefined {
  const text = textOption(values, 'scopes');
  if (text === undefined) return undefined;
  const named = new Set(text.split(/[\s,]+/).filter((name) => name !== ''));
  const scopes = SCOPES.filter((scope) => named.delete(scope));
  const [unknown] = named;
  if (unknown !== undefined || scopes.length === 0) {
    throw new UsageError(`"${unknown ?? text}" is no scope: there are ${SCOPES.join(', ')}`);
  }
  return scopes;
}

const instant = (atMs: number | null) => (atMs === null ? null : isoTimestamp(atMs));

async function create(input: CommandInput): Promise<number> {
  const { values, positionals, io } = input;
  noWords(positionals);
  const quota = numberOption(values, 'quota', { min: 0, max: MAX_MONTHLY_QUOTA });
  const throttle = numberOption(values, 'throttle', { min: 1, max: MAX_PER_MINUTE });
  const scopes = scopesOption(values);
  const expiresAtMs = instantOption(values, 'expires', systemClock.now());
  const request = {
    organization: requiredOption(values, 'org'),
    ...(quota === undefined ? {} : { monthlyQuota: quota }),
    ...(throttle === undefined ? {} : { throttlePerMinute: throttle }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    note: textOption(values, 'note') ?? null,
  };
  const made = await withStore(configOf(input), (store, nowMs) =>
    issueKey(store.accounts, request, nowMs),
  );
  const expires = instant(made.expiresAtMs);
  if (values['json'] === true) {
    const { text: key, id, organization: org } = made;
    printJson(io, { key, id, org, scopes: made.scopes, expires_at: expires });
  } else {
    io.out(made.text);
    const until = expires === null ? '' : ` until ${expires}`;
    io.err(`Key ${made.id} of ${made.organization}${until}. It is shown once: keep it.`);
  }
  return DONE;
}

async function list(input: CommandInput): Promise<number> {
  const { values, io } = input;
  noWords(input.positionals);
  const name = requiredOption(values, 'org');
  const rows = await withStore(await heldConfigOf(input), (store, nowMs) =>
    listKeys(store.accounts, name, nowMs),
  );
  if (rows === null) throw new Error(`there is no organization "${name}"`);
  if (values['json'] === true) {
    printJson(io, rows);
    return DONE;
  }
  for (const row of rows) {
    const ended = row.revoked_at ?? row.expires_at;
    const state = ended === null ? row.state : `${stateWord(row.state)} ${ended}`;
    const used = row.last_used === null ? 'never used' : `used ${row.last_used}`;
    const columns = [row.id, row.created_at, state, used, row.scopes.join(' '), row.note ?? ''];
    io.out(columns.join('  ').trimEnd());
  }
  return DONE;
}

function stateWord(state: 'active' | 'expired' | 'revoked'): string {
  return state === 'active' ? 'active until' : state;
}

async function rotate(input: CommandInput): Promise<number> {
  const { values, positionals, io } = input;
  const id = keyId(positionals);
  const nowMs = systemClock.now();
  const oldUntilMs = instantOption(values, 'old-until', nowMs) ?? nowMs + DAY_MS;
  const expiresAtMs = instantOption(values, 'expires', nowMs);
  const wanted = { id, oldUntilMs, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
  const made = await withStore(await heldConfigOf(input), (store, storeNowMs) =>
    rotateKey(store.accounts, wanted, storeNowMs),
  );
  if (made === null) throw new Error(`there is no active key "${id}"`);
  const oldUntil = isoTimestamp(made.oldUntilMs);
  if (values['json'] === true) {
    printJson(io, {
      key: made.text,
      id: made.id,
      org: made.organization,
      scopes: made.scopes,
      expires_at: instant(made.expiresAtMs),
      old: { id, expires_at: oldUntil },
    });
  } else {
    io.out(made.text);
    io.err(`Key ${made.id} of ${made.organization}. It is shown once: keep it.`);
    io.err(`The old key ${id} is valid until ${oldUntil}.`);
  }
  return DONE;
}

async function revoke(input: CommandInput): Promise<number> {
  const { positionals, values, io } = input;
  const id = keyId(positionals);
  const wasRevoked = await withStore(await heldConfigOf(input), (store, nowMs) =>
    store.accounts.revokeKey(id, nowMs),
  );
  if (!wasRevoked) throw new Error(`there is no active key "${id}"`);
  if (values['json'] === true) printJson(io, { revoked: id });
  else io.out(`revoked ${id}`);
  return DONE;
}
