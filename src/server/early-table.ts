// The one route that is available before all others: the lookup of a product without parameters. It needs no schema, so that a
// process that has just started answers it while the rest is loaded. After that the whole table answers.

import { presentPlain as present } from '../answer/wire/record/present-record.ts';
import { identifierIn, PRODUCTS } from './path-text.ts';
import { productCall, type ProductCallParts } from './product-call.ts';
import { billed, type RouteRow } from './route.ts';
import { createTable, type Table } from './table.ts';

export function earlyTable(parts: ProductCallParts): Table {
  const lookup: RouteRow<ProductCallParts> = {
    method: 'get',
    path: `${PRODUCTS}{id}`,
    scope: 'products:read',
    request: null,
    call:
      (given) =>
      ({ call: { asked }, caller }) =>
        billed(productCall(given, { caller, text: identifierIn(asked.path), query: {}, present })),
  };
  return createTable([lookup], parts);
}
