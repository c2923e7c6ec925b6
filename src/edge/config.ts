// Turns the environment into the configuration that the service is built from (D4). All problems are reported at once.
// Nothing else reads the environment.

import { heapLimitMb } from '../answer/metrics/process-figures.ts';
import type { Retention } from '../rules/history/retention.ts';
import { NO_ORIGINS, parseOrigins, type OriginMap } from '../egress/origins.ts';
import { readCredentials, type Credentials } from '../read/retailers/credentials.ts';
import {
  searchProviderOf,
  type SearchProvider,
} from '../read/retailers/search/search-providers.ts';
import { NO_TERMS, termsWith, type TermsInForce } from '../rules/terms/profiles.ts';
import { LIMIT_SETTINGS } from './settings/limit-settings.ts';
import { readSettings, type Env, type SettingOverrides } from './settings/read-settings.ts';
import { ROLES } from './settings/setting-kinds.ts';
import type { TermsSetting } from './settings/terms-setting.ts';
import { SETTINGS, type SettingValues } from './settings/settings-table.ts';

/** Settings that the service only uses in combination with others. */
type Combined = 'searxngUrl' | 'braveApiKey' | 'keepObservationsDays' | 'keepBarsYears' | 'terms';
type Limit = keyof typeof LIMIT_SETTINGS;

export type Config = Omit<SettingValues, Combined | Limit> & {
  /** Limits on what callers may make the service store or do at once. */
  readonly limits: Readonly<Record<Limit, number>>;
  /** The operator's credentials for official APIs, by retailer and name. */
  readonly credentials: Credentials;
  readonly search: Search;
  /** The terms of sources that are in force. */
  readonly terms: TermsInForce;
  /** How long price history is stored. */
  readonly retention: Retention;
  /** Sentences about settings that should be changed, though the service starts with them. */
  readonly warnings: readonly string[];
};

/** Thrown if the settings cannot be used. `problems` has a sentence for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const [first = '', ...more] = problems;
    super(
      more.length === 0
        ? first
        : `${problems.length} problems with the settings:\n${problems.map((each) => `  - ${each}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Reads and checks the settings. Throws one `ConfigError` that lists every problem. */
