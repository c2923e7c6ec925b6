// Which row of a rate card a listing's own categories lead to, and which lead nowhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  categoryBy,
  categoryRules,
  type CategoryRules,
} from '../../../src/rules/fees/category-rule.ts';
import { REFERRAL_CARDS } from '../../../src/rules/fees/rate-cards.ts';
import { categoryOnCard } from '../../../src/rules/fees/referral-fee.ts';
import { RETAILER_A_CATEGORIES } from '../../../src/rules/fees/retailer-a-categories.ts';
import { RETAILER_E_CATEGORIES } from '../../../src/rules/fees/retailer-e-categories.ts';
import { RETAILER_W_CATEGORIES } from '../../../src/rules/fees/retailer-w-categories.ts';

const way = (text: string): readonly string[] => text.split(' > ');
const keyOf = (rules: CategoryRules, text: string) => categoryBy(rules, way(text))?.key ?? null;

function leads(rules: CategoryRules, rows: readonly (readonly [string, string | null])[]): void {
  for (const [text, key] of rows) assert.equal(keyOf(rules, text), key, text);
}

test('retailer_w: a department decides, and words further in where it sells several kinds', () => {
  leads(RETAILER_W_CATEGORIES, [
    ['Home > Kitchen > Mugs', 'home_kitchen_garden'],
    ['Electronics > Computers > Laptops', 'personal_computers'],
    ['Electronics > Computers > Laptop Bags', 'electronics_accessories'],
    ['Electronics > TV & Video > TVs', 'consumer_electronics'],
    ['Electronics > Headphones & Accessories > Earbuds', 'consumer_electronics'],
    ['Cell Phones > Cell Phone Accessories > Screen Protectors', 'electronics_accessories'],
    ['Electronics > Cameras > Mirrorless Cameras', 'camera_photo'],
    ['Electronics > Home Security > Security Cameras', 'consumer_electronics'],
    ['Sports & Outdoors > Hunting > Trail Cameras', 'outdoors_optics'],
    ['Video Games > Handhelds > Handheld Consoles', 'video_game_consoles'],
    ['Jewelry & Watches > Women’s Watches', 'watches'],
    ['Jewelry & Watches > Necklaces', 'jewelry'],
    ['Clothing, Shoes & Accessories > Mens Shoes > Boots', 'shoes_bags_sunglasses'],
    ['Clothing > Mens > Shirts', 'apparel_accessories'],
    ['Home > Appliances > Dishwashers', 'appliances_major'],
    ['Home > Appliances > Portable Dishwashers', 'appliances_compact'],
    ['Home > Furniture > Mattresses', 'furniture'],
    ['Home > Bedding > Mattress Toppers', 'home_kitchen_garden'],
    ['Auto & Tires > Tires > Winter Tires', 'tires_wheels'],
    ['Auto & Tires > Interior > Steering Wheel Covers', 'automotive_powersports'],
    ['Patio & Garden > Leaf Blowers', 'outdoor_power_tools'],
    ['Home Improvement > Power Tools > Sanders', 'base_power_tools'],
    ['Home Improvement > Power Tool Accessories > Saw Blades', 'tools_home_improvement'],
    ['Home Improvement > Plumbing > Pipes', 'plumbing_hvac'],
    ['Office Supplies > Ink & Toner', 'office_printer_cartridges'],
    ['Office Supplies > Staplers', 'office'],
  ]);
});

test('words do not mislead out of a department that sells one kind only', () => {
  leads(RETAILER_W_CATEGORIES, [
    ['Toys > Play Food', 'toys_games'],
    ['Toys > Jigsaw Puzzles', 'toys_games'],
    ['Pets > Cat Furniture', 'pet'],
    ['Books > Camera Guides', 'books'],
    ['Beauty > Hair Dryers', 'beauty_health'],
    ['Baby > Nursery Furniture', 'baby'],
    ['Musical Instruments > Guitar Cables', 'musical_instruments'],
  ]);
});

test('retailer_a: its own departments lead to its own rows', () => {
  leads(RETAILER_A_CATEGORIES, [
    ['Home & Kitchen > Kitchen & Dining > Mugs', 'home_kitchen'],
    ['Home & Kitchen > Furniture > Sofas', 'furniture'],
    ['Home & Kitchen > Furniture > Mattresses', 'mattresses'],
    ['Electronics > Computers & Accessories > Computers & Tablets > Laptops', 'personal_computers'],
    [
      'Electronics > Computers & Accessories > Laptop Accessories > Sleeves',
      'electronics_accessories',
    ],
    ['Cell Phones & Accessories > Cell Phones', 'consumer_electronics'],
    ['Clothing, Shoes & Jewelry > Women > Shoes > Flats', 'footwear'],
    ['Clothing, Shoes & Jewelry > Women > Jewelry > Rings', 'jewelry'],
    ['Clothing, Shoes & Jewelry > Men > Clothing > Coats', 'apparel_accessories'],
    ['Clothing, Shoes & Jewelry > Luggage & Travel Gear > Suitcases', 'bags_luggage'],
    ['Automotive > Tires & Wheels > Tires', 'tires_wheels'],
    ['Patio, Lawn & Garden > Snow Removal > Snow Blowers', 'mowers_snow_throwers'],
    ['Patio, Lawn & Garden > Pots', 'lawn_garden'],
    ['Tools & Home Improvement > Power & Hand Tools > Hand Tools', 'tools_home_improvement'],
    ['Tools & Home Improvement > Power & Hand Tools > Power Tools > Saws', 'base_power_tools'],
    ['Appliances > Freezers', 'appliances_full'],
    ['Pet Supplies > Dogs > Prescription Diets', 'pet_vet_diets'],
    ['Movies & TV > Comedy', 'media'],
    ['CDs & Vinyl > Jazz', 'media'],
    ['Video Games > Handhelds > Consoles', 'video_game_consoles'],
    ['Video Games > Handhelds > Games', 'video_games'],
    ['Gift Cards', 'gift_cards'],
  ]);
});

