// Converts search hits of retailer_e's Browse API to listings with few facts. New goods come first, otherwise in answer
// order, because only the first hits for a barcode are checked.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, listAt, textAt } from '../../page-data/json/json-path.ts';
import { countAt, lineAt } from '../../page-data/json/json-values.ts';
import { browseAnswer } from './browse-answer.ts';
import { sharedFacts } from './browse-values.ts';

const HIT_LIMIT = 1000;

function hitOf(summary: unknown, words: UnknownWords): Listing | null {
  const facts = sharedFacts(summary, words);
  if (facts.title === null || facts.itemId === null) return null;
  // The leaf category is first; the order of the others is not useful.
  const leaf = lineAt(summary, 'categories.0.categoryName', 200);
  return { ...EMPTY_LISTING, ...facts, categories: leaf === null ? [] : [leaf] };
}

/** Returns each item once: the pages of one search overlap. */
function hitsOf(summaries: readonly unknown[], words: UnknownWords): readonly Listing[] {
  const seen = new Set<string>();
  const hits: Listing[] = [];
  for (const summary of summaries) {
    const hit = hitOf(summary, words);
    const id = textAt(summary, 'itemId') ?? hit?.itemId ?? '';
    if (hit === null || seen.has(id)) continue;
    seen.add(id);
    hits.push(hit);
  }
  return hits.toSorted((a, b) => Number(b.condition === 'new') - Number(a.condition === 'new'));
}

/** Reads the answer to a search; without results the list is empty. */
export function readBrowseSearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const answer = browseAnswer(page);
  if (!answer.ok) return answer.verdict;
  const { body } = answer;
  const total = countAt(body, 'total');
  // Recorded answers may be plain lists.
  const summaries = at(body, '0.title') === undefined ? at(body, 'itemSummaries') : body;
  if (!Array.isArray(summaries) && total === null) {
    return { kind: 'unreadable', why: 'no list of items' };
  }
  const hits = hitsOf(listAt(summaries, '', HIT_LIMIT), words);
  return {
    kind: 'read',
    value: { kind: 'search', hits, total },
    notes: { missing: [], remarks: [] },
  };
}
