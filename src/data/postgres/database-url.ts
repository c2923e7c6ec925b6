// Parses the setting with the address of a PostgreSQL database: of one server, or of several of which one accepts writes. An
// error never repeats the address, because it contains a password.

import { nearestName } from '../../base/nearest-name.ts';

type DatabaseUrl =
  | { readonly url: string | null; readonly problem: null }
  | { readonly url: null; readonly problem: string };

/** `primary` is the server, of one or several, that accepts writes. `replica` is one server of either kind. */
type ServerRole = 'primary' | 'replica';

const SHAPE = 'postgres://user:password@host:5432/database';
/** libpq values that request the behaviour that openshelf has anyway; the client itself ignores them. */
const ALLOWED_ATTRIBUTES: Readonly<Record<ServerRole, readonly string[]>> = {
  primary: ['read-write', 'primary'],
  replica: ['any'],
};
const ATTRIBUTES = 'target_session_attrs';

/** An empty text means no database. A problem continues a sentence that begins with the name of the setting. */
export function readDatabaseUrl(text: string, wanted: ServerRole = 'primary'): DatabaseUrl {
  if (text === '') return { url: null, problem: null };
  const hosts = hostUrls(text);
  const problem = hosts.map((each) => problemOf(each, wanted)).find((each) => each !== null);
  if (problem !== undefined) return { url: null, problem };
  if (wanted === 'replica' && hosts.length > 1) {
    return { url: null, problem: 'lists several servers, but a read replica is one server' };
  }
  return { url: text, problem: null };
}

function problemOf(text: string, wanted: ServerRole): string | null {
  const url = URL.parse(text);
  const isPostgres = url !== null && ['postgres:', 'postgresql:'].includes(url.protocol);
  if (!isPostgres) return `must be an address like ${SHAPE}`;
  // Such a character would end the password early, and the rest would be parsed as a host or database.
  if (
    url.hash !== '' ||
    url.pathname.includes('@') ||
    !isEncoded(`${url.username}${url.password}`)
  ) {
    return 'contains a character that must be encoded: %23 for #, %2F for /, %3F for ?, %25 for %';
  }
  if (url.pathname.length < 2) return `names no database: ${SHAPE}`;
  const attributes = url.searchParams.get(ATTRIBUTES);
  if (attributes === null || ALLOWED_ATTRIBUTES[wanted].includes(attributes)) {
    return encryptionProblem(url.searchParams);
  }
  return `has ${ATTRIBUTES}, which can only be ${ALLOWED_ATTRIBUTES[wanted].join(' or ')} here`;
}

/**
 * Modes of `sslmode`. In libpq, `prefer`, `require` and `verify-ca` check less than here: encrypted connections are
 * checked, except with `no-verify`.
 */
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** Any other value crashes the client. */
const SWITCHES = ['true', '1', '0', 'no-verify'];
const ENCRYPTION = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation'];
/**
 * Parameters of libpq, and of programs that may share the address. They are so similar to the ones above that they look
 * like typos.
 */
const OTHERS =
  /^(?:ssl(?:accept|certmode|compression|crl|crldir|identity|keylogfile|password|sni)|ssl_m(?:ax|in)_protocol_version)$/;

/**
 * Returns why these parameters do not specify encryption; null if they do, or request none. The client ignores unknown names:
 * with `SSLMODE=require` password and data went over the network as plain text.
 */
function encryptionProblem(parameters: URLSearchParams): string | null {
  for (const name of parameters.keys()) {
    const near =
      ENCRYPTION.includes(name) || OTHERS.test(name) ? null : nearestName(name, ENCRYPTION);
    if (near !== null) return `has the parameter ${name}, which is unknown: write ${near}`;
  }
  return (
    valueProblem('sslmode', parameters.getAll('sslmode'), MODES) ??
    valueProblem('ssl', parameters.getAll('ssl'), SWITCHES)
  );
}

function valueProblem(
  name: string,
  values: readonly string[],
  known: readonly string[],
): string | null {
  if (values.every((each) => known.includes(each))) return null;
  return `has a value of ${name} that is unknown: write sslmode= and one of ${MODES.join(', ')}`;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Splits `postgres://user:password@one:5432,two:5432/database` into its parts, as libpq does. */
function partsOf(text: string) {
  const [, scheme = '', authority = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(text) ?? [];
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  return { scheme, user, hosts: authority.slice(user.length).split(','), rest };
}

/** Returns one address per server, in the order given. A text that is not an address is returned unchanged. */
export function hostUrls(text: string): readonly string[] {
  const { scheme, user, hosts, rest } = partsOf(text);
  if (scheme === '') return [text];
  return hosts.map((host) => `${scheme}${user}${host}${rest}`);
}

/** Returns the name of the database for display, without user and password. */
export function databaseName(url: string): string {
  const { hosts } = partsOf(url);
  const [first = url] = hostUrls(url);
  return `${hosts.join(',')}${new URL(first).pathname}`;
}

/** Modes that the client takes for `verify-full`, with ten lines of warning at every start. */
const AS_VERIFY_FULL = /([?&]sslmode=)(?:allow|prefer|require|verify-ca)(?=&|$)/g;

/** Converts the address to the client's terms. With `uselibpqcompat` the client is told to behave like libpq. */
export function asClientSays(url: string): string {
  return /[?&]uselibpqcompat=true(?:&|$)/.test(url)
    ? url
    : url.replaceAll(AS_VERIFY_FULL, '$1verify-full');
}
