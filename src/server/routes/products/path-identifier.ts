// The identifier in a path, as the OpenAPI document describes it.

import { z } from 'zod';

export const productId = z.string().meta({
  description:
    'The address of a product page (percent-encoded once), a barcode (UPC-12, EAN-13, EAN-8, ISBN, ' +
    'GTIN-14), an ASIN, an item ID of retailer_w, or a SKU or product ID of retailer_b. GS1 element ' +
    'strings and Digital Link addresses are read as the GTIN they contain.',
  example: 'https%3A%2F%2Fshop.example.com%2Fproducts%2Flamp',
});
