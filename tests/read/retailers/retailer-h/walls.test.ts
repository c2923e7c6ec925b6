// retailer_h: the page with which its edge blocks visitors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { html, pageOf } from '../page-fixtures.ts';
import * as h from './fixtures.ts';

test('"Oops" under the title of an error page is a wall; a product of that name is not one', () => {
  const oops = '<h1>Oops!! Something went wrong. Please refresh page</h1>';
  const verdictOf = (title: string, body: string) =>
    readAnswer(pageOf(html('', body, title), { url: h.PRODUCT_URL }), 'product', 'retailer_h');
  assert.equal(verdictOf('Error Page', oops)?.kind, 'blocked');
  assert.notEqual(verdictOf('Tools', oops)?.kind, 'blocked');
  const product = readAnswer(h.productPage({ body: oops }), 'product', 'retailer_h');
  assert.equal(product?.kind, 'read');
});
