// Official APIs whose terms speak against reading the same retailer's pages next to them (D81).

import type { KnownSlug } from '../base/retailer.ts';
import { ADAPTERS } from '../read/retailers/adapters.ts';
import { PAGES_SETTING, settingOf, type Credentials } from '../read/retailers/credentials.ts';

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
      `${slug}'s pages are read next to its API ${source}, which may put the seller account at risk: ${where}, ` +
      `as read on ${readOn}, says ${words}. ${settingOf(slug, PAGES_SETTING)}=off leaves only official APIs.`,
  );
}
