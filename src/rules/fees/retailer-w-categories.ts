// Maps the category names of retailer_w's pages to the categories of its rate card.

import { categoryRules } from './category-rule.ts';

const ELECTRONICS =
  'electronic|cell phone|computer|camera|tv and video|audio|wearable|smart home|home theater';

const COMPUTER_PARTS =
  'accessory|bag|case|sleeve|charger|stand|battery|part|dock|skin|memory|cover|adapter|printer|table|desk|backpack';

/** Departments with a single category, so that words in later steps cannot mislead. */
const DEPARTMENTS = [
  { in: 'book|ebook|audiobook', key: 'books' },
  { in: 'movie|dvd|blu ray', key: 'video_dvd' },
  { in: 'musical instrument', key: 'musical_instruments' },
  { in: 'music', key: 'music' },
  { in: 'toy', key: 'toys_games' },
  { in: 'pet', key: 'pet' },
  { in: 'food|grocery|beverage', key: 'grocery' },
  { in: 'baby', key: 'baby' },
  { in: 'beauty|personal care|health|pharmacy|medicine|wellness', key: 'beauty_health' },
] as const;

const WORN = [
  { in: 'jewelry|watch', words: 'watch', unless: 'box|winder|tool', key: 'watches' },
  { in: 'jewelry and watch', words: '*', key: 'jewelry' },
  { in: 'jewelry and watch', key: null },
  { in: 'jewelry', key: 'jewelry' },
  { in: 'watch', key: 'watches' },
  {
    in: 'clothing|apparel|fashion',
    words: 'shoe|boot|sandal|sneaker|handbag|backpack|sunglass',
    unless: 'accessory|care',
    key: 'shoes_bags_sunglasses',
  },
  { in: 'clothing|apparel|fashion', words: 'luggage|suitcase', key: 'luggage_travel' },
  { in: 'clothing|apparel|fashion', words: 'watch', unless: 'smart', key: 'watches' },
  { in: 'clothing|apparel|fashion', words: 'jewelry', key: 'jewelry' },
  { in: 'clothing|apparel|fashion', key: 'apparel_accessories' },
  { in: 'shoe|handbag|backpack|sunglass', key: 'shoes_bags_sunglasses' },
  { in: 'luggage', key: 'luggage_travel' },
] as const;

const ELECTRONIC_THINGS = [
  {
    words: 'video game console|game console',
    unless: 'accessory|skin|case|part',
    key: 'video_game_consoles',
  },
  {
    in: 'video game',
    words: 'console',
    unless: 'accessory|skin|case|game|controller|charger|part',
    key: 'video_game_consoles',
  },
  {
    in: 'video game',
    words: 'accessory|controller|headset|charger|case|cable|skin',
    key: 'electronics_accessories',
    confidence: 'unsure',
  },
  { in: 'video game', words: 'game', key: 'software_pc_games', confidence: 'unsure' },
  { in: 'video game', key: null },
  { in: 'software', key: 'software_pc_games' },
  { words: 'pc game|computer software|computer game', key: 'software_pc_games' },
  {
    words:
      'laptop|desktop computer|all in one computer|chromebook|computer tower|gaming desktop|gaming pc',
    unless: COMPUTER_PARTS,
    key: 'personal_computers',
  },
  { words: '=desktop|=all in one', within: 'computer', key: 'personal_computers' },
  {
    words: 'printer ink|ink and toner|toner cartridge|ink cartridge|printer toner',
    key: 'office_printer_cartridges',
  },
  {
    words: 'binocular|telescope|spotting scope|trail camera|night vision|trail monitor',
    key: 'outdoors_optics',
  },
  {
    in: ELECTRONICS,
    words: 'security camera|surveillance|dash cam|doorbell',
    key: 'consumer_electronics',
  },
  {
    in: ELECTRONICS,
    words:
      'accessory|case|charger|cable|screen protector|memory card|power bank|adapter|mount|stylus|bag|sleeve',
    unless: 'headphone and|speaker and',
    key: 'electronics_accessories',
  },
  { in: ELECTRONICS, words: 'camera|camcorder|lens|lense|photo|photography', key: 'camera_photo' },
  { in: 'camera', key: 'camera_photo' },
  {
    in: ELECTRONICS,
    words:
      'tv|television|speaker|headphone|earbud|tablet|smartphone|cell phone|phone|projector|soundbar|monitor|smartwatch|smart watch|smart home|e reader|radio|audio',
    key: 'consumer_electronics',
  },
  // Computers and computer parts have different rates.
  { in: ELECTRONICS, words: '=computer|=computer and tablet', key: null },
  { in: ELECTRONICS, key: 'consumer_electronics', confidence: 'unsure' },
  {
    in: 'headphone|television|smartphone|tablet|speaker',
    unless: 'stand|case|mount|accessory',
    key: 'consumer_electronics',
    confidence: 'unsure',
  },
] as const;

