// openshelf console: prints an address that opens the console and signs in once. Its code is in the fragment, which browsers
// never send. Everyone who signs in this way does so with one key of the organization, whose text nobody knows.

import { withStore } from '../../wiring/open-store.ts';
import { HOUR_MS, isoTimestamp } from '../../../base/clock.ts';
import { DEFAULT_SCOPES, type Scope } from '../../../base/scopes.ts';
import { issueKey } from '../../../data/metering/keys.ts';
import { createSignIns } from '../../../data/metering/sign-ins.ts';
import type { Accounts, StoredKey } from '../../../data/accounts/accounts.ts';
import type { Store } from '../../../data/store.ts';
import { DONE, printJson, UsageError, type Command } from '../command.ts';
import { configWithData, noOrganization, placeOf } from '../data-folder.ts';
import { DATA_OPTION, noPositionals, textOption } from '../options.ts';

/** Longer than the code for a phone: a person starts the service, reads, and opens the address later. */
const CODE_MS = HOUR_MS;
const NOTE = 'console';
/** The console's organization if there is none yet, or if there are several. */
const CONSOLE_ORGANIZATION = 'console';

export const consoleCommand: Command = {
  name: 'console',
  summary: 'print an address that opens the console in a browser and signs in, once',
  synopsis: ['[--org NAME] [--admin] [--url URL] [--data DIR] [--json]'],
  options: {
    org: {
      value: 'NAME',
      help:
        'the organization whose tokens are spent; it is created if there is none at all (default: the only one, ' +
        `else ${CONSOLE_ORGANIZATION})`,
    },
    admin: {
      help: "also open the operator's page: the usage, retailers, queue and keys of everyone",
    },
    url: {
      value: 'URL',
      help:
        'the address at which a browser reaches the service (default: from the settings HOST ' +
        'and PORT)',
    },
    data: DATA_OPTION,
    json: { help: 'print {"address", "key_id", "org", "expires_at"} as one line of JSON' },
  },
  notes: [
    'The address signs in one browser, within an hour. The console lists the signed-in browsers and signs each out;',
    'openshelf keys revoke ID signs out all that signed in this way.',
  ],
  run: async (input) => {
    const { values, positionals, io, asCalled } = input;
    noPositionals(positionals);
    const config = await configWithData(input);
    const base = reachable(baseOf(textOption(values, 'url') ?? urlOf(config.host, config.port)));
    const wanted = { org: textOption(values, 'org'), isAdmin: values['admin'] === true };
    const made = await withStore(config, (store, nowMs) => openConsole(store, base, wanted, nowMs));
    const answers = await whoAnswers(base, made.code, io.stop);
    if (answers === 'another') {
      throw new Error(
        `The service at ${base} has other data than ${placeOf(config)}, so it does not know codes made there. Specify ` +
          "that service's data with --data or OPENSHELF_DATA, or the address of the service for this data with " +
          '--url.',
      );
    }
    if (values['json'] === true) {
      const { address, keyId, organization: org, expiresAtMs } = made;
      printJson(io, { address, key_id: keyId, org, expires_at: isoTimestamp(expiresAtMs) });
      return DONE;
    }
    io.out(made.address);
    const data = textOption(values, 'data');
    const place = data === undefined ? '' : ` --data '${data}'`;
    const until = isoTimestamp(made.expiresAtMs);
    const ending = `openshelf keys revoke ${made.keyId}${place} signs out all browsers that signed in this way.`;
    io.err(
      asCalled(
        `Open it in a browser by ${until}. It signs in once, as ${made.organization}; ${ending}`,
      ),
    );
    if (answers === 'nobody')
      io.err(
        asCalled(
          `Nothing answers at ${base} from here yet. Start the service with openshelf serve.`,
        ),
      );
    return DONE;
  },
};

const LONGEST_ASK_MS = 5_000;

/**
 * Identifies what answers at the address: the service that the code belongs to, another one, or nothing reachable from here.
 */
async function whoAnswers(
  base: string,
  code: string,
  stop: AbortSignal,
): Promise<'service' | 'another' | 'nobody'> {
  try {
    const response = await fetch(`${base}/console/session`, {
      method: 'POST',
      headers: { origin: new URL(base).origin, 'content-type': 'application/json' },
      body: JSON.stringify({ code, look: true }),
      signal: AbortSignal.any([stop, AbortSignal.timeout(LONGEST_ASK_MS)]),
    });
    await response.body?.cancel();
    return response.status === 401 ? 'another' : 'service';
  } catch {
    return 'nobody';
  }
}

type OpenedConsole = {
  readonly address: string;
  readonly code: string;
  readonly keyId: string;
  readonly organization: string;
  readonly expiresAtMs: number;
};

type ConsoleRequest = {
  /** The organization, which must exist if any does. Undefined for the only one, else for one created for the console. */
  readonly org?: string | undefined;
  readonly isAdmin?: boolean;
};

/** Makes the address that signs in once, as the organization's key for that. `url` is the service's address. */
export async function openConsole(
  { accounts, sessions }: Pick<Store, 'accounts' | 'sessions'>,
  url: string,
  { org, isAdmin = false }: ConsoleRequest,
  nowMs: number,
): Promise<OpenedConsole> {
  const organization = await organizationFor(accounts, org);
  const scopes: readonly Scope[] = [
    ...DEFAULT_SCOPES,
    'pages:submit',
    ...(isAdmin ? (['admin'] as const) : []),
  ];
  const { id } =
    (await consoleKey(accounts, organization, scopes.join(' '))) ??
    (await issueKey(accounts, { organization, note: NOTE, scopes }, nowMs));
  const signIns = createSignIns(sessions, { now: () => nowMs });
  const { code, expiresAtMs } = await signIns.createCode(id, CODE_MS);
  const address = `${reachable(url)}/console#code=${code}`;
  return { address, code, keyId: id, organization, expiresAtMs };
}

/** Returns the key with which the console signs in; null if there is none yet, or it was revoked. */
async function consoleKey(accounts: Accounts, name: string, scopes: string) {
  const organization = await accounts.findOrganization(name);
  const keys = organization === null ? [] : await accounts.listKeys(organization.id);
  const isOne = (key: StoredKey) =>
    key.note === NOTE && key.revokedAtMs === null && key.expiresAtMs === null;
  return keys.find((key) => isOne(key) && key.scopes.join(' ') === scopes) ?? null;
}

/**
 * Returns the organization for the key. A mistyped name must not sign in to an empty console with a separate month of
 * tokens.
 */
async function organizationFor(accounts: Accounts, org: string | undefined): Promise<string> {
  const names = (await accounts.listOrganizations()).map(({ name }) => name);
  const [first = CONSOLE_ORGANIZATION] = names;
  if (org === undefined) return names.length <= 1 ? first : CONSOLE_ORGANIZATION;
  if (names.length > 0 && !names.includes(org)) throw noOrganization(org);
  return org;
}

/** An address that means all interfaces cannot be visited, so it is replaced by this machine's own name. */
function reachable(url: string): string {
  return url.replace(/^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=:|$)/, '$1localhost');
}

function urlOf(host: string, port: number): string {
  if (port === 0) {
    throw new UsageError(
      'PORT is 0, so the port of the service is not known. Specify its address with --url.',
    );
  }
  const shown = host === '' ? '0.0.0.0' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

function baseOf(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol))
    return url.href.replace(/[?#].*$/, '').replace(/\/+$/, '');
  throw new UsageError(
    `--url takes an http or https address such as http://127.0.0.1:8790, not "${text}".`,
  );
}