test('retailer_e: what its cards do not name is "most categories", below a department', () => {
  leads(RETAILER_E_CATEGORIES, [
    ['Home & Garden > Kitchen > Mugs', 'most'],
    ['Home & Garden', 'most'],
    ['Books & Magazines > Books', 'books_movies_music'],
    ['Movies & TV > Blu-ray Discs', 'books_movies_music'],
    ['Music > CDs', 'books_movies_music'],
    ['Music > Vinyl Records', 'most'],
    ['Shop Front > Music > CDs', 'books_movies_music'],
    ['Coins & Paper Money > Bullion > Silver', 'bullion'],
    ['Coins & Paper Money > Coins: World', 'coins'],
    ['Toys & Hobbies > Collectible Card Games', 'coins_cards_comics'],
    ["Clothing, Shoes & Accessories > Women > Women's Bags & Handbags", 'womens_bags'],
    ["Clothing, Shoes & Accessories > Men > Men's Shoes > Athletic Shoes", 'athletic_shoes'],
    ["Clothing, Shoes & Accessories > Kids > Girls' Shoes > Athletic Shoes", 'most'],
    ['Jewelry & Watches > Watches, Parts & Accessories', 'watches'],
    ['Jewelry & Watches > Fine Jewelry', 'jewelry'],
    ['Musical Instruments & Gear > Guitars & Basses > Basses', 'guitars_basses'],
    [
      'Business & Industrial > Heavy Equipment, Parts & Attachments > Heavy Equipment',
      'heavy_equipment',
    ],
    ['Site Motors > Parts & Accessories > Car & Truck Parts', 'motors_parts'],
  ]);
});

test('what no rule knows, and what may be either of two rates, has no category', () => {
  leads(RETAILER_W_CATEGORIES, [
    ['Jewelry & Watches', null],
    ['Video Games > New', null],
    ['Electronics > Computers', null],
    ['Home > Appliances > Refrigerator Parts', null],
    ['Ratzfatz > Schnickschnack', null],
    ['家电 > 冰箱', null],
  ]);
  leads(RETAILER_A_CATEGORIES, [
    ['Appliances', null],
    ['Health & Household > Household Supplies', null],
    ['Kindle Store > Stories', null],
  ]);
  leads(RETAILER_E_CATEGORIES, [
    // The same name may appear below a department with its own rate.
    ['Tote Bags', null],
    ['Athletic Shoes', null],
    ['Site Motors > Cars & Trucks', null],
  ]);
  for (const rules of [RETAILER_W_CATEGORIES, RETAILER_A_CATEGORIES, RETAILER_E_CATEGORIES]) {
    for (const categories of [[], [''], ['  ', '—'], ['&'], ['All Categories']]) {
      assert.equal(categoryBy(rules, categories), null);
    }
  }
});

test('nothing is more than likely, and the step that decided is stated', () => {
  const found = categoryBy(RETAILER_W_CATEGORIES, ['Home', 'Kitchen', ' Microwaves ']);
  assert.deepEqual(found, {
    key: 'appliances_compact',
    confidence: 'unsure',
    matched: 'Microwaves',
  });
  const likely = categoryBy(RETAILER_W_CATEGORIES, way('Departments > Toys > Kites'));
  assert.deepEqual(likely, { key: 'toys_games', confidence: 'likely', matched: 'Toys' });
});

test('every key that the rules lead to is a row of each card of its retailer', () => {
  for (const [retailer, rules] of [
    ['retailer_w', RETAILER_W_CATEGORIES],
    ['retailer_a', RETAILER_A_CATEGORIES],
    ['retailer_e', RETAILER_E_CATEGORIES],
  ] as const) {
    const keys = rules.compiled().flatMap(({ rule }) => rule.key ?? []);
    assert.ok(keys.length > 10);
    for (const card of REFERRAL_CARDS.filter((each) => each.retailer === retailer)) {
      for (const key of keys) assert.ok(categoryOnCard(card, key), `${card.id} ${key}`);
    }
  }
});

test('rules are read from top to bottom, whole steps and neighbours as they are written', () => {
  const rules = categoryRules([
    { words: '=saw', key: 'saws' },
    { words: 'blade', within: 'kitchen', unless: 'set', key: 'knives' },
    { in: 'tool', words: '*', key: 'tools' },
    { in: 'tool', key: null },
    { words: 'blade', key: 'blades' },
  ]);
  leads(rules, [
    ['Tools > Saws', 'saws'],
    ['Tools > Band Saws', 'tools'],
    ['Tools', null],
    ['Kitchen > Blades', 'knives'],
    ['Kitchen > Blades > Sets', 'blades'],
    ['Kitchen Blades', 'blades'],
    ['Switchblades', null],
  ]);
});

test('a way as long as a page may have costs nothing much', () => {
  const long = Array.from({ length: 5_000 }, (_, at) => `Step ${at} ${'x'.repeat(1_000)}`);
  assert.equal(categoryBy(RETAILER_W_CATEGORIES, long), null);
});
