// Faults in who speaks for a barcode (D56 to D59).

import type { Fault } from './fault.ts';

const WHO = 'get-product/over-time/200-who-speaks.ts';
const TRUSTED = 'get-product/over-time/200-trusted-shops.ts';

export const FAULTS_OF_BARCODES: readonly Fault[] = [
  {
    name: 'a listing that prints the barcode speaks for a retailer that was not asked',
    file: 'product/barcode-rows.ts',
    find: 'return isTied(row) && (row.isAsked || !isBare);',
    replace: 'return isTied(row);',
    tests: [WHO],
  },
  {
    name: 'of listings that print the barcode the largest key is shown',
    file: 'product/barcode-rows.ts',
    find: 'b.key < a.key ? b : a',
    replace: 'b.key > a.key ? b : a',
    tests: [WHO],
  },
  {
    name: 'an answer wins over a listing that prints the barcode, whatever it states',
    file: 'product/barcode-rows.ts',
    find: 'const stored = answered?.listing.gtin === gtin ? answered : (printing ?? answered);',
    replace: 'const stored = answered ?? printing;',
    tests: [WHO],
  },
  {
    name: 'a retailer that was not asked shows what it prints',
    file: 'product/cell.ts',
    find: '(!row.isAsked && row.isTrusted && !isOwnAnchor)',
    replace: '(row.isAsked && stored.url === retailer)',
    tests: [WHO],
  },
  {
    name: 'a retailer_w that failed is asked again before each answer',
    file: 'lookup/is-answered.ts',
    find: "isSettled(first, 'retailer_w', asking, ALWAYS)",
    replace: "isSettled(first, 'retailer_w', asking, NEVER)",
    tests: [WHO],
  },
  {
    name: 'what is held answers although retailers were not asked',
    file: 'lookup/find-held.ts',
    find: 'const isComplete = retailer !== null || isAnswered(forBarcode, asking);',
    replace: 'const isComplete = retailer !== null || asking.nowMs > 0;',
    tests: [WHO],
  },
  {
    name: 'a shop that is not trusted confirms a barcode',
    file: 'product/identity.ts',
    find: 'if (method === null || !record.isTrusted) return unconfirmed;',
    replace: 'if (method === null) return unconfirmed;',
    tests: [WHO],
  },
  {
    name: 'a shop that is not trusted is tied',
    file: 'product/barcode-rows.ts',
    find: "return row.isTrusted && (row.tie === 'published' || row.tie === 'guess');",
    replace: "return row.tie === 'published' || row.tie === 'guess';",
    tests: [WHO],
  },
  {
    name: 'every shop is trusted',
    file: 'retailers/trusted-shops.ts',
    find: 'if (isKnownSlug(retailer)) return true;',
    replace: 'if (retailer.length > 0) return true;',
    tests: [WHO],
  },
  {
    name: 'no shop is trusted',
    file: 'retailers/trusted-shops.ts',
    find: 'hostname === host || hostname.endsWith(`.${host}`)',
    replace: 'hostname === host && hostname.endsWith(`.${host}`)',
    tests: [TRUSTED],
  },
  {
    name: 'an unknown shop never answers for a barcode',
    file: 'lookup/anchor.ts',
    find: 'const row = rows.find((each) => !each.isTrusted && each.stored !== null);',
    replace: 'const row = rows.find((each) => each.isTrusted && each.stored !== null);',
    tests: [WHO],
  },
  {
    name: 'another barcode is no mismatch where none can be confirmed',
    file: 'product/identity.ts',
    find: 'const method = identityMethodOf(record.retailer);',
    replace:
      'const method = identityMethodOf(record.retailer);\n  if (method === null) return unconfirmed;',
    tests: [WHO],
  },
  {
    name: 'another packaging anchors beside the code itself',
    file: 'lookup/anchor.ts',
    find: '!isOtherPackaging(tied, each) &&',
    replace: '',
    tests: [WHO],
  },
  {
    name: 'a cell does not say what is contradicted',
    file: 'product/cell.ts',
    find: 'const disputed = disputes.get(retailer) ?? null;',
    replace: 'const disputed = null;',
    tests: [WHO],
  },
  {
    name: 'a disputed link is called confirmed',
    file: 'product/compose.ts',
    find: 'contradicted.has(each.retailer)',
    replace: 'contradicted.has(each.url)',
    tests: [WHO],
  },
  {
    name: 'a failed attempt counts as an answer',
    file: 'collect/collect-barcode.ts',
    find: "askedAtMs: status === 'not_found' ? nowMs : null,",
    replace: 'askedAtMs: nowMs,',
    tests: [WHO],
  },
];
