// The identifier in a path: the parameter as the OpenAPI document shows it, and its text, decoded exactly once.

import { z } from '@hono/zod-openapi';

import { FaultError } from '../../core/fault.ts';

export const productId = z.string().openapi({
  param: { name: 'id', in: 'path' },
  description:
    'The address of a product page (percent-encoded once), a barcode (UPC-12, EAN-13, EAN-8, ISBN, GTIN-14), an ' +
    'ASIN, an item id of retailer_w, or a SKU or product id of retailer_b. GS1 element strings and Digital Link ' +
    'addresses stand for the GTIN that they name.',
  example: 'https%3A%2F%2Fshop.example.com%2Fproducts%2Flamp',
});

/**
 * The text between `prefix` and `suffix` of the path. FaultError invalid_identifier. The framework's own decoding would
 * pass on what it cannot decode.
 */
export function textOfPath(requestUrl: string, prefix: string, suffix = ''): string {
  const path = new URL(requestUrl).pathname;
  const end = suffix !== '' && path.endsWith(suffix) ? path.length - suffix.length : path.length;
  try {
    return decodeURIComponent(path.slice(prefix.length, end));
  } catch {
    throw new FaultError({
      code: 'invalid_identifier',
      detail:
        'The identifier in the path is not valid percent-encoded UTF-8. Percent-encode it once.',
    });
  }
}