export function readConfig(env: Env, overrides: SettingOverrides = {}): Config {
  const { values, problems: wrong, warnings } = readSettings(env, overrides);
  const { searxngUrl, braveApiKey, keepObservationsDays, keepBarsYears, terms, ...settings } =
    values;
  const inForce = termsInForce(terms, values.origins);
  const { limits: stated, others } = dividedBy(settings);
  const limits = { ...stated, ...limitsOfPlace(stated, others, env) };
  const problems = [...wrong, ...conflicts(values, env, overrides)];
  const search = readSearch({ searxngUrl, braveApiKey }, problems);
  const config: Config = {
    ...others,
    cacheMb: isStated(env, SETTINGS.cacheMb) ? others.cacheMb : fittingCacheMb(others.cacheMb),
    limits,
    credentials: readCredentials(env, problems),
    search,
    terms: inForce.terms,
    retention: { observationDays: keepObservationsDays, barYears: keepBarsYears },
    warnings: [...warnings, ...inForce.warnings],
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** Shops that are simulated on this machine have no terms, unless the operator says so. */
function termsInForce(setting: TermsSetting, origins: OriginMap) {
  if (setting === 'off') return { terms: NO_TERMS, warnings: [] };
  if (setting !== 'unset') return { terms: termsWith(setting), warnings: [] };
  return origins.hasLoopback
    ? { terms: NO_TERMS, warnings: [SIMULATED] }
    : { terms: termsWith(new Map()), warnings: [] };
}

const SIMULATED =
  'OPENSHELF_ORIGINS sends requests to this machine, so the shops are treated as simulated and the terms ' +
  'of official APIs are not applied. Set OPENSHELF_TERMS to apply them.';

function isLimit(name: string): name is Limit {
  return name in LIMIT_SETTINGS;
}

/** Splits the settings into the limits of a listener and all others. */
function dividedBy<All extends Readonly<Record<string, unknown>>>(settings: All) {
  const entries = Object.entries(settings);
  return {
    limits: Object.fromEntries(entries.filter(([name]) => isLimit(name))) as Config['limits'],
    others: Object.fromEntries(entries.filter(([name]) => !isLimit(name))) as Omit<All, Limit>,
  };
}

/** Returns a sentence for each group of settings that cannot be used together. */
function conflicts(
  values: SettingValues,
  env: Env,
  overrides: SettingOverrides,
): readonly string[] {
  return [...mailConflicts(values), ...databaseConflicts(values, env, overrides)];
}

function mailConflicts({ smtpServer, smtpFrom }: SettingValues): readonly string[] {
  if ((smtpServer === null) === (smtpFrom === '')) return [];
  return smtpServer === null
    ? ['OPENSHELF_SMTP_FROM requires OPENSHELF_SMTP_URL.']
    : ['OPENSHELF_SMTP_URL requires OPENSHELF_SMTP_FROM: the address that notices are sent from.'];
}

function databaseConflicts(
  values: SettingValues,
  env: Env,
  overrides: SettingOverrides,
): readonly string[] {
  const { databaseUrl, readUrl, workers, roles } = values;
  if (databaseUrl !== null) {
    if (overrides.dataDir === undefined) return [];
    // An operator who names a folder would not expect the data on a server.
    return [
      'DATABASE_URL is set and a data folder is specified too. Remove one of them: the data is in PostgreSQL ' +
        'or in the folder, not in both.',
    ];
  }
  // A wrong DATABASE_URL is already reported: its consequences would only confuse.
  if ((env['DATABASE_URL'] ?? '') !== '') return [];
  const problems: string[] = [];
  if (readUrl !== null) problems.push('OPENSHELF_READ_URL requires DATABASE_URL.');
  if (workers > 1) {
    problems.push(
      `OPENSHELF_WORKERS (--workers) is ${workers}, but the embedded database belongs to one process. ` +
        'Set DATABASE_URL: any number of processes can share a PostgreSQL database.',
    );
  }
  if (roles.length < ROLES.length) {
    problems.push(
      `OPENSHELF_ROLE (--role) is ${roles.join()}, but the embedded database belongs to one process, which must do ` +
        'all the work. Set DATABASE_URL to divide the work between processes.',
    );
  }
  return problems;
}

/**
 * A commit on a server takes longer, and more calls share it. With 32 of 256 connections waiting for it, a cached lookup
 * reached 0.10 of the rate of bare HTTP, with 256 of them 0.27, for two thirds of the CPU time.
 */
const WRITING_ON_A_SERVER = 256;

/** Most proxies keep a connection for a minute, and the proxy must be the one that closes it. */
const KEEP_ALIVE_BEHIND_PROXY_MS = 65_000;

/** Returns the limits whose defaults depend on where the service runs. */
function limitsOfPlace(
  limits: Config['limits'],
  { databaseUrl, trustProxy }: Pick<Config, 'databaseUrl' | 'trustProxy'>,
  env: Env,
): Partial<Config['limits']> {
  const { maxWriting, keepAliveMs } = LIMIT_SETTINGS;
  const isOnServer = databaseUrl !== null && !isStated(env, maxWriting);
  const isBehindProxy = trustProxy && !isStated(env, keepAliveMs);
  return {
    maxWriting: isOnServer ? WRITING_ON_A_SERVER : limits.maxWriting,
    keepAliveMs: isBehindProxy ? KEEP_ALIVE_BEHIND_PROXY_MS : limits.keepAliveMs,
  };
}

function isStated(env: Env, { name }: { readonly name: string }): boolean {
  return (env[name] ?? '').trim() !== '';
}

/** Reduces the size of the response cache, in megabytes, to the machine: of 96, 32 with 256 MB of memory, 96 from 768 MB on. */
function fittingCacheMb(wanted: number): number {
  return Math.min(wanted, Math.floor(heapLimitMb() / 4));
}

type Search = {
  readonly provider: SearchProvider | null;
  /** The mapping of the provider's own origin, and nothing else. */
  readonly origins: OriginMap;
};

/**
 * The name under which the operator's own search engine is fetched: it usually has a private address. Only the search's own
 * fetcher maps it, never that of shops, so that no caller's address can reach the engine (D5, D50).
 */
const SEARCH_ORIGIN = 'https://searxng.operator.example';

function readSearch(
  settings: Pick<SettingValues, 'searxngUrl' | 'braveApiKey'>,
  problems: string[],
): Search {
  const provider = searchProviderOf(settings);
  if (provider === null) return { provider, origins: NO_ORIGINS };
  if ('problem' in provider) {
    problems.push(provider.problem);
    return { provider: null, origins: NO_ORIGINS };
  }
  if (provider.kind === 'brave') return { provider, origins: NO_ORIGINS };
  const own = new URL(provider.base);
  const { origins } = parseOrigins(`${SEARCH_ORIGIN}=${own.origin}`);
  return { provider: { kind: 'searxng', base: `${SEARCH_ORIGIN}${own.pathname}` }, origins };
}
