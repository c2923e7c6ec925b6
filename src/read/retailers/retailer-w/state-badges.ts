// Reads the badges in retailer_w's state: the sales tag and the best-seller flag. They are flags, tags and labels, or
// groups whose members have their words split into pieces.

import { readSoldTag } from '../../../base/listing/vocabularies/sold-tag.ts';
import { at, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { lineAt } from '../../page-data/json/json-values.ts';

type Badge = { readonly key: string; readonly text: string };

const LIMIT = 100;

function badgeOf(node: unknown): Badge {
  const pieces = ['content', 'badgeContent'].flatMap((path) => listAt(node, path, 20));
  const words = pieces.flatMap((piece) => lineAt(piece, 'value', 200) ?? []);
  return {
    key: textAt(node, 'key') ?? textAt(node, 'memId') ?? '',
    text: lineAt(node, 'text', 300) ?? words.join(' ').slice(0, 300),
  };
}

/** Returns the badges of a product; null without a badge node. */
function badgesOf(product: unknown): readonly Badge[] | null {
  const badges = at(product, 'badges');
  if (!hasObjectAt(badges)) return null;
  const single = ['flags', 'tags', 'labels'].flatMap((path) => listAt(badges, path, LIMIT));
  const grouped = ['groups', 'groupsV2']
    .flatMap((path) => listAt(badges, path, LIMIT))
    .flatMap((group) => listAt(group, 'members', 20));
  return [...single, ...grouped].slice(0, LIMIT).map(badgeOf);
}

type BadgeFacts = {
  readonly soldTag: string | null;
  readonly isBestSeller: boolean | null;
};

/**
 * Returns the facts in the badges: null without a badge node; with one, a product without the flag is not a best seller.
 */
export function badgeFacts(product: unknown): BadgeFacts {
  const badges = badgesOf(product);
  if (badges === null) return { soldTag: null, isBestSeller: null };
  const tags = badges.flatMap(({ key, text }) => {
    const tag = readSoldTag(text);
    return tag === null ? [] : [{ tag, isSocial: key === 'SOCIAL_PROOF_PURCHASES_FLAG' }];
  });
  return {
    soldTag: (tags.find(({ isSocial }) => isSocial) ?? tags[0])?.tag ?? null,
    isBestSeller: badges.some(
      ({ key, text }) => /^BEST_?SELLER/i.test(key) || /^best[ -]?seller$/i.test(text),
    ),
  };
}
