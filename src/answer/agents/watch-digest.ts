// The digest of watches for an agent: which watch, its conditions, and its state.

import type { WatchList, WatchOnWire } from '../wire/watches/watches.ts';
import { pageText, type DigestRoom } from './answer.ts';

type Facts<Body> = Omit<Body, 'tokens_consumed' | 'tokens_remaining'>;
type Digest = Record<string, unknown>;

/** Watches of one answer: as many as fit into it, whatever they are of. */
export const WATCHES_SHOWN = 4;
const LONGEST_IDENTIFIER = 60;

export function watchDigest({ watch }: { readonly watch: WatchOnWire }, room: DigestRoom): Digest {
  return {
    ...inShort(watch, 200, room),
    interval: watch.interval,
    ...(watch.currency === undefined ? {} : { currency: watch.currency }),
    next_check_at: watch.next_check_at,
    told_through:
      watch.channels.length === 0
        ? 'no channel is set, so nothing is sent: changes are listed in the feed of changes'
        : watch.channels,
  };
}

export function watchesDigest({ watches, next }: Facts<WatchList>, room: DigestRoom): Digest {
  return {
    watches: watches.map((watch) => ({
      ...inShort(watch, LONGEST_IDENTIFIER, room),
      price: watch.listings[0]?.price,
      page_text: { title: pageText(titleOf(watch), { ...room, text: 30 }) },
    })),
    ...(watches.length === 0 ? { note: 'There are no more watches.' } : {}),
    cursor: next,
  };
}

/** The title of the first listing; none if its shop does not want text to be given to language models (D83). */
function titleOf({ listings: [first] }: WatchOnWire): string | null {
  return first === undefined || first.ai_input === false ? null : first.title;
}

export function removalDigest({ id }: { readonly id: string }): Digest {
  return { removed: id };
}

const FLAGS = ['back_in_stock', 'out_of_stock', 'buy_box', 'any_change'] as const;

function inShort(watch: WatchOnWire, longest: number, room: DigestRoom): Digest {
  const { id, identifier, addresses, retailer, below, state, reason } = watch;
  return {
    watch: id,
    identifier: identifier?.slice(0, longest),
    pages: addresses.length || null,
    retailer,
    below,
    down_percent: watch.down_percent,
    up_percent: watch.up_percent,
    new_low: watch.new_low,
    also: FLAGS.filter((flag) => watch[flag]),
    state,
    reason: state === 'failing' ? pageText(reason, room) : null,
  };
}
