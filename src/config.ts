// Environment -> typed, validated settings (D4). The only file that knows the names of the variables;
// every problem is collected and reported at once. Nothing else reads the environment.

import type { Retention } from './history/retention.ts';
import { readDatabaseUrl } from './store/postgres/database-url.ts';
import { NO_ORIGINS, parseOrigins, type OriginMap } from './fetch/origins.ts';
import { readProcesses, type Processes } from './process-roles.ts';
import { CREDENTIAL_NAMES, readCredentials, type Credentials } from './retailers/credentials.ts';
import { searchProviderOf, type SearchProvider } from './retailers/search-providers.ts';

export type Config = Processes & {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** PostgreSQL, with a password that no message may show; null: SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** A copy of that database which may answer reads of products; with a password too. */
  readonly readUrl: string | null;
  readonly contact: string | null;
  readonly hostIntervalMs: number;
  readonly maxConcurrent: number;
  readonly origins: OriginMap;
  readonly dnsServers: readonly string[];
  readonly egressProxy: string | null;
  /** What the operator may ask official APIs with, by retailer and name. */
  readonly credentials: Credentials;
  readonly search: Search;
  readonly trustProxy: boolean;
  /** Where `/metrics` listens; null: beside the API, for local callers. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly corsOrigins: readonly string[];
  /** How long price history is kept. */
  readonly retention: Retention;
};

export type Env = Readonly<Record<string, string | undefined>>;

/** Settings that flags of the command line put above the environment. */
export type Overrides = {
  readonly port?: number;
  readonly host?: string;
  readonly dataDir?: string;
  readonly workers?: string;
  readonly role?: string;
};

/** A sentence a person can act on, for each thing that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`settings are not usable:\n${problems.map((each) => `  - ${each}`).join('\n')}`);
    this.problems = problems;
  }
}

const KNOWN = [
  'OPENSHELF_DATA',
  'OPENSHELF_READ_URL',
  'OPENSHELF_WORKERS',
  'OPENSHELF_ROLE',
  'OPENSHELF_CONTACT',
  'OPENSHELF_HOST_INTERVAL_MS',
  'OPENSHELF_MAX_CONCURRENT',
  'OPENSHELF_ORIGINS',
  'OPENSHELF_DNS_SERVERS',
  'OPENSHELF_EGRESS_PROXY',
  'OPENSHELF_SEARXNG_URL',
  'OPENSHELF_BRAVE_API_KEY',
  'OPENSHELF_TRUST_PROXY',
  'OPENSHELF_CORS_ORIGINS',
  'OPENSHELF_METRICS',
  'OPENSHELF_KEEP_OBSERVATIONS_DAYS',
  'OPENSHELF_KEEP_BARS_YEARS',
] as const;

/** Reads and checks the settings. Throws one `ConfigError` that lists every problem. */
export function readConfig(env: Env, overrides: Overrides = {}): Config {
  const problems: string[] = [];
  unknownNames(env, problems);
  const search = readSearchProvider(env, problems);
  const urls = databaseUrls(env, overrides, problems);
  const { workers = env['OPENSHELF_WORKERS'], role = env['OPENSHELF_ROLE'] } = overrides;
  const processes = readProcesses({ workers, role }, urls.databaseUrl !== null);
  problems.push(...processes.problems);
  const config: Config = {
    host: overrides.host ?? env['HOST'] ?? '127.0.0.1',
    port: overrides.port ?? integer(env, 'PORT', { fallback: 8790, min: 0, max: 65_535 }, problems),
    workers: processes.workers,
    roles: processes.roles,
    dataDir: overrides.dataDir ?? env['OPENSHELF_DATA'] ?? './data',
    ...urls,
    contact: contactUrl(env, problems),
    hostIntervalMs: integer(
      env,
      'OPENSHELF_HOST_INTERVAL_MS',
      { fallback: 1_000, min: 0, max: 3_600_000 },
      problems,
    ),
    maxConcurrent: integer(
      env,
      'OPENSHELF_MAX_CONCURRENT',
      { fallback: 32, min: 1, max: 1_000 },
      problems,
    ),
    origins: origins(env, problems),
    dnsServers: dnsServers(env, problems),
    egressProxy: proxyUrl(env, problems),
    credentials: readCredentials(env, problems),
    search,
    trustProxy: yesOrNo(env, 'OPENSHELF_TRUST_PROXY', problems),
    corsOrigins: corsOrigins(env, problems),
    metrics: metricsAddress(env, problems),
    retention: retention(env, problems),
  };
  if (config.dataDir.trim() === '') problems.push('OPENSHELF_DATA is empty: name a folder');
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

function unknownNames(env: Env, problems: string[]): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('OPENSHELF_')) continue;
    // Read by the tests and the evaluation programs only, never by the service.
    if (name.startsWith('OPENSHELF_TEST_') || name === 'OPENSHELF_VECTORS') continue;
    if (KNOWN.some((known) => known === name)) continue;
    if (CREDENTIAL_NAMES.includes(name)) continue;
    const all = [...KNOWN, ...CREDENTIAL_NAMES].sort().join(', ');
    problems.push(`${name} is not a setting; the settings are ${all}`);
  }
}

