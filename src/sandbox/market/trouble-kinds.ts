// The ways in which a retailer can fail a caller, each at a product of its own: at every other retailer the
// same product is sold without trouble.

import type { KnownSlug } from '../../core/retailer.ts';

export const RETAILER_TROUBLES = {
  blocked: 'answers with its wall against robots',
  wall_in_200: 'answers with its wall and status 200',
  throttled: 'answers 429 with Retry-After: 2 until two seconds have passed',
  broken: 'answers 500',
  slow: 'sends the head of the page and then nothing more',
  down: 'closes the connection without an answer',
  gone: 'says that the listing is not there (404)',
  ended: 'says that the listing has ended for good',
  sold_out: 'is always out of stock',
  wrong_barcode: 'publishes the barcode of another product',
  no_barcode: 'publishes no barcode',
  redesigned: 'is its page with every landmark renamed: the facts lie where no reader knows them',
  foreign_currency: 'states its price in EUR',
  offers_unavailable: 'shows its product page while the list of sellers fails with 503',
  substituted: 'serves the listing of another product',
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

/** The kinds that exist at each retailer. retailer_t publishes no barcode at all; ASINs are retailer_a's. */
export const TROUBLES_OF: Readonly<Record<KnownSlug, readonly RetailerTrouble[]>> = {
  retailer_w: [...EVERYWHERE, ...BARCODES, 'offers_unavailable'],
  retailer_a: [...EVERYWHERE, ...BARCODES, 'offers_unavailable', 'substituted'],
  retailer_e: [...EVERYWHERE, ...BARCODES, 'ended'],
  retailer_l: [...EVERYWHERE, ...BARCODES, 'ended'],
  // Its denials come with a status of their own.
  retailer_t: [...EVERYWHERE.filter((kind) => kind !== 'wall_in_200'), 'ended'],
  retailer_b: [...EVERYWHERE, ...BARCODES, 'ended'],
  retailer_h: [...EVERYWHERE, ...BARCODES, 'ended'],
};

export type Troubled = { readonly slug: KnownSlug; readonly kind: RetailerTrouble };

/** Every pair of retailer and kind, in a fixed order. */
export const TROUBLED: readonly Troubled[] = (Object.keys(TROUBLES_OF) as KnownSlug[]).flatMap(
  (slug) => TROUBLES_OF[slug].map((kind) => ({ slug, kind })),
);
