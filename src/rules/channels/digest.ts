// Several notices as one message, for channels that get them once a day. Pure.

import type { Notice } from '../watches/stored-watch.ts';

/** Lines of a digest; what exceeds them is counted. */
const MOST_LINES = 20;

/** `notices` are at least two, oldest first; `id` is the same for the same notices. */
export function asDigest(id: string, notices: readonly [Notice, ...Notice[]]): Notice {
  const [first] = notices;
  const more = notices.length - MOST_LINES;
  return {
    ...first,
    id,
    watchId: '',
    listingId: null,
    kind: 'fired',
    atMs: Math.max(...notices.map(({ atMs }) => atMs)),
    body: {
      title: `${notices.length} notifications`,
      text:
        more > 0
          ? `The first ${MOST_LINES}; ${more} more are listed with their watches.`
          : 'Since the last digest.',
      lines: notices.slice(0, MOST_LINES).map(({ body }) => body.title),
      reasons: [],
      retailer: null,
      url: null,
      imageUrl: notices.find(({ body }) => body.imageUrl !== null)?.body.imageUrl ?? null,
      product: null,
      oldCents: null,
      newCents: null,
      targetCents: null,
    },
  };
}
