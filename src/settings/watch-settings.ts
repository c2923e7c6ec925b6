// The settings of watches: how many an organization may have, and how long what they told is kept.

import { wholeNumber } from './setting-kinds.ts';

export const WATCH_SETTINGS = {
  maxWatches: {
    name: 'OPENSHELF_MAX_WATCHES',
    kind: wholeNumber(0, 1_000_000),
    default: '10000',
    line: 'Most watches of one organization; 0: nobody makes any.',
  },
  maxWatchedAddresses: {
    name: 'OPENSHELF_MAX_WATCHED_ADDRESSES',
    kind: wholeNumber(0, 1_000_000),
    default: '20000',
    line: 'Most identifiers and addresses in the watches of one organization.',
  },
  keepChangesDays: {
    name: 'OPENSHELF_KEEP_CHANGES_DAYS',
    kind: wholeNumber(1, 3_650),
    default: '90',
    line: 'Days for which changes, notices and deliveries are kept; an older cursor is 410 cursor_expired.',
  },
} as const;
