// The simulated market in place of the internet: settings that send every request to the market.

import { systemClock } from '../wiring/clocks.ts';
import type { Config } from '../config.ts';
import type { Env } from '../settings/read-settings.ts';
import { parseOrigins, type OriginMap } from '../../egress/origins.ts';
import { NO_TERMS } from '../../rules/terms/profiles.ts';
import { publicOrigins } from '../../read/retailers/addresses/public-origins.ts';
import { SEARCH_ORIGINS } from '../../../sandbox/origins.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { SANDBOX_ACCESS } from '../../../sandbox/tokens.ts';
import { UsageError, type Values } from './command.ts';
import { numberOption } from './options.ts';

/** The seed of every demo and example, because the same seed gives the same market. */
export const SANDBOX_SEED = 20_261_120;
/** Number of products in the market without --products. */
export const SANDBOX_PRODUCTS = 3_000;

/** Starts the simulated shops and retailers, each mapped from the origin that the service fetches from. */
export async function openSandbox({ seed, products }: MarketOptions = {}): Promise<Sandbox> {
  // Loaded here: a service that uses the internet starts without the market.
  const { startSandbox } = await import('../../../sandbox/server.ts');
  return await startSandbox({
    seed: seed ?? SANDBOX_SEED,
    products: products ?? SANDBOX_PRODUCTS,
    now: systemClock.now,
    retailers: publicOrigins(),
  });
}

type MarketOptions = {
  readonly seed?: number | undefined;
  readonly products?: number | undefined;
};

/** `--seed N` and `--products N`, as taken by both `sandbox` and `serve --sandbox`. */
export const MARKET_OPTIONS = {
  seed: {
    value: 'N',
    help: `the seed of the market; each seed gives another market (default ${SANDBOX_SEED})`,
  },
  products: {
    value: 'N',
    help: `the number of products in the market, from 20 to 50000 (default ${SANDBOX_PRODUCTS})`,
  },
} as const;

export function marketOptions(values: Values): MarketOptions {
  return {
    seed: numberOption(values, 'seed', { min: 0, max: 4_294_967_295 }),
    products: numberOption(values, 'products', { min: 20, max: 50_000 }),
  };
}

/** Rejects --seed and --products without the market: they have no effect on shops on the internet. */
export function needsSandbox(values: Values): void {
  const lone = [...Object.keys(MARKET_OPTIONS), 'terms'].find((name) => values[name] !== undefined);
  if (lone === undefined || values['sandbox'] === true) return;
  throw new UsageError(`--${lone} applies only to the simulated market. Add --sandbox.`);
}

/**
 * Redirects requests for the public origins of the market to it. The operator's own mappings are unchanged. With `hasTerms` the terms
 * of official APIs are applied to the market's too.
 */
export function withSandbox(
  config: Config,
  sandbox: Sandbox | null,
  { hasTerms = false }: { readonly hasTerms?: boolean } = {},
): Config {
  if (sandbox === null) return config;
  const pairs = Object.entries(sandbox.origins).map(([from, to]) => `${from}=${to}`);
  const { origins } = parseOrigins(pairs.join(','));
  // Offer lists need the hash of a site's release. A new user has none, and the simulated retailer accepts any.
  const retailerW = { OFFERS_HASH: SANDBOX_ACCESS.offersHash, ...config.credentials.retailer_w };
  return {
    ...config,
    // A simulated shop binds nobody, unless its terms are what is tried.
    terms: hasTerms ? config.terms : NO_TERMS,
    origins: bothOrigins(origins, config.origins),
    credentials: { ...config.credentials, retailer_w: retailerW },
  };
}

/** Adds the simulated search engine if the operator has none: it finds retailers' pages that cannot be searched by barcode. */
export function withSandboxSearch(config: Config, sandbox: Sandbox | null): Config {
  const engine = SEARCH_ORIGINS['searxng'];
  const target = engine === undefined ? undefined : sandbox?.origins[engine];
  if (target === undefined || config.search.provider !== null) return config;
  const { origins } = parseOrigins(`${engine}=${target}`);
  return { ...config, search: { provider: { kind: 'searxng', base: `${engine}/` }, origins } };
}

/** Returns the same settings as environment variables, for another process. */
export function sandboxEnv(
  sandbox: Sandbox,
  env: Env,
  { hasTerms = false }: { readonly hasTerms?: boolean } = {},
): Env {
  const engine = SEARCH_ORIGINS['searxng'];
  const target = engine === undefined ? undefined : sandbox.origins[engine];
  const own = Object.entries(sandbox.origins);
  const mapped = (env['OPENSHELF_ORIGINS'] ?? '')
    .split(',')
    .filter((pair) => pair !== '' && own.every(([from]) => !pair.trim().startsWith(`${from}=`)));
  const isWithoutEngine =
    (env['OPENSHELF_SEARXNG_URL'] ?? '') === '' && (env['OPENSHELF_BRAVE_API_KEY'] ?? '') === '';
  return {
    OPENSHELF_TERMS: hasTerms ? env['OPENSHELF_TERMS'] || 'default' : 'off',
    OPENSHELF_ORIGINS: [...own.map(([from, to]) => `${from}=${to}`), ...mapped].join(','),
    OPENSHELF_RETAILER_W_OFFERS_HASH:
      env['OPENSHELF_RETAILER_W_OFFERS_HASH'] ?? SANDBOX_ACCESS.offersHash,
    ...(isWithoutEngine && target !== undefined ? { OPENSHELF_SEARXNG_URL: target } : {}),
  };
}

/** Merges two maps. If both map an origin, the first decides. */
function bothOrigins(first: OriginMap, second: OriginMap): OriginMap {
  return {
    targetOf: (origin) => first.targetOf(origin) ?? second.targetOf(origin),
    originOf: (target) => first.originOf(target) ?? second.originOf(target),
    size: first.size + second.size,
    hasLoopback: first.hasLoopback || second.hasLoopback,
  };
}
