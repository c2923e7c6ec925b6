// Serves pictures of stored products through this service. The shop therefore learns nothing about the browser that shows one,
// and the shop's response is shown only if its bytes are a picture.

import { createSharedWork } from '../collect/coordination/single-flight.ts';
import { MINUTE_MS, type Clock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import type { Fetcher } from '../../base/listing/page.ts';
import { publicUrl } from '../../base/listing/public-url.ts';
import { rasterTypeOf, type RasterType } from '../../base/listing/raster-type.ts';
import type { LookupProduct } from './lookup-product.ts';

type Picture = { readonly type: RasterType; readonly bytes: Uint8Array };

export type ProductPictures = {
  /** Returns the picture address stored for an identifier; null if nothing is stored, or the product has no picture. */
  find(id: string, organizationId: string): Promise<string | null>;
  /** Reads a picture. FaultError not_found, source_unusable, upstream_unavailable. */
  read(url: string, context: FetchContext): Promise<Picture>;
};

type PictureParts = {
  readonly lookupProduct: Pick<LookupProduct, 'parse' | 'fromStore'>;
  readonly fetcher: Fetcher;
  readonly clock: Clock;
  /** Whether pictures of this host are neither fetched nor cached. */
  readonly isDeniedHost: (host: string) => boolean;
};

const CACHED_MS = 10 * MINUTE_MS;
/** The largest picture is 2 MiB. */
const MOST_CACHED_BYTES = 16 * 1_048_576;

type CachedPicture = Picture & { readonly untilMs: number };

export function createProductPictures(parts: PictureParts): ProductPictures {
  const { lookupProduct, clock } = parts;
  /** Cached pictures, the oldest first. */
  const cached = new Map<string, CachedPicture>();
  /**
   * Anyone who has a path may load the picture any number of times. Before pictures were cached and shared, each load was a
   * request to the shop.
   */
  const share = createSharedWork<Picture | null>(null);

  function keep(url: string, picture: Picture): void {
    cached.delete(url);
    cached.set(url, { ...picture, untilMs: clock.now() + CACHED_MS });
    let bytes = 0;
    for (const each of cached.values()) bytes += each.bytes.byteLength;
    for (const [oldest, each] of cached) {
      if (bytes <= MOST_CACHED_BYTES && each.untilMs > clock.now()) break;
      bytes -= each.bytes.byteLength;
      cached.delete(oldest);
    }
  }

  return {
    async find(text, organizationId) {
      const request = { text, forceRefresh: false, anchorOnly: true, organizationId };
      const product = await lookupProduct.fromStore(lookupProduct.parse(request));
      return product === null ? null : publicUrl(product.imageUrl);
    },
    async read(url, context) {
      if (parts.isDeniedHost(new URL(url).hostname)) {
        cached.delete(url);
        throw unavailable('Fetching it is not allowed.');
      }
      const stored = cached.get(url);
      if (stored !== undefined && stored.untilMs > clock.now()) return stored;
      const picture = await share(url, context, async (shared) => {
        const read = await fetchPicture(parts.fetcher, url, shared);
        keep(url, read);
        return read;
      });
      if (picture === null) throw unavailable('The shop did not answer in time.');
      return picture;
    },
  };
}

async function fetchPicture(
  fetcher: Fetcher,
  url: string,
  context: FetchContext,
): Promise<Picture> {
  const outcome = await fetcher({ url, accept: 'picture' }, context);
  if (!outcome.ok) throw unavailable('The shop did not respond, or sent more than 2 MiB.');
  const { status, body: bytes } = outcome.page;
  if (status === 404 || status === 410) {
    throw new FaultError({ code: 'not_found', detail: 'The shop no longer has this image.' });
  }
  if (status !== 200) throw unavailable('The shop refused the request.');
  const type = rasterTypeOf(bytes);
  if (type !== null) return { type, bytes };
  throw new FaultError({
    code: 'source_unusable',
    detail: "The shop's response is not a JPEG, PNG, GIF, WebP or AVIF image.",
    upstream: 'upstream_bad_response',
  });
}

function unavailable(why: string): FaultError {
  return new FaultError({
    code: 'upstream_unavailable',
    detail: `The image cannot be fetched now. ${why}`,
    retryAfterSeconds: 60,
  });
}
