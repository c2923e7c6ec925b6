// GET /v1/watches/sparklines and /console/sparklines/{token}: the small charts of watches. The first needs a key, and
// answers signed paths that end with the day. A browser loads the second as an image, which sends no key.

import { DAY_MS, HOUR_MS, SECOND_MS, type Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import type { WatchPrices } from '../../../answer/lookup/watches/watch-prices.ts';
import type { SignedAddresses } from '../../../data/metering/signed-address.ts';
import {
  presentSparklines,
  SparklineList,
  SparklineQuery,
} from '../../../answer/wire/watches/sparkline.ts';
import { answerFree, type FreeParts } from '../answer-route.ts';
import { sparkline } from '../../console/sparkline.ts';
import type { Api } from '../../context.ts';
import { callerOf } from '../../middleware.ts';
import { route, type Route } from '../../route.ts';
import { READ_FAULTS } from '../route-faults.ts';

export type SparklineRouteParts = FreeParts & {
  readonly watchPrices: WatchPrices;
  readonly sparklineAddresses: SignedAddresses;
  readonly clock: Pick<Clock, 'now'>;
};

/** A path that is made in the last hour of a day is valid for an hour of the next one. */
const BEYOND_DAY_MS = HOUR_MS;
/** Drawn charts that are kept, of some 700 bytes each. */
const MOST_DRAWN = 2_000;

const sparklines = route({
  method: 'get',
  path: '/v1/watches/sparklines',
  operationId: 'getSparklines',
  summary: 'Get paths at which small charts of watches can be loaded without a key',
  description:
    'For pages that list watches: each path answers an SVG of 90 days, until an hour after the end of the day (UTC) ' +
    'or until the key ends. It stays the same while the watch reads nothing new. Ids of no watch of the organization are left out.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { query: SparklineQuery },
  answer: { description: 'The paths.', schema: SparklineList },
  faults: [...READ_FAULTS, 'invalid_parameter'],
  call: (parts: SparklineRouteParts) => (c, input) => {
    const { watchPrices, sparklineAddresses, clock } = parts;
    const { ids } = input.query;
    const caller = callerOf(c);
    return answerFree(c, parts, {
      route: input.route,
      body: async () => {
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
      },
    });
  },
});

export const SPARKLINE_ROUTES: readonly Route<SparklineRouteParts>[] = [sparklines];

/** The chart itself, for browsers. */
export function addChartRoute(api: Api, parts: SparklineRouteParts): void {
  const { watchPrices, sparklineAddresses, clock } = parts;
  /** Drawn charts by organization, watch, time of its last look and day; the oldest first. */
  const drawn = new Map<string, string>();
  api.get('/console/sparklines/:token', async (c) => {
    const opened = await sparklineAddresses.open(c.req.param('token'));
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
    return c.body(svg, 200, {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': `private, max-age=${seconds}, immutable`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  });
}

const ENDED = new FaultError({
  code: 'not_found',
  detail:
    'This path has ended, or was not made by this service. Ask GET /v1/watches/sparklines for a new one.',
});
