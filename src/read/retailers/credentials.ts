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

/** Names of all settings of a source, those that it requires first. */
function settingsOf({ needs, options = [] }: Source): readonly string[] {
  return [...needs, ...options];
}

/** `off`: only official APIs of the retailer are asked, never its pages (D81). */
export const PAGES_SETTING = 'PAGES';

/** All such settings, in the order of retailers and sources, without duplicates. */
export const CREDENTIAL_NAMES: readonly string[] = [
  ...new Set(
    SOURCES.flatMap(([slug, source]) => settingsOf(source).map((name) => settingOf(slug, name))),
  ),
  ...KNOWN_SLUGS.map((slug) => settingOf(slug, PAGES_SETTING)),
];

/**
 * A description of each setting, worded as in docs/run/settings.md. A test compares the names with those that the sources
 * need.
 */
export const CREDENTIAL_LINES: Readonly<Record<string, string>> = {
  OPENSHELF_RETAILER_W_CONSUMER_ID: 'Consumer identifier for the Affiliate API.',
  OPENSHELF_RETAILER_W_KEY_VERSION: 'Version of the public key uploaded for the Affiliate API.',
  OPENSHELF_RETAILER_W_PRIVATE_KEY:
    'RSA private key for the Affiliate API (PEM; `\\n` may replace line ends). Keep it secret.',
  OPENSHELF_RETAILER_W_CLIENT_ID: 'Client identifier for the Marketplace API.',
  OPENSHELF_RETAILER_W_CLIENT_SECRET: 'Client secret for the Marketplace API. Keep it secret.',
  OPENSHELF_RETAILER_W_OFFERS_HASH:
    "Hash of the site's own query for all sellers; it changes with the site's releases. Without it, offers " +
    'are those of the product page.',
  OPENSHELF_RETAILER_A_SP_CLIENT_ID:
    'Client identifier of the application for the Selling Partner API.',
  OPENSHELF_RETAILER_A_SP_CLIENT_SECRET:
    'Client secret of the application for the Selling Partner API. Keep it secret.',
  OPENSHELF_RETAILER_A_SP_REFRESH_TOKEN:
    'Refresh token of the seller account for the Selling Partner API. Keep it secret.',
  OPENSHELF_RETAILER_A_SP_SELLER_ID:
    'Identifier of the seller account for the Selling Partner API; `include_seller_context` states what this ' +
    'account may sell.',
  OPENSHELF_RETAILER_A_CREATORS_ID: 'Credential identifier for the Creators API.',
  OPENSHELF_RETAILER_A_CREATORS_SECRET: 'Credential secret for the Creators API. Keep it secret.',
  OPENSHELF_RETAILER_A_CREATORS_VERSION: 'Version of the credential for the Creators API.',
  OPENSHELF_RETAILER_A_PARTNER_TAG: 'Partner tag for the Creators API.',
  OPENSHELF_RETAILER_E_CLIENT_ID: 'Application identifier for the Browse API.',
  OPENSHELF_RETAILER_E_CLIENT_SECRET: 'Application secret for the Browse API. Keep it secret.',
  OPENSHELF_RETAILER_E_ZIP_CODE:
    'Zip code (five digits) for which the Browse API quotes shipping and delivery.',
  OPENSHELF_RETAILER_L_STORE_NUMBER:
    'Number of the store whose prices and stock are read. It is public.',
  OPENSHELF_RETAILER_B_API_KEY: 'Key for the Products API. Keep it secret.',
  OPENSHELF_RETAILER_H_STORE_ID: 'Identifier of the store whose prices are read. It is public.',
  OPENSHELF_RETAILER_H_ZIP_CODE: 'Zip code for which deliveries are quoted.',
  ...Object.fromEntries(
    KNOWN_SLUGS.map((slug) => [
      settingOf(slug, PAGES_SETTING),
      '`off`: its pages are never queried. Default: `on`.',
    ]),
  ),
};

/** Reads the configured values. Every source with some but not all of its settings adds a sentence to `problems`. */
export function readCredentials(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Credentials {
  const read: Partial<Record<KnownSlug, Record<string, string>>> = {};
  for (const [slug, each] of SOURCES) {
    const { name: source, needs, credentialProblem } = each;
    const given = settingsOf(each).filter(
      (name) => (env[settingOf(slug, name)] ?? '').trim() !== '',
    );
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
    // A value in quotation marks is refused as such.
    if (!/^(?:on|off|["'].*)?$/s.test(word)) problems.push(`${name} must be on or off.`);
    if (word === 'off') (read[slug] ??= {})[PAGES_SETTING] = word;
  }
  return read;
}

function isOnlyOf(slug: KnownSlug, source: string, name: string): boolean {
  return SOURCES.every(
    ([other, each]) => other !== slug || each.name === source || !settingsOf(each).includes(name),
  );
}

/** An official API whose terms speak against also reading the same retailer's pages. */
type Clause = {
  readonly slug: KnownSlug;
  readonly source: string;
  readonly where: string;
  readonly words: string;
  readonly readOn: string;
};

const AGAINST_PAGES: readonly Clause[] = [
  {
    slug: 'retailer_a',
    source: 'selling_partner',
    where: "the API's Acceptable Use Policy",
    words: 'not to use external data services, "including data retrieved from" its public websites',
    readOn: '2026-11-29',
  },
];

/** Returns a line for each such API that is used here while the retailer's pages are too. */
export function mixedSources(credentials: Credentials): readonly string[] {
  return AGAINST_PAGES.filter(({ slug, source }) => {
    const given = credentials[slug] ?? {};
    const needs = ADAPTERS[slug].sources.find(({ name }) => name === source)?.needs;
    return given[PAGES_SETTING] !== 'off' && needs?.every((name) => (given[name] ?? '') !== '');
  }).map(
    ({ slug, source, where, words, readOn }) =>
      `${slug}'s pages are read in addition to its API ${source}, which may put the seller account at risk: ${where}, ` +
      `as read on ${readOn}, says ${words}. ${settingOf(slug, PAGES_SETTING)}=off leaves only official APIs.`,
  );
}
