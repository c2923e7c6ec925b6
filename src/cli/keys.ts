// openshelf keys create|list|revoke: who may call, and how much.

import { withStore } from '../app.ts';
import { issueKey, listKeys } from '../metering/keys.ts';
import {
  configOf,
  DONE,
  numberOption,
  onePositional,
  printJson,
  requiredOption,
  textOption,
  UsageError,
  type Command,
  type CommandInput,
} from './command.ts';

export const keys: Command = {
  name: 'keys',
  summary: 'create, list and revoke API keys',
  usage: [
    'Usage: openshelf keys create --org NAME [--quota N] [--throttle N] [--note TEXT] [--json]',
    '       openshelf keys list --org NAME [--json]',
    '       openshelf keys revoke ID [--json]',
    '',
    '  --org NAME     the organization; made when it does not exist',
    '  --quota N      tokens a calendar month (UTC) of the organization (default 1000000)',
    '  --throttle N   requests a minute of the organization (default 600)',
    '  --note TEXT    what the key is for',
    '  --data DIR     the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json         one JSON value on one line',
    '',
    'A key is shown once, when it is made: only its hash is kept.',
  ].join('\n'),
  options: {
    org: { type: 'string' },
    quota: { type: 'string' },
    throttle: { type: 'string' },
    note: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: (input) => {
    const [action, ...rest] = input.positionals;
    const inner = { ...input, positionals: rest };
    switch (action) {
      case 'create':
        return create(inner);
      case 'list':
        return list(inner);
      case 'revoke':
        return revoke(inner);
      default:
        throw new UsageError('say what to do: create, list or revoke');
    }
  },
};

const MAX_TOKENS = Number.MAX_SAFE_INTEGER / 4;
const MAX_PER_MINUTE = 60_000_000;

async function create(input: CommandInput): Promise<number> {
  const { values, positionals, io } = input;
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is not understood`);
  const quota = numberOption(values, 'quota', { min: 0, max: MAX_TOKENS });
  const throttle = numberOption(values, 'throttle', { min: 1, max: MAX_PER_MINUTE });
  const request = {
    organization: requiredOption(values, 'org'),
    ...(quota === undefined ? {} : { monthlyQuota: quota }),
    ...(throttle === undefined ? {} : { throttlePerMinute: throttle }),
    note: textOption(values, 'note') ?? null,
  };
  const made = await withStore(configOf(input), (store, nowMs) =>
    issueKey(store.accounts, request, nowMs),
  );
  if (values['json'] === true) {
    printJson(io, { key: made.text, id: made.id, org: made.organization });
  } else {
    io.out(made.text);
    io.err(`Key ${made.id} of ${made.organization}. It is shown once: keep it.`);
  }
  return DONE;
}

async function list(input: CommandInput): Promise<number> {
  const { values, io } = input;
  const name = requiredOption(values, 'org');
  const rows = await withStore(configOf(input), (store) => listKeys(store.accounts, name));
  if (rows === null) throw new Error(`there is no organization "${name}"`);
  if (values['json'] === true) {
    printJson(io, rows);
    return DONE;
  }
  for (const row of rows) {
    const state = row.revoked_at === null ? 'active' : `revoked ${row.revoked_at}`;
    io.out(`${row.id}  ${row.created_at}  ${state}  ${row.scopes.join(' ')}  ${row.note ?? ''}`);
  }
  return DONE;
}

async function revoke(input: CommandInput): Promise<number> {
  const { positionals, values, io } = input;
  const id = onePositional(positionals, 'ID')
    .replace(/^osk_live_/, '')
    .slice(0, 8);
  const wasRevoked = await withStore(configOf(input), (store, nowMs) =>
    store.accounts.revokeKey(id, nowMs),
  );
  if (!wasRevoked) throw new Error(`there is no active key "${id}"`);
  if (values['json'] === true) printJson(io, { revoked: id });
  else io.out(`revoked ${id}`);
  return DONE;
}
