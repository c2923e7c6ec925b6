// GET /v1/watches/sparklines and /console/sparklines/{token}: the small charts of watches. The first needs a key, and
// returns signed paths that expire at the end of the day. A browser loads the second as an image, which sends no key.

import { DAY_MS, HOUR_MS, SECOND_MS, type Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import type { WatchPrices } from '../../../answer/lookup/watches/watch-prices.ts';
import type { SignedAddresses } from '../../../data/metering/signed-address.ts';
import {
  presentSparklines,
  SparklineList,
  SparklineQuery,
} from '../../../answer/wire/watches/sparkline.ts';
import { sparkline } from '../../console/sparkline.ts';
import { free, route, type Route, type RouteRow } from '../../route.ts';
import { READ_FAULTS } from '../route-faults.ts';

export type SparklineRouteParts = {
  readonly watchPrices: WatchPrices;
  readonly sparklineAddresses: SignedAddresses;
  readonly clock: Pick<Clock, 'now'>;
};

/** A path that is created in the last hour of a day is valid for an hour of the next one. */
const BEYOND_DAY_MS = HOUR_MS;
/** Maximum cached charts, of some 700 bytes each. */
const MOST_DRAWN = 2_000;

const sparklines = route({
  method: 'get',
  path: '/v1/watches/sparklines',
  operationId: 'getSparklines',
  summary: 'Get paths that serve small charts of watches without a key',
  description:
    'For pages that list watches: each path serves an SVG of the last 90 days, until an hour ' +
    'after the end of the day (UTC) or until the key expires. It stays the same until the ' +
    'watch reads something new. IDs that do not belong to watches of the organization are ' +
    'omitted.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { query: SparklineQuery },
  answer: { description: 'The paths.', schema: SparklineList },
  faults: [...READ_FAULTS, 'invalid_parameter'],
  call:
    ({ watchPrices, sparklineAddresses, clock }: SparklineRouteParts) =>
    ({ caller, query: { ids } }) =>
      free(async () => {
        const endMs = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS + BEYOND_DAY_MS;
        const stands = await watchPrices.standOf(caller.organizationId, ids);
        const shown = stands.map(({ id, readAtMs }) => `${id} ${readAtMs}`);
        const signed = await sparklineAddresses.sign(caller, shown, endMs);
        return presentSparklines(
          signed.map(({ token, expiresAtMs }, at) => ({
            id: stands[at]?.id ?? '',
            token,
            expiresAtMs,
          })),
        );
      }),
});

export const SPARKLINE_ROUTES: readonly Route<SparklineRouteParts>[] = [sparklines];

const ENDED = new FaultError({
  code: 'not_found',
  detail:
    'This link has expired, or was not issued by this service. Call GET /v1/watches/sparklines for a new one.',
});

const CHART_PREFIX = '/console/sparklines/';

/** The chart itself, for browsers. */
export const CHART_ROWS: readonly RouteRow<SparklineRouteParts>[] = [
  {
    method: 'get',
    path: `${CHART_PREFIX}{token}`,
    scope: 'no key',
    request: null,
    call: ({ watchPrices, sparklineAddresses, clock }) => {
      /** Drawn charts by organization, watch, time of its last check and day; the oldest first. */
      const drawn = new Map<string, string>();
      return async ({ call }) => {
        // A token has no character that an address escapes.
        const opened = await sparklineAddresses.open(call.asked.path.slice(CHART_PREFIX.length));
        if (opened === null) throw ENDED;
        const day = Math.floor(clock.now() / DAY_MS);
        const name = `${opened.organizationId} ${opened.what} ${day}`;
        const [id = ''] = opened.what.split(' ');
        let svg = drawn.get(name);
        if (svg === undefined) {
          const found = await watchPrices.find(opened.organizationId, id);
          if (found === null) throw ENDED;
          svg = sparkline(found);
          drawn.set(name, svg);
          const [oldest = ''] = drawn.keys();
          if (drawn.size > MOST_DRAWN) drawn.delete(oldest);
        }
        const seconds = Math.ceil(((day + 1) * DAY_MS - clock.now()) / SECOND_MS);
        const headers = {
          'content-type': 'image/svg+xml',
          'cache-control': `private, max-age=${seconds}, immutable`,
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
        };
        return { status: 200, headers, body: svg };
      };
    },
  },
];
