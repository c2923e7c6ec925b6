// OPENSHELF_SOURCE_LIMITS (D79): how many requests each official API gets in 24 hours.

import { KNOWN_SLUGS } from '../../base/retailer.ts';
import { ADAPTERS } from '../../read/retailers/adapters.ts';
import type { SettingKind } from './setting-kinds.ts';

/**
 * What the documentation and clients of the APIs say. None names an hour at which the count restarts, so the 24 hours
 * slide.
 */
const DAILY_CALLS: Readonly<Record<string, number>> = {
  'retailer_b.products': 50_000,
  'retailer_e.browse': 5_000,
  'retailer_w.affiliate': 5_000,
};

/** The official sources that have a key of their own, as `<slug>.<name>`. */
export const LIMITED_SOURCES: readonly string[] = KNOWN_SLUGS.flatMap((slug) =>
  ADAPTERS[slug].sources
    .filter(({ isOfficial, account }) => isOfficial === true && account === undefined)
    .map(({ name }) => `${slug}.${name}`),
);

/** The operator's limits by source; null for none. */
type SourceLimits = ReadonlyMap<string, number | null>;

/** Returns the limit in force: the operator's, or else the documented one; null if there is none. */
export function limitIn(limits: SourceLimits, source: string): number | null {
  const own = limits.get(source);
  return own === undefined ? (DAILY_CALLS[source] ?? null) : own;
}

/** `retailer_a.creators=8640,retailer_e.browse=none`; unknown names are refused. */
export const sourceLimits: SettingKind<SourceLimits> = {
  parse: (text, name) => {
    const problems: string[] = [];
    const limits = new Map<string, number | null>();
    for (const part of text.split(',').map((each) => each.trim())) {
      if (part === '') continue;
      const [, source = part, word = ''] = /^([^=]*?)\s*=\s*(.*)$/.exec(part) ?? [];
      if (!LIMITED_SOURCES.includes(source)) {
        problems.push(
          `${name}: "${source}" is not an official API with a limit. Those are ${LIMITED_SOURCES.join(', ')}.`,
        );
      } else if (limits.has(source)) {
        problems.push(`${name}: ${source} is named twice.`);
      } else if (word !== 'none' && !/^[1-9]\d{0,8}$/.test(word)) {
        problems.push(`${name}: ${source} must be a whole number from 1, or none, not "${word}".`);
      }
      limits.set(source, word === 'none' ? null : Number(word));
    }
    return problems.length === 0 ? { value: limits } : { problems };
  },
};
