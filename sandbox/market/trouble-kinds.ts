// The ways in which a simulated retailer fails, each on a separate product. Every other retailer sells that product without
// trouble.

import type { KnownSlug } from '../../src/base/retailer.ts';

const RETAILER_TROUBLES = {
  blocked: 'answers with its page for suspected bots',
  wall_in_200: 'answers with that page and status 200',
  throttled: 'answers 429 with Retry-After: 2 until two seconds have passed',
  broken: 'answers 500',
  slow: 'sends the head of the page, then nothing more',
  down: 'closes the connection without an answer',
  gone: 'says that the listing does not exist (404)',
  ended: 'says that the listing has ended',
  sold_out: 'is always out of stock',
  wrong_barcode: 'publishes the barcode of another product',
  no_barcode: 'publishes no barcode',
  redesigned: 'serves its page with every id, class and name changed, so that no reader knows it',
  foreign_currency: 'states its price in EUR',
  offers_unavailable: 'serves its product page, but the list of sellers answers 503',
  substituted: 'serves the listing of another product',
  other_pack: 'sells three of it as one, under the same barcode',
  oversized: 'states a package of 612 pounds',
  lost_point: 'loses the decimal point of its price on every fifth day',
} as const;

export type RetailerTrouble = keyof typeof RETAILER_TROUBLES;

const EVERYWHERE = [
  'blocked',
  'wall_in_200',
  'throttled',
  'broken',
  'slow',
  'down',
  'gone',
  'sold_out',
  'redesigned',
  'foreign_currency',
] as const satisfies readonly RetailerTrouble[];

const BARCODES = ['wrong_barcode', 'no_barcode'] as const;

/** The kinds at each retailer. retailer_t publishes no barcodes at all; only retailer_a has ASINs. */
export const TROUBLES_OF: Readonly<Record<KnownSlug, readonly RetailerTrouble[]>> = {
  retailer_w: [...EVERYWHERE, ...BARCODES, 'offers_unavailable', 'oversized'],
  retailer_a: [...EVERYWHERE, ...BARCODES, 'offers_unavailable', 'substituted', 'other_pack'],
  retailer_e: [...EVERYWHERE, ...BARCODES, 'ended'],
  retailer_l: [...EVERYWHERE, ...BARCODES, 'ended'],
  // Its page for suspected bots always has a status of its own.
  retailer_t: [...EVERYWHERE.filter((kind) => kind !== 'wall_in_200'), 'ended'],
  retailer_b: [...EVERYWHERE, ...BARCODES, 'ended'],
  retailer_h: [...EVERYWHERE, ...BARCODES, 'ended', 'lost_point'],
};

export type RetailerWithTrouble = { readonly slug: KnownSlug; readonly kind: RetailerTrouble };

/** Kinds added later: their products come after all others. */
const LATER: ReadonlySet<RetailerTrouble> = new Set(['other_pack', 'oversized', 'lost_point']);

const EVERY_PAIR: readonly RetailerWithTrouble[] = (
  Object.keys(TROUBLES_OF) as KnownSlug[]
).flatMap((slug) => TROUBLES_OF[slug].map((kind) => ({ slug, kind })));

/** Every pair of retailer and kind, in a fixed order: a product's id follows from it. */
export const ALL_TROUBLES: readonly RetailerWithTrouble[] = [
  ...EVERY_PAIR.filter(({ kind }) => !LATER.has(kind)),
  ...EVERY_PAIR.filter(({ kind }) => LATER.has(kind)),
];