/** Never two places at once: whoever names a folder would not look for the data on a server. */
function databaseUrls(env: Env, { dataDir }: Overrides, problems: string[]) {
  const primary = readDatabaseUrl(env['DATABASE_URL'] ?? '');
  const replica = readDatabaseUrl(env['OPENSHELF_READ_URL'] ?? '', 'replica');
  if (primary.problem !== null) problems.push(`DATABASE_URL ${primary.problem}`);
  if (replica.problem !== null) problems.push(`OPENSHELF_READ_URL ${replica.problem}`);
  if (primary.url !== null && dataDir !== undefined) {
    problems.push('DATABASE_URL is set and a data folder is named too: leave one of them out');
  }
  if (replica.url !== null && primary.url === null) {
    problems.push('OPENSHELF_READ_URL is set without DATABASE_URL: a replica of which database?');
  }
  return { databaseUrl: primary.url, readUrl: replica.url };
}

type Range = { readonly fallback: number; readonly min: number; readonly max: number };

function integer(env: Env, name: string, range: Range, problems: string[]): number {
  const text = env[name];
  if (text === undefined || text === '') return range.fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  problems.push(`${name} must be a whole number from ${range.min} to ${range.max}, not "${text}"`);
  return range.fallback;
}

/** Windows are made of 180 days of observations: those are always kept. */
function retention(env: Env, problems: string[]): Retention {
  const kept = (name: string, min: number, max: number): number | null => {
    if ((env[name] ?? '') === '') return null;
    return integer(env, name, { fallback: max, min, max }, problems);
  };
  return {
    observationDays: kept('OPENSHELF_KEEP_OBSERVATIONS_DAYS', 181, 36_500),
    barYears: kept('OPENSHELF_KEEP_BARS_YEARS', 1, 100),
  };
}

function yesOrNo(env: Env, name: string, problems: string[]): boolean {
  const text = (env[name] ?? '').toLowerCase();
  if (['', '0', 'false'].includes(text)) return false;
  if (['1', 'true'].includes(text)) return true;
  problems.push(`${name} must be true or false, not "${text}"`);
  return false;
}

