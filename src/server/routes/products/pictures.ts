// GET /v1/products/{id}/picture and /console/pictures/{token}: a stored product's picture, sent by this service. The first
// needs a key, and returns a signed path that expires after minutes. A browser loads the second as an image, which sends no
// key.

import { z } from 'zod';

import { SECOND_MS, type Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import type { ProductPictures } from '../../../answer/lookup/product-pictures.ts';
import type { SignedAddresses } from '../../../data/metering/signed-address.ts';
import { PictureAddress, presentPicture } from '../../../answer/wire/picture.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import { enter, type LookupContext } from '../../call.ts';
import { free, route, type Route, type RouteRow } from '../../route.ts';
import { identifierIn, PRODUCTS } from '../../path-text.ts';
import { productId } from './path-identifier.ts';
import { FREE_FAULTS } from '../route-faults.ts';

const LOADED = '/console/pictures/';
/** Browsers may cache a picture no longer than its address is valid. */
const CACHED_SECONDS = 600;

const ADDRESS_FAULTS = [
  ...FREE_FAULTS,
  'invalid_identifier',
  'insufficient_scope',
  'url_not_allowed',
] as const;

export type PictureRouteParts = {
  /** Null if this installation serves no pictures. */
  readonly outside: () => Promise<{ readonly pictures: ProductPictures | null }>;
  readonly pictureAddresses: SignedAddresses;
  readonly clock: Pick<Clock, 'now'>;
  readonly lookupContext: LookupContext;
};

const picture = route({
  method: 'get',
  path: `${PRODUCTS}{id}/picture`,
  operationId: 'getProductPicture',
  summary: "Get a path that serves a product's image without a key",
  description:
    'For pages that show a product: the path serves the image through this service, for ten minutes ' +
    'or until the key expires, so that the shop does not learn who views it. Reads stored data and ' +
    'fetches nothing.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { params: z.object({ id: productId }), query: NoQuery },
  answer: { description: 'The path.', schema: PictureAddress },
  faults: ADDRESS_FAULTS,
  call:
    ({ outside, pictureAddresses, clock }: PictureRouteParts) =>
    ({ call: { asked }, caller }) => {
      const text = identifierIn(asked.path);
      return free(async () => {
        const { pictures } = await outside();
        const url = (await pictures?.find(text, caller.organizationId)) ?? null;
        const untilMs = clock.now() + CACHED_SECONDS * SECOND_MS;
        const shown = url === null ? [] : [url];
        const [signed] = await pictureAddresses.sign(caller, shown, untilMs);
        return presentPicture(signed ?? null);
      });
    },
});

export const PICTURE_ROUTES: readonly Route<PictureRouteParts>[] = [picture];

/** The picture itself, for browsers. */
export const PICTURE_ROWS: readonly RouteRow<PictureRouteParts>[] = [
  {
    method: 'get',
    path: `${LOADED}{token}`,
    scope: 'no key',
    request: null,
    call:
      ({ outside, pictureAddresses, lookupContext }) =>
      async ({ call }) => {
        const { pictures } = await outside();
        const token = call.asked.path.slice(LOADED.length);
        const opened = pictures === null ? null : await pictureAddresses.open(token);
        if (pictures === null || opened === null) throw ENDED;
        enter(call, 'fetching', opened.organizationId);
        const { type, bytes } = await pictures.read(opened.what, lookupContext(opened));
        const headers = {
          'content-type': type,
          'cache-control': `private, max-age=${CACHED_SECONDS}`,
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
        };
        return { status: 200, headers, body: new Uint8Array(bytes) };
      },
  },
];

const ENDED = new FaultError({
  code: 'not_found',
  detail:
    'This link has expired, or was not issued by this service. Call GET /v1/products/{id}/picture for a new one.',
});
