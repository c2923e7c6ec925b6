// The settings `OPENSHELF_<SLUG>_<NAME>` that official APIs are asked with: which there are follows from the
// sources that need them. Values are read here and shown nowhere.

import { KNOWN_SLUGS, type KnownSlug } from '../core/retailer.ts';
import type { Source } from './adapter.ts';
import { ADAPTERS } from './adapters.ts';

/** Slug -> name without prefix -> value, as the operator set them. */
export type Credentials = Readonly<Partial<Record<KnownSlug, Readonly<Record<string, string>>>>>;

/** Name of the environment variable. */
export function settingOf(slug: KnownSlug, name: string): string {
  return `OPENSHELF_${slug.toUpperCase()}_${name}`;
}

const SOURCES: readonly (readonly [KnownSlug, Source])[] = KNOWN_SLUGS.flatMap((slug) =>
  ADAPTERS[slug].sources.map((source) => [slug, source] as const),
);

/** Every such setting, in the order of retailers and sources, each once. */
export const CREDENTIAL_NAMES: readonly string[] = [
  ...new Set(
    SOURCES.flatMap(([slug, source]) => source.needs.map((name) => settingOf(slug, name))),
  ),
];

/** Reads what is set; a source with some of its settings but not all is a problem, said at start. */
export function readCredentials(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Credentials {
  const read: Partial<Record<KnownSlug, Record<string, string>>> = {};
  for (const [slug, { name: source, needs, credentialProblem }] of SOURCES) {
    const given = needs.filter((name) => (env[settingOf(slug, name)] ?? '').trim() !== '');
    const missing = needs.filter((name) => !given.includes(name));
    // What two sources share says nothing of the one that has no setting of its own.
    const own = given.filter((name) => isOnlyOf(slug, source, name));
    if (own.length > 0 && missing.length > 0) {
      problems.push(
        `${settingOf(slug, own[0] ?? '')} is set, but ${source} of ${slug} also needs ` +
          missing.map((name) => settingOf(slug, name)).join(', '),
      );
    }
    for (const name of given) {
      (read[slug] ??= {})[name] = (env[settingOf(slug, name)] ?? '').trim();
    }
    const problem = missing.length === 0 ? credentialProblem?.(read[slug] ?? {}) : null;
    if (problem) problems.push(`${source} of ${slug}: ${problem}`);
  }
  return read;
}

function isOnlyOf(slug: KnownSlug, source: string, name: string): boolean {
  return SOURCES.every(
    ([other, each]) => other !== slug || each.name === source || !each.needs.includes(name),
  );
}
