// GET /v1/products/{id}/picture and /console/pictures/{token}: the picture of a held product, sent by this service. The
// first needs a key, and answers a signed path that ends after minutes. A browser loads the second as an image, which
// sends no key.

import { z } from 'zod';

import { SECOND_MS, type Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import type { ProductPictures } from '../../../answer/lookup/product-pictures.ts';
import type { SignedAddresses } from '../../../data/metering/signed-address.ts';
import { PictureAddress, presentPicture } from '../../../answer/wire/picture.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import { answerFree, enter, type FreeParts } from '../answer-route.ts';
import type { Api, LookupContext } from '../../context.ts';
import { callerOf } from '../../middleware.ts';
import { route, type Route } from '../../route.ts';
import { textOfPath } from '../../path-text.ts';
import { productId } from './path-identifier.ts';
import { FREE_FAULTS } from '../route-faults.ts';

const PREFIX = '/v1/products/';
const SUFFIX = '/picture';
/** Browsers may keep a picture no longer than its address is valid. */
const KEPT_SECONDS = 600;

const ADDRESS_FAULTS = [
  ...FREE_FAULTS,
  'invalid_identifier',
  'insufficient_scope',
  'url_not_allowed',
] as const;
export type PictureRouteParts = FreeParts & {
  /** Null where this installation shows no pictures. */
  readonly pictures: ProductPictures | null;
  readonly pictureAddresses: SignedAddresses;
  readonly clock: Pick<Clock, 'now'>;
  readonly lookupContext: LookupContext;
};

const picture = route({
  method: 'get',
  path: `${PREFIX}{id}${SUFFIX}`,
  operationId: 'getProductPicture',
  summary: 'Get a path at which the picture of a product can be loaded without a key',
  description:
    'For pages that show a product: the path answers the picture through this service, for ten minutes or until the key ' +
    'ends, so that the shop learns nothing of who looks. Reads what is held and fetches nothing.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { params: z.object({ id: productId }), query: NoQuery },
  answer: { description: 'The path.', schema: PictureAddress },
  faults: ADDRESS_FAULTS,
  call: (parts: PictureRouteParts) => (c, input) => {
    const text = textOfPath(c.req.raw.url, PREFIX, SUFFIX);
    const caller = callerOf(c);
    return answerFree(c, parts, {
      route: input.route,
      body: async () => {
        const url = (await parts.pictures?.find(text, caller.organizationId)) ?? null;
        const untilMs = parts.clock.now() + KEPT_SECONDS * SECOND_MS;
        const shown = url === null ? [] : [url];
        const [signed] = await parts.pictureAddresses.sign(caller, shown, untilMs);
        return presentPicture(signed ?? null);
      },
    });
  },
});

export const PICTURE_ROUTES: readonly Route<PictureRouteParts>[] = [picture];

/** The picture itself, for browsers. */
export function addPictureRoute(api: Api, parts: PictureRouteParts): void {
  const { pictures, pictureAddresses, lookupContext } = parts;
  api.get('/console/pictures/:token', async (c) => {
    const opened = pictures === null ? null : await pictureAddresses.open(c.req.param('token'));
    if (pictures === null || opened === null) throw ENDED;
    enter(c, 'fetching', opened.organizationId);
    const { type, bytes } = await pictures.read(opened.what, lookupContext(opened));
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': type,
      'Cache-Control': `private, max-age=${KEPT_SECONDS}`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  });
}

const ENDED = new FaultError({
  code: 'not_found',
  detail:
    'This path has ended, or was not made by this service. Ask GET /v1/products/{id}/picture for a new one.',
});