const HOUSE_AND_GARDEN = [
  {
    words:
      'mini fridge|compact refrigerator|mini refrigerator|portable refrigerator|microwave|countertop dishwasher|portable dishwasher',
    unless: 'part|accessory|cover|filter|rack|cart',
    key: 'appliances_compact',
    confidence: 'unsure',
  },
  {
    words:
      'refrigerator|washer|washing machine|dryer|dishwasher|range|freezer|oven range|wall oven',
    within: 'appliance',
    unless: 'mini|compact|portable|countertop|part|accessory|filter|cover|magnet|pressure',
    key: 'appliances_major',
  },
  {
    words: 'appliance part|appliance accessory|part|accessory|filter',
    within: 'appliance',
    key: null,
  },
  {
    words:
      'air conditioner|air conditioning|hvac|plumbing|water heater|space heater|heating|furnace',
    unless: 'pad|blanket|accessory',
    key: 'plumbing_hvac',
  },
  { words: 'appliance', key: 'appliances_compact', confidence: 'unsure' },
  {
    words: 'furniture|mattress|sofa|bookcase|recliner',
    unless: 'cover|protector|pad|topper|doll|part|hardware|polish|slipcover',
    key: 'furniture',
  },
  {
    in: 'auto|automotive|tire|powersport|vehicle',
    words: 'tire|wheel',
    unless:
      'inflator|pump|chain|cover|cleaner|gauge|care|accessory|repair|shine|steering|sensor|tool',
    key: 'tires_wheels',
  },
  { in: 'auto|automotive|tire|powersport|vehicle', key: 'automotive_powersports' },
  {
    words:
      'lawn mower|mower|chainsaw|chain saw|leaf blower|snow blower|snow thrower|string trimmer|hedge trimmer|outdoor power equipment|outdoor power tool',
    unless: 'part|accessory|blade|oil|cover|bag|attachment|replacement',
    key: 'outdoor_power_tools',
  },
  {
    in: 'tool|home improvement|hardware',
    words: 'power tool|drill|saw|impact driver|angle grinder|sander|cordless screwdriver',
    unless: 'accessory|bit|blade|battery|charger|part|attachment|hand|press stand|storage',
    key: 'base_power_tools',
  },
  { in: 'home improvement|tool|hardware|paint', key: 'tools_home_improvement' },
  { in: 'office|school|stationery', key: 'office' },
  { in: 'industrial|scientific|janitorial|laboratory', key: 'industrial_scientific' },
  { in: 'patio|garden|yard', key: 'home_kitchen_garden' },
  { in: 'sport|outdoor|exercise|fitness', key: 'outdoors_sports' },
  { in: 'collectible', key: 'collectibles', confidence: 'unsure' },
  {
    in: 'household essential|party|seasonal|art|craft|sewing',
    key: 'everything_else',
    confidence: 'unsure',
  },
  {
    in: 'home|household|kitchen|decor|bedding|bath|lighting|rug|dining|storage',
    key: 'home_kitchen_garden',
  },
] as const;

export const RETAILER_W_CATEGORIES = categoryRules([
  ...DEPARTMENTS,
  ...WORN,
  ...ELECTRONIC_THINGS,
  ...HOUSE_AND_GARDEN,
]);
