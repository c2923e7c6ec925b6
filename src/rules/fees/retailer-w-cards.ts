// Rate cards of retailer_w: referral fees, and its fulfilment programme.

import { flat, leftOut, marginal, whole } from './card-rows.ts';
import type { PoundCard, ReferralCard } from './rate-card.ts';

export const RETAILER_W_REFERRAL: ReferralCard = {
  id: 'retailer_w.referral.2025-03',
  retailer: 'retailer_w',
  kind: 'referral',
  effectiveFrom: '2025-03-25',
  effectiveTo: null,
  dateNote:
    'Day on which the schedule was last changed; compared with the pricing page on 2026-06-13.',
  source: "retailer_w's referral fee schedule for marketplace sellers, and its public pricing page",
  confidence: 'sure',
  confidenceNote: null,
  sellerPlan: null,
  isDefault: true,
  notIncluded: [],
  isTaxInBase: false,
  minimumCents: 0,
  perOrder: [],
  standIns: {},
  categories: [
    whole('apparel_accessories', 'Apparel and accessories', [
      [15, 5],
      [20, 10],
      [null, 15],
    ]),
    marginal('appliances_compact', 'Compact appliances', [
      [300, 12],
      [null, 8],
    ]),
    flat('appliances_major', 'Major appliances', 8),
    flat('automotive_powersports', 'Automotive and powersports', 12),
    whole('baby', 'Baby products', [
      [10, 8],
      [null, 15],
    ]),
    flat('base_power_tools', 'Power tools, base equipment', 12),
    whole('beauty_health', 'Beauty, health, personal care', [
      [10, 8],
      [null, 15],
    ]),
    flat('books', 'Books', 15),
    flat('camera_photo', 'Camera and photo', 8),
    flat('collectibles', 'Collectibles, for approved sellers', 8),
    flat('consumer_electronics', 'Consumer electronics', 8),
    marginal('electronics_accessories', 'Accessories of electronics', [
      [100, 15],
      [null, 8],
    ]),
    whole('grocery', 'Grocery and gourmet food', [
      [15, 8],
      [null, 15],
    ]),
    flat('home_kitchen_garden', 'Home, kitchen, decor, garden', 15),
    marginal('furniture', 'Furniture, indoor and outdoor', [
      [200, 15],
      [null, 10],
    ]),
    flat('industrial_scientific', 'Industrial and scientific', 12),
    marginal('jewelry', 'Jewelry and precious metals', [
      [250, 20],
      [null, 5],
    ]),
    flat('luggage_travel', 'Luggage and travel accessories', 15),
    flat('music', 'Music', 15),
    flat('musical_instruments', 'Musical instruments', 12),
    flat('office', 'Office products', 15),
    flat('office_printer_cartridges', 'Ink and toner cartridges of printers', 12),
    whole('outdoor_power_tools', 'Outdoor power tools', [
      [500, 15],
      [null, 8],
    ]),
    flat('outdoors_sports', 'Outdoors and sports', 15),
    flat('outdoors_optics', 'Binoculars, telescopes, scopes, night vision, trail cameras', 8),
    flat('personal_computers', 'Personal computers', 6),
    flat('pet', 'Pet supplies', 15),
    flat('plumbing_hvac', 'Plumbing, heating, cooling, ventilation', 10),
    flat('shoes_bags_sunglasses', 'Shoes, handbags, backpacks, sunglasses', 15),
    flat('software_pc_games', 'Software and computer video games', 15),
    flat('tires_wheels', 'Tires and wheels', 10),
    flat('tools_home_improvement', 'Tools and home improvement', 15),
    flat('toys_games', 'Toys and games', 15),
    flat('video_dvd', 'Video and DVD', 15),
    flat('video_game_consoles', 'Video game consoles', 8),
    marginal('watches', 'Watches', [
      [1500, 15],
      [null, 3],
    ]),
    flat('everything_else', 'Everything else', 15),
  ],
};

export const RETAILER_W_FULFILLMENT: PoundCard = {
  id: 'retailer_w.wfs.2024',
  retailer: 'retailer_w',
  kind: 'fulfillment',
  rule: 'pounds',
  effectiveFrom: '2024-01-01',
  effectiveTo: null,
  dateNote: 'The figures come from copies of 2024, 2025 and 2026; the first day is nominal.',
  source: "retailer_w's public fulfilment pricing page and the guide to its fee calculator",
  confidence: 'sure',
  confidenceNote:
    'Only likely: oversize, additional oversize (an older text has $25.00) and big and bulky.',
  sellerPlan: null,
  isDefault: true,
  notIncluded: [
    leftOut(
      'storage',
      '$0.75 for each cubic foot and month; from October to December $1.50 more for stock of over 30 days.',
      { confidence: 'likely' },
    ),
    leftOut('peak season', 'No figures were found; whether this charge exists is not known.', {
      confidence: 'unsure',
    }),
  ],
  bands: [
    { upToPounds: 1, cents: 345, overPounds: 1 },
    { upToPounds: 2, cents: 495, overPounds: 2 },
    { upToPounds: 3, cents: 545, overPounds: 3 },
    { upToPounds: 20, cents: 575, overPounds: 4 },
    { upToPounds: 30, cents: 1555, overPounds: 21 },
    // Cheaper than the previous band: from this weight on, parcels ship by ground only.
    { upToPounds: 50, cents: 1455, overPounds: 31 },
    { upToPounds: null, cents: 1755, overPounds: 51 },
  ],
  perPoundCents: 40,
  apparelCents: 50,
  hazmatCents: 50,
  lowPrice: { belowCents: 1000, cents: 100 },
  oversizeCents: 300,
  additionalOversizeCents: 2000,
  bigAndBulky: { cents: 15_500, perPoundCents: 80, overPounds: 90 },
};
