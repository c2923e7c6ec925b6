// The path parameter that every route of a product takes.

import { z } from '@hono/zod-openapi';

export const productId = z.string().openapi({
  param: { name: 'id', in: 'path' },
  description:
    'A product-page address (percent-encoded once), a barcode (UPC-12, EAN-13, EAN-8, ISBN, GTIN-14), ' +
    'an ASIN, an item id of retailer_w, or a SKU or product id of retailer_b.',
  example: 'https%3A%2F%2Fshop.example.com%2Fproducts%2Flamp',
});
