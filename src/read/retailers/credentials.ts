// The settings `OPENSHELF_<SLUG>_<NAME>` required by official APIs. The sources declare which ones they need. The values are
// read here and never displayed.

import { KNOWN_SLUGS, type KnownSlug } from '../../base/retailer.ts';
import type { Source } from './adapter.ts';
import { ADAPTERS } from './adapters.ts';

/** Slug -> name without prefix -> value, as set by the operator. */
export type Credentials = Readonly<Partial<Record<KnownSlug, Readonly<Record<string, string>>>>>;

/** Returns the name of the environment variable. */
export function settingOf(slug: KnownSlug, name: string): string {
  return `OPENSHELF_${slug.toUpperCase()}_${name}`;
}

const SOURCES: readonly (readonly [KnownSlug, Source])[] = KNOWN_SLUGS.flatMap((slug) =>
  ADAPTERS[slug].sources.map((source) => [slug, source] as const),
);

/** `off`: only official APIs of the retailer are asked, never its pages (D81). */
export const PAGES_SETTING = 'PAGES';

/** All such settings, in the order of retailers and sources, without duplicates. */
export const CREDENTIAL_NAMES: readonly string[] = [
  ...new Set(
    SOURCES.flatMap(([slug, source]) => source.needs.map((name) => settingOf(slug, name))),
  ),
  ...KNOWN_SLUGS.map((slug) => settingOf(slug, PAGES_SETTING)),
];

/**
 * A description of each setting, worded as in docs/run/settings.md. A test compares the names with those that the sources
 * need.
 */
export const CREDENTIAL_LINES: Readonly<Record<string, string>> = {
  OPENSHELF_RETAILER_W_CONSUMER_ID: 'Affiliate API: consumer id.',
  OPENSHELF_RETAILER_W_KEY_VERSION: 'Affiliate API: version of the uploaded public key.',
  OPENSHELF_RETAILER_W_PRIVATE_KEY:
    'Affiliate API: the RSA private key (PEM; `\\n` may replace line ends). A secret.',
  OPENSHELF_RETAILER_W_CLIENT_ID: 'Marketplace API: client id.',
  OPENSHELF_RETAILER_W_CLIENT_SECRET: 'Marketplace API: client secret. A secret.',
  OPENSHELF_RETAILER_W_OFFERS_HASH:
    "Hash of the site's own query for all sellers; it changes with the site's releases. Without it offers are those of the product page.",
  OPENSHELF_RETAILER_A_SP_CLIENT_ID: 'Selling Partner API: client id of the application.',
  OPENSHELF_RETAILER_A_SP_CLIENT_SECRET:
    'Selling Partner API: client secret of the application. A secret.',
  OPENSHELF_RETAILER_A_SP_REFRESH_TOKEN:
    'Selling Partner API: refresh token of the seller account. A secret.',
  OPENSHELF_RETAILER_A_SP_SELLER_ID:
    'Selling Partner API: id of the seller account; `include_seller_context` says what this account may sell.',
  OPENSHELF_RETAILER_A_CREATORS_ID: 'Creators API: credential id.',
  OPENSHELF_RETAILER_A_CREATORS_SECRET: 'Creators API: credential secret. A secret.',
  OPENSHELF_RETAILER_A_CREATORS_VERSION: 'Creators API: version of the credential.',
  OPENSHELF_RETAILER_A_PARTNER_TAG: 'Creators API: partner tag.',
  OPENSHELF_RETAILER_E_CLIENT_ID: 'Browse API: application id.',
  OPENSHELF_RETAILER_E_CLIENT_SECRET: 'Browse API: application secret. A secret.',
  OPENSHELF_RETAILER_L_STORE_NUMBER: 'Number of the store whose prices and stock are read. Public.',
  OPENSHELF_RETAILER_T_API_KEY: 'Visitor key of the public product JSON.',
  OPENSHELF_RETAILER_B_API_KEY: 'Products API: key. A secret.',
  OPENSHELF_RETAILER_H_STORE_ID: 'Id of the store whose prices are read. Public.',
  OPENSHELF_RETAILER_H_ZIP_CODE: 'Zip code for which deliveries are quoted.',
  ...Object.fromEntries(
    KNOWN_SLUGS.map((slug) => [
      settingOf(slug, PAGES_SETTING),
      '`off`: its pages are not asked, only its official APIs. `on` otherwise.',
    ]),
  ),
};

/** Reads the configured values. Every source with some but not all of its settings adds a sentence to `problems`. */
export function readCredentials(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Credentials {
  const read: Partial<Record<KnownSlug, Record<string, string>>> = {};
  for (const [slug, { name: source, needs, credentialProblem }] of SOURCES) {
    const given = needs.filter((name) => (env[settingOf(slug, name)] ?? '').trim() !== '');
    const missing = needs.filter((name) => !given.includes(name));
    // A setting that two sources share does not prove that the operator wants both of them.
    const own = given.filter((name) => isOnlyOf(slug, source, name));
    if (own.length > 0 && missing.length > 0) {
      problems.push(
        `${settingOf(slug, own[0] ?? '')} is set, but source "${source}" of ${slug} also needs ` +
          `${missing.map((name) => settingOf(slug, name)).join(', ')}.`,
      );
    }
    for (const name of given) {
      (read[slug] ??= {})[name] = (env[settingOf(slug, name)] ?? '').trim();
    }
    const problem = missing.length === 0 ? credentialProblem?.(read[slug] ?? {}) : null;
    if (problem) problems.push(`Source "${source}" of ${slug}: ${problem}`);
  }
  for (const slug of KNOWN_SLUGS) {
    const name = settingOf(slug, PAGES_SETTING);
    const word = (env[name] ?? '').trim();
    // What is in quotation marks is refused as such.
    if (!/^(?:on|off|["'].*)?$/s.test(word)) problems.push(`${name} must be on or off.`);
    if (word === 'off') (read[slug] ??= {})[PAGES_SETTING] = word;
  }
  return read;
}

function isOnlyOf(slug: KnownSlug, source: string, name: string): boolean {
  return SOURCES.every(
    ([other, each]) => other !== slug || each.name === source || !each.needs.includes(name),
  );
}
