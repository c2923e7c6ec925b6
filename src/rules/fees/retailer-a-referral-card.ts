// Rate card of retailer_a: referral fees.

import { flat, leftOut, marginal, whole } from './card-rows.ts';
import type { ReferralCard } from './rate-card.ts';

const NO_MINIMUM = { minimum: 0 };
const MEDIA = { minimum: 0, closing: 1.8 };

export const RETAILER_A_REFERRAL: ReferralCard = {
  id: 'retailer_a.referral.2026',
  retailer: 'retailer_a',
  kind: 'referral',
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  dateNote: 'The first day is nominal: the rates are from 2025. Compared on 2026-08-25.',
  source: "retailer_a's public pricing page for sellers, according to two copies that agree",
  confidence: 'sure',
  confidenceNote:
    'The closing fee of video game consoles is only likely; fine art may have a minimum of $1.00.',
  sellerPlan: null,
  isDefault: true,
  notIncluded: [
    leftOut(
      'per-item fee',
      '$0.99 for each item, only for sellers without a monthly subscription.',
    ),
    leftOut('subscription', '$39.99 a month, for sellers with the professional plan.'),
  ],
  isTaxInBase: false,
  minimumCents: 30,
  perOrder: [],
  standIns: {},
  categories: [
    flat('device_accessories', "Accessories of the retailer's own devices", 45),
    marginal('appliances_compact', 'Compact appliances', [
      [300, 15],
      [null, 8],
    ]),
    flat('appliances_full', 'Full-size appliances', 8),
    flat('automotive_powersports', 'Automotive and powersports', 12),
    whole('baby', 'Baby products', [
      [10, 8],
      [null, 15],
    ]),
    flat('bags_luggage', 'Backpacks, handbags, luggage', 15),
    flat('base_power_tools', 'Power tools, base equipment', 12),
    whole('beauty_health', 'Beauty, health, personal care', [
      [10, 8],
      [null, 15],
    ]),
    flat('industrial_scientific', 'Business, industrial, scientific supplies', 12),
    whole('apparel_accessories', 'Clothing and accessories', [
      [15, 5],
      [20, 10],
      [null, 17],
    ]),
    flat('personal_computers', 'Computers', 8),
    flat('consumer_electronics', 'Consumer electronics', 8),
    marginal('electronics_accessories', 'Accessories of electronics', [
      [100, 15],
      [null, 8],
    ]),
    flat('eyewear', 'Eyewear', 15),
    marginal(
      'fine_art',
      'Fine art',
      [
        [100, 20],
        [1000, 15],
        [5000, 10],
        [null, 5],
      ],
      NO_MINIMUM,
    ),
    flat('footwear', 'Footwear', 15),
    marginal('furniture', 'Furniture', [
      [200, 15],
      [null, 10],
    ]),
    flat('gift_cards', 'Gift cards', 20, NO_MINIMUM),
    whole(
      'grocery',
      'Grocery and gourmet',
      [
        [15, 8],
        [null, 15],
      ],
      NO_MINIMUM,
    ),
    flat('home_kitchen', 'Home and kitchen', 15),
    marginal('jewelry', 'Jewelry', [
      [250, 20],
      [null, 5],
    ]),
    flat('lawn_garden', 'Lawn and garden', 15),
    whole('mowers_snow_throwers', 'Lawn mowers and snow throwers', [
      [500, 15],
      [null, 8],
    ]),
    flat('mattresses', 'Mattresses', 15),
    flat('media', 'Media: books, DVD, music, software, video', 15, MEDIA),
    flat('merchant_services', 'Services of merchants', 20),
    flat('musical_instruments', 'Musical instruments and AV production', 15),
    flat('office', 'Office products', 15),
    flat('pet', 'Pet supplies', 15),
    flat('pet_vet_diets', 'Pet supplies: veterinary diets', 22),
    flat('outdoors_sports', 'Sports and outdoors', 15),
    flat('tires_wheels', 'Tires', 10),
    flat('tools_home_improvement', 'Tools and home improvement', 15),
    flat('toys_games', 'Toys and games', 15),
    flat('video_game_consoles', 'Video game consoles', 8, MEDIA),
    flat('video_games', 'Video games and gaming accessories', 15, MEDIA),
    marginal('watches', 'Watches', [
      [1500, 16],
      [null, 3],
    ]),
    flat('everything_else', 'Everything else', 15),
  ],
};
