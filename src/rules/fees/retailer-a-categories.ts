// Maps the category names of retailer_a's pages and APIs to the categories of its rate card.

import { categoryRules } from './category-rule.ts';

const COMPUTER_PARTS =
  'accessory|bag|case|sleeve|charger|stand|battery|part|dock|skin|memory|cover|adapter|printer|desk|component';

const CLOTHING = 'clothing|fashion|apparel';

const DEPARTMENTS = [
  { in: 'gift card', key: 'gift_cards' },
  { in: 'book|textbook', key: 'media' },
  { in: 'movie|dvd|blu ray|cd and vinyl|software', key: 'media' },
  { in: 'musical instrument', key: 'musical_instruments' },
  { in: 'digital music|kindle store|app', key: null },
  { in: 'music', key: 'media' },
  { in: 'toy', key: 'toys_games' },
  { in: 'pet', words: 'veterinary diet|prescription diet|therapeutic diet', key: 'pet_vet_diets' },
  { in: 'pet', key: 'pet' },
  { in: 'grocery|gourmet|food|beverage', key: 'grocery' },
  { in: 'baby', key: 'baby' },
  { in: 'health', words: 'household supply', key: null },
  { in: 'beauty|personal care|health', key: 'beauty_health' },
  { in: 'fine art', words: 'fine art', key: 'fine_art' },
  { in: '=fine art', key: 'fine_art' },
  { in: 'collectible', key: null },
] as const;

const WORN = [
  { in: CLOTHING, words: 'shoe jewelry and watch accessory', key: null },
  {
    in: CLOTHING,
    words: 'luggage|handbag|backpack|suitcase|travel gear|tote',
    key: 'bags_luggage',
  },
  { in: CLOTHING, words: 'sunglass|eyewear|eyeglass', key: 'eyewear' },
  {
    in: CLOTHING,
    words: 'shoe|boot|sandal|sneaker|slipper',
    unless: 'accessory|care',
    key: 'footwear',
  },
  { in: CLOTHING, words: 'watch', unless: 'smart|box|winder', key: 'watches' },
  { in: CLOTHING, words: 'jewelry', unless: 'box|organizer|storage', key: 'jewelry' },
  { in: CLOTHING, key: 'apparel_accessories' },
  { in: 'jewelry|watch', words: 'watch', unless: 'smart|box|winder', key: 'watches' },
  { in: 'jewelry and watch', words: '*', key: 'jewelry' },
  { in: 'jewelry and watch', key: null },
  { in: 'jewelry', key: 'jewelry' },
  { in: 'watch', key: 'watches' },
  { in: 'shoe|footwear', key: 'footwear' },
  { in: 'luggage|handbag|backpack', key: 'bags_luggage' },
  { in: 'sunglass|eyewear', key: 'eyewear' },
] as const;

const ELECTRONICS = 'electronic|cell phone|computer|camera|smart home';

const ELECTRONIC_THINGS = [
  {
    in: 'device and accessory',
    words: 'device accessory|accessory',
    key: 'device_accessories',
    confidence: 'unsure',
  },
  {
    in: 'video game',
    words: 'console',
    unless: 'accessory|skin|case|game|controller|charger|part|headset',
    key: 'video_game_consoles',
  },
  { in: 'video game', words: 'game|accessory|controller|headset|charger', key: 'video_games' },
  { in: 'video game', key: null },
  {
    words: 'video game console|game console',
    unless: 'accessory|skin|case|part',
    key: 'video_game_consoles',
  },
  {
    words:
      'laptop|desktop|desktop computer|all in one computer|chromebook|computer and tablet|tower',
    within: 'electronic|computer',
    unless: COMPUTER_PARTS,
    key: 'personal_computers',
  },
  {
    in: 'laptop|desktop computer',
    unless: COMPUTER_PARTS,
    key: 'personal_computers',
    confidence: 'unsure',
  },
  {
    in: ELECTRONICS,
    words: 'security and surveillance|surveillance|dash cam|doorbell',
    key: 'consumer_electronics',
  },
  {
    in: ELECTRONICS,
    words:
      '=accessory|accessory and supply|computer accessory and peripheral|laptop accessory|tablet accessory|camera accessory|phone accessory|tv accessory|case|charger|cable|screen protector|memory card|power bank|adapter|mount',
    key: 'electronics_accessories',
  },
  { in: ELECTRONICS, words: 'computer component', key: null },
  {
    in: ELECTRONICS,
    words:
      'television|tv|speaker|headphone|earbud|camera|camcorder|lens|tablet|smartphone|cell phone|projector|soundbar|monitor|smartwatch|gps|radio|audio|wearable|e reader',
    key: 'consumer_electronics',
  },
  { in: ELECTRONICS, key: 'consumer_electronics', confidence: 'unsure' },
] as const;

const HOUSE_AND_GARDEN = [
  {
    in: 'appliance',
    words: 'small appliance|compact|countertop|portable|mini|microwave',
    unless: 'part|accessory|filter',
    key: 'appliances_compact',
  },
  { in: 'appliance', words: 'part|accessory|filter', key: null },
  {
    in: 'appliance',
    words: 'refrigerator|washer|dryer|dishwasher|range|freezer|oven|cooktop',
    key: 'appliances_full',
  },
  { in: 'appliance', key: null },
  {
    words: 'mattress',
    unless: 'pad|topper|cover|protector|furniture|foundation|frame',
    key: 'mattresses',
  },
  {
    words: 'furniture|sofa|bookcase|recliner',
    unless: 'cover|protector|pad|topper|part|hardware|polish|slipcover',
    key: 'furniture',
  },
  {
    in: 'automotive|auto|powersport',
    words: 'tire',
    unless: 'inflator|pump|chain|cover|cleaner|gauge|care|accessory|repair|sensor|tool',
    key: 'tires_wheels',
  },
  { in: 'automotive|auto|powersport', key: 'automotive_powersports' },
  {
    words: 'lawn mower|mower|snow thrower|snow blower',
    unless: 'part|accessory|blade|cover|bag|attachment|replacement|belt',
    key: 'mowers_snow_throwers',
  },
  { in: 'patio|lawn|garden|yard', key: 'lawn_garden' },
  {
    in: 'tool|home improvement|hardware',
    words: 'power tool|drill|saw|impact driver|angle grinder|sander|cordless screwdriver',
    unless: 'accessory|bit|blade|battery|charger|part|attachment|hand|storage',
    key: 'base_power_tools',
  },
  { in: 'tool|home improvement|hardware|paint', key: 'tools_home_improvement' },
  { in: 'office|school', key: 'office' },
  { in: 'industrial|scientific|business', key: 'industrial_scientific' },
  { in: 'sport|outdoor|fitness', key: 'outdoors_sports' },
  { in: 'art craft|craft|sewing|handmade|party', key: 'everything_else', confidence: 'unsure' },
  { words: 'small appliance', within: 'home|kitchen', key: 'home_kitchen', confidence: 'unsure' },
  { in: 'home|household|kitchen|bedding|bath|lighting|decor|dining', key: 'home_kitchen' },
  { in: '=everything else', key: 'everything_else' },
] as const;

export const RETAILER_A_CATEGORIES = categoryRules([
  ...DEPARTMENTS,
  ...WORN,
  ...ELECTRONIC_THINGS,
  ...HOUSE_AND_GARDEN,
]);
