// How old an answer may be (D38). Price and stock are fresh for a day. Older data is served and refreshed in the background;
// after 14 days it is fetched first.

import { DAY_MS, HOUR_MS } from '../../base/clock.ts';

export const FRESH_MS = DAY_MS;
export const STALE_MS = 14 * DAY_MS;

/** A retailer that did not answer is not asked again for this long, if something else answers. */
export const AFTER_FAILURE_MS = HOUR_MS;
