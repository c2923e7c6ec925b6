// Today's counts of how pages were read, as gauges. All other shops share one label, because their number is unbounded.

import type { FillTotals } from '../../base/listing/fill-rate.ts';
import { isKnownSlug } from '../../base/retailer.ts';
import type { UnknownWordTotal } from '../../base/listing/vocabularies/unknown-words.ts';
import type { Family, Labels, Sample } from './prometheus-text.ts';

/** The label of every shop that is not a known retailer. */
export const OTHER = 'other';

/** Returns today's gauges (UTC); they restart at 0 at midnight. */
export function fillFamilies({ outcomes, fields }: FillTotals): readonly Family[] {
  const ofOutcomes = outcomes.map(({ retailer, pageKind, outcome, answers }) => ({
    labels: { ...retailerAndKind(retailer, pageKind), outcome },
    value: answers,
  }));
  const labelsOf = (each: FillTotals['fields'][number]): Labels => ({
    ...retailerAndKind(each.retailer, each.pageKind),
    field: each.field,
  });
  const expected = summed(fields.map((each) => ({ labels: labelsOf(each), value: each.expected })));
  const missing = summed(fields.map((each) => ({ labels: labelsOf(each), value: each.missing })));
  const ratio = expected.map(({ labels, value }, index) => ({
    labels,
    value: 1 - (missing[index]?.value ?? 0) / value,
  }));
  return [
    gauge(
      'openshelf_readings_today',
      'Responses of shops that were read today (UTC), by outcome.',
      summed(ofOutcomes),
    ),
    gauge(
      'openshelf_field_expected_today',
      'Responses read today (UTC) that are expected to state the field.',
      expected,
    ),
    gauge(
      'openshelf_field_missing_today',
      'Responses read today (UTC) that are expected to state the field and do not.',
      missing,
    ),
    gauge(
      'openshelf_field_fill_ratio',
      'Share of the expected responses that state the field, from 0 to 1.',
      ratio,
    ),
  ];
}

/**
 * Returns today's answers (UTC) with words that are in no vocabulary. The words are not labels, because shops choose them.
 */
export function unknownWordFamily(totals: readonly UnknownWordTotal[]): Family {
  const samples = totals.map(({ retailer, pageKind, vocabulary, answers }) => ({
    labels: { ...retailerAndKind(retailer, pageKind), vocabulary },
    value: answers,
  }));
  const help = 'Responses read today (UTC) with a word that its vocabulary does not contain.';
  return gauge('openshelf_unknown_words_today', help, summed(samples));
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: 'gauge', samples };
}

function retailerAndKind(retailer: string, pageKind: string): Labels {
  return { retailer: isKnownSlug(retailer) ? retailer : OTHER, page_kind: pageKind };
}

/** Sums samples with the same labels. */
function summed(samples: readonly Sample[]): readonly Sample[] {
  const sums = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const key = Object.values(labels).join('\n');
    sums.set(key, { labels, value: value + (sums.get(key)?.value ?? 0) });
  }
  return [...sums.values()];
}