function list(env: Env, name: string): readonly string[] {
  return (env[name] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Checked here and not by the resolver: it names no setting, and port 0 would end the process. */
function dnsServers(env: Env, problems: string[]): readonly string[] {
  const all = list(env, 'OPENSHELF_DNS_SERVERS');
  for (const each of all) {
    if (isDnsServer(each)) continue;
    problems.push(
      `OPENSHELF_DNS_SERVERS: "${each}" is not an address like 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53`,
    );
  }
  return all;
}

function isDnsServer(text: string): boolean {
  if (isAddress(text)) return true;
  const [, v6 = '', v4 = '', port = '53'] =
    /^(?:\[([^\]]*:[^\]]*)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return isAddress(v6 === '' ? v4 : v6) && Number(port) >= 1 && Number(port) <= 65_535;
}

/** As addresses of the web are read. A server on the local link may name the network card: `fe80::1%eth0`. */
function isAddress(text: string): boolean {
  if (/^[\d.]+$/.test(text)) return URL.parse(`http://${text}/`)?.hostname === text;
  const [, v6] = /^([\da-f:.]*:[\da-f:.]*)(?:%[\w.-]+)?$/i.exec(text) ?? [];
  return v6 !== undefined && URL.canParse(`http://[${v6}]/`);
}

function httpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

function contactUrl(env: Env, problems: string[]): string | null {
  const text = env['OPENSHELF_CONTACT'] ?? '';
  if (text === '') return null;
  if (httpUrl(text) !== null || /^mailto:[^\s@]+@[^\s@]+$/.test(text)) return text;
  problems.push('OPENSHELF_CONTACT must be an http, https or mailto address that a shop can reach');
  return null;
}

function proxyUrl(env: Env, problems: string[]): string | null {
  const text = env['OPENSHELF_EGRESS_PROXY'] ?? '';
  if (text === '') return null;
  if (httpUrl(text) !== null) return text;
  problems.push('OPENSHELF_EGRESS_PROXY must be an http or https address');
  return null;
}

function origins(env: Env, problems: string[]): OriginMap {
  const reading = parseOrigins(env['OPENSHELF_ORIGINS'] ?? '');
  problems.push(...reading.problems);
  return reading.origins;
}

/**
 * The name under which the operator's own search engine is asked: it usually stands on a private address.
 * The mapping is for the search's own fetcher and never for the shops': a caller's address must not reach
 * the engine (D5, D50).
 */
const SEARCH_ORIGIN = 'https://searxng.operator.example';

export type Search = {
  readonly provider: SearchProvider | null;
  /** Where the provider's own origin goes; nothing else is in it. */
  readonly origins: OriginMap;
};

function readSearchProvider(env: Env, problems: string[]): Search {
  const provider = searchProviderOf({
    searxngUrl: env['OPENSHELF_SEARXNG_URL'],
    braveApiKey: env['OPENSHELF_BRAVE_API_KEY'],
  });
  if (provider === null) return { provider, origins: NO_ORIGINS };
  if ('problem' in provider) {
    problems.push(`search provider: ${provider.problem}`);
    return { provider: null, origins: NO_ORIGINS };
  }
  if (provider.kind === 'brave') return { provider, origins: NO_ORIGINS };
  const own = new URL(provider.base);
  const { origins } = parseOrigins(`${SEARCH_ORIGIN}=${own.origin}`);
  return { provider: { kind: 'searxng', base: `${SEARCH_ORIGIN}${own.pathname}` }, origins };
}

/** Two maps as one; the first one's word goes first. */
export function bothOrigins(first: OriginMap, second: OriginMap): OriginMap {
  return {
    targetOf: (origin) => first.targetOf(origin) ?? second.targetOf(origin),
    originOf: (target) => first.originOf(target) ?? second.originOf(target),
    size: first.size + second.size,
  };
}

function metricsAddress(env: Env, problems: string[]): Config['metrics'] {
  const text = env['OPENSHELF_METRICS'] ?? '';
  if (text === '') return null;
  const [, v6, name, port = ''] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = v6 ?? name;
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  problems.push(
    `OPENSHELF_METRICS must be an address like 127.0.0.1:9464 or [::1]:9464, not "${text}"`,
  );
  return null;
}

function corsOrigins(env: Env, problems: string[]): readonly string[] {
  const all = list(env, 'OPENSHELF_CORS_ORIGINS');
  for (const each of all) {
    if (httpUrl(each)?.origin !== each) {
      problems.push(`OPENSHELF_CORS_ORIGINS: "${each}" is not an origin like https://example.com`);
    }
  }
  return all;
}
