// Rate cards of retailer_e: final value fees, with and without a store. It has no fulfilment programme.

import { flat, leftOut, marginal, whole, wholeFrom } from './card-rows.ts';
import type { ReferralCard } from './rate-card.ts';

const COMMON = {
  retailer: 'retailer_e',
  kind: 'referral',
  effectiveFrom: '2025-02-14',
  effectiveTo: null,
  dateNote:
    'The rates changed in the middle of February 2025; the exact day is only likely. Read on 2026-08-21.',
  isTaxInBase: true,
  minimumCents: 0,
  perOrder: [
    { upToCents: 1000, cents: 30 },
    { upToCents: null, cents: 40 },
  ],
  notIncluded: [
    leftOut(
      'sales tax',
      'The percentage is charged on the sales tax too, which is not known here and assumed to be 0.',
    ),
    leftOut('international buyer', '1.65% of the total of the sale.'),
    leftOut('seller below standard', '6 percentage points more.'),
    leftOut('insertion', '$0.35 for each listing beyond 250 a month.'),
  ],
} as const;

export const RETAILER_E_WITHOUT_STORE: ReferralCard = {
  ...COMMON,
  id: 'retailer_e.fvf.nostore.2025-02',
  source: "retailer_e's public help page on selling fees",
  confidence: 'sure',
  confidenceNote: null,
  sellerPlan: 'no store, or a Starter store',
  isDefault: true,
  standIns: { coins: 'coins_cards_comics' },
  categories: [
    marginal('most', 'Most categories', [
      [7500, 13.6],
      [null, 2.35],
    ]),
    marginal('books_movies_music', 'Books and magazines, movies and TV, music except vinyl', [
      [7500, 15.3],
      [null, 2.35],
    ]),
    marginal('coins_cards_comics', 'Coins and paper money, trading cards, card games, comics', [
      [7500, 13.25],
      [null, 2.35],
    ]),
    whole('bullion', 'Bullion', [
      [7500, 13.6],
      [null, 7],
    ]),
    whole('womens_bags', "Women's bags and handbags", [
      [2000, 15],
      [null, 9],
    ]),
    wholeFrom('athletic_shoes', "Men's and women's athletic shoes", [
      [0, 13.6, true],
      [150, 8, false],
    ]),
    whole('jewelry', 'Jewelry, without watches', [
      [5000, 15],
      [null, 9],
    ]),
    marginal('watches', 'Watches, their parts and accessories', [
      [1000, 15],
      [7500, 6.5],
      [null, 3],
    ]),
    marginal('guitars_basses', 'Guitars and basses', [
      [7500, 6.7],
      [null, 2.35],
    ]),
    marginal('heavy_equipment', 'Heavy equipment, printing presses, food trucks', [
      [15_000, 3],
      [null, 0.5],
    ]),
    marginal('motors_parts', 'Parts and accessories of vehicles', [
      [7500, 13.6],
      [null, 2.35],
    ]),
    flat('nft', 'Non-fungible tokens', 5),
  ],
};

export const RETAILER_E_WITH_STORE: ReferralCard = {
  ...COMMON,
  id: 'retailer_e.fvf.store.2025-02',
  source: "retailer_e's public help page on selling fees of stores",
  confidence: 'likely',
  confidenceNote: 'A few categories of vehicles and industry were not collected.',
  sellerPlan: 'Basic store and above',
  isDefault: false,
  standIns: { nft: 'most' },
  categories: [
    marginal('most', 'Most categories', [
      [2500, 12.7],
      [null, 2.35],
    ]),
    marginal('books_movies_music', 'Books and magazines, movies and TV, music except vinyl', [
      [2500, 15.3],
      [null, 2.35],
    ]),
    whole('womens_bags', "Women's bags and handbags", [
      [2000, 13],
      [null, 7],
    ]),
    wholeFrom('athletic_shoes', "Men's and women's athletic shoes", [
      [0, 12.7, true],
      [150, 7, false],
    ]),
    whole('jewelry', 'Jewelry, without watches', [
      [5000, 13],
      [null, 7],
    ]),
    marginal('watches', 'Watches, their parts and accessories', [
      [1000, 12.5],
      [5000, 4],
      [null, 3],
    ]),
    marginal('bullion', 'Bullion', [
      [1500, 7.5],
      [10_000, 5],
      [null, 4.5],
    ]),
    marginal('coins', 'Coins and paper money, without bullion', [
      [4000, 9],
      [null, 2.35],
    ]),
    marginal('coins_cards_comics', 'Trading cards, card games, comics', [
      [2500, 12.35],
      [null, 2.35],
    ]),
    marginal('guitars_basses', 'Guitars and basses', [
      [2500, 6.7],
      [null, 2.35],
    ]),
    marginal('heavy_equipment', 'Heavy equipment, printing presses, food trucks', [
      [15_000, 2.5],
      [null, 0.5],
    ]),
    marginal('motors_parts', 'Parts and accessories of vehicles', [
      [1000, 11.5],
      [null, 2.35],
    ]),
  ],
};
