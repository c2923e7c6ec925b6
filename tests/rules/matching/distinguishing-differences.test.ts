// Two titles that agree in nearly all words: which differences distinguish two products, and which are only wording.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { prepareListing } from '../../../src/rules/matching/prepared/prepared.ts';
import type { MatchInput, Prepared } from '../../../src/rules/matching/prepared/prepared.ts';
import {
  otherWord,
  distinguishingDifference,
} from '../../../src/rules/matching/pair/distinguishing-differences.ts';
import { MODEL } from './shipped-model.ts';

function listing(input: string | MatchInput): Prepared {
  return prepareListing(typeof input === 'string' ? { title: input } : input, MODEL.vocabulary);
}

type Distinguished = readonly [
  name: NonNullable<ReturnType<typeof distinguishingDifference>>['name'],
  one: string | MatchInput,
  two: string | MatchInput,
];

const DISTINGUISHED: readonly Distinguished[] = [
  ['part', 'Halden QX700 Headphones', 'Travel Case for Halden QX700 Headphones'],
  ['condition', 'Halden QX700 Headphones', 'Halden QX700 Headphones (Renewed)'],
  ['condition', 'Halden QX700 Headphones', 'Halden QX700 Headphones Open Box'],
  ['bundle', 'Halden D40 Camera Body Only', 'Halden D40 Camera with Lens Kit'],
  ['colour', 'Halden Felt Hat Navy', 'Halden Felt Hat Crimson'],
  ['colour', 'Halden Zorb Ütü Siyah', 'Halden Zorb Ütü Kırmızı'],
  ['colour', 'ハルデン ZORB ブラック', 'ハルデン ZORB ブルー'],
  ['platform', 'Halden 35mm Art Lens [Canon]', 'Halden Art 35mm Lens for Nikon'],
  [
    'swap',
    'Halden Spannbettlaken Jersey grau 140x200',
    'Halden Spannbettlaken Frottee grau 140x200',
  ],
  ['swap', 'Halden Snug Diapers Size 3', 'Halden Snug Diapers Size 4'],
  ['swap', 'Halden ZorbContact 6 225/45 R17 91Y', 'Halden Qualm 6 225/45 R17 91Y'],
  ['swap', 'Halden ZorbContact 6 225/45R17 91Y', 'Halden Qualm 6 225/45R17 91Y'],
  ['swap', 'Halden Ink Cartridge 245', 'Halden Ink Cartridge 245XL'],
  ['swap', 'Halden Oat Cereal Cinnamon Flakes', 'Halden Oat Cereal Blueberry Flakes'],
  // A shared word outweighs the others only if it is a model number: not a strength, a count or the brand.
  ['swap', 'Halden Sun Fluid Invisible SPF50', 'Halden Sun Fluid Mattifying SPF50'],
  ['swap', 'Halden 39Thirty Cap Patriots', 'Halden 39Thirty Cap Dodgers'],
  ['swap', 'Halden Eagle 12-Speed Chain 126 Links', 'Halden Trekking 12-Speed Chain 126 Links'],
  [
    'swap',
    { title: 'Halden1917 Dotted Book', brand: 'Halden1917' },
    { title: 'Halden1917 Squared Book', brand: 'Halden1917' },
  ],
  // The same language, as a shared word shows.
  ['swap', 'Halden Zahnpasta Kariesschutz 75 ml', 'Halden Zahnpasta Whitening 75 ml'],
  [
    'swap',
    'Halden Gel Douche Vanille Bourbon 400ml',
    "Halden Gel Douche Amande Oranger d'Orient 400ml",
  ],
  ['mark', 'Halden Phone 12', 'Halden Phone 12 Pro'],
  ['mark', 'Halden Rio 125 Aquarium', 'Halden Rio 125 S Aquarium'],
  ['mark', 'Halden Racer Machine', 'Halden Racer Machine Next'],
  ['mark', 'Halden Zorb Cleaner', 'Halden Zorb Cleaner Limited'],
  ['swap', 'Halden Film Toric Pack of 6', 'Halden Film Mono 6 Pack'],
  ['mark', 'Halden Camera QX100', 'Halden Camera QX100 II'],
  ['mark', 'Halden City Builders Game', 'Halden City Builders Game Deluxe Edition'],
  // A mark after a shared number, and an edition sold differently, whatever else the titles state.
  ['mark', 'Halden Dual RTX 4070 OC 12GB', 'Graphics Card Halden RTX 4070 Super 12GB GDDR6X Dual'],
  ['mark', 'Halden Air 90 Leather Black', 'Shoes Halden Air 90 Ultra Moire Schwarz'],
  ['mark', 'Halden Painter CS3 for Windows', 'Halden Software Painter CS3 Academic DVD'],
  [
    'mark',
    'Halden Armor Case for Phone 15 Pro Black',
    'Armor Halden Phone 15 Pro Max Hülle, Black',
  ],
  ['mark', 'Halden Painter for Windows', 'Halden Software Upgrade from Painter Graphics'],
];

test('the difference between two products is named, whichever title comes first', () => {
  for (const [name, one, two] of DISTINGUISHED) {
    const [a, b] = [listing(one), listing(two)];
    const label = JSON.stringify([one, two]);
    assert.equal(distinguishingDifference(a, b)?.name, name, label);
    assert.equal(distinguishingDifference(b, a)?.name, name, label);
  }
});

const SAME_PRODUCT: readonly (readonly [string | MatchInput, string | MatchInput])[] = [
  // The same words, or no words.
  ['Halden QX700 Headphones', 'Halden QX700 Headphones'],
  ['', 'Halden QX700 Headphones'],
  // A shared model number outweighs the words next to it, however it is spaced.
  ['Halden WH-1000QX4 Wireless Headphones', 'Halden WH1000QX4 Noise Cancelling Headphones'],
  ['Halden QX70021 Steel Kettle', 'Halden QX70021 Cordless Kettle'],
  [
    { title: 'Halden Kettle Cordless', model: 'HK1750' },
    { title: 'Halden Kettle Whistling', model: 'HK1750' },
  ],
  ['Halden Graphics Card QX-4070-12', 'Halden Upgrade Graphics Card QX-4070-12 Fast'],
  // Without a statement the standard edition is meant, and a mark may be joined to the next word.
  ['Halden Football 24 Xbox Game', 'Football 24 Standard Edition Halden Xbox'],
  ['Halden 860 Pro 1TB SSD', 'SSD Halden 860 Pro Basic 1TB'],
  ['Halden CLI 551 XL Ink Black', 'Black Ink Cartridge Halden 551BKXL'],
  ['Halden Note 8 Pro64GB Phone', 'Phone Halden Note 8 Pro 64 GB Grey'],
  // Another spelling or a longer form of the same word.
  ['Halden Linguine n°7 500g', 'Halden Linguine No. 7, 500g'],
  ['Halden Zorb Est Belle EDP 50ml', 'Halden Zorb Est Belle Eau de Parfum 50 ml'],
  ['Zorbling Hidden Quest PS5', 'Zorbling Hidden Quest - PlayStation® 5'],
  ['Halden Multi Surface Cleaner Lemon', 'Halden Multi Surfaces Cleaner Lemon'],
  // Words that shops add to a title or leave out.
  ['Halden QX700 Headphones', 'Halden QX700 Bluetooth Headphones'],
  ['Halden QX700 Headphones', 'Halden QX700 Headphones New'],
  ['Halden Case for QX700', 'Halden Sleeve for QX700 Leather Brown'],
  // Several colours make a pattern, which every shop names differently.
  ['Halden Red Rug Striped Blue', 'Halden Green Rug Dotted White'],
  // The same number, amount or size, in several words, in another unit or without its unit.
  ['Halden RF 50mm f/1.2L Lens', 'Halden RF 50mm F1.2 L Lens'],
  ['Halden Z 24-70mm f/4 S Lens', 'Halden Z 24-70mm F4 S Lens'],
  ['Halden Cap E-52 II', 'Halden Cap E-52II'],
  ['Halden Red Label 0,7l (40%)', 'Halden Red Label 70 cl'],
  ['Halden Coated 14in Drum Head', 'Halden Coated 14\\" Drum Head'],
  ['Halden RX 5500 Pulse 4GB', 'Halden RX 5500 Pulse 4G'],
  ['Halden Grand Zorb Perfume 2.4 oz', 'Halden Grand Zorb Perfume 70ml'],
  ['Halden Grand Zorb Pasta 12 oz', 'Halden Grand Zorb Pasta 340 g'],
  ['Halden Oreiller Plume 60x60 cm', 'Halden Oreiller en Plume 60 x 60'],
  ['Halden QX10+ Phone 128GB Black', 'Halden QX10 Plus Phone 128GB Black'],
  ['Halden QX10+ Phone 128GB Black', 'Halden Phone QX10 Plus 128 GB, Black'],
  ['Halden OLED Console White', 'Halden OLED Console w/ White'],
  // An offer, a warranty and a shop's own number say nothing about the product.
  ['Halden Zorb Cleaner 500ml', 'Halden Zorb Cleaner 500ml Limited Time Offer'],
  ['Halden Rio 125 LED Aquarium', 'Halden Rio 125 LED Aquarium - 2 Year Warranty'],
  ['Halden Rio 125 LED Aquarium', 'Halden Rio 125 LED Aquarium, 5 Year Limited Warranty'],
  ['Halden Night Breaker Bulb 7', 'Halden Night Breaker Bulb 7 (MPN: KL44690-A)'],
  // The intended user, written apart, joined, and in another language.
  ["Halden Ghost 15 Men's Running Shoes", 'Halden Ghost 15 Mens Running Shoes'],
  ['Halden Ghost 15 Men’s Running Shoes', 'Halden Ghost 15 Herren Running Shoes'],
  // Two words and one, also if comparisons know one of the two by another spelling.
  ['Halden Paste Pro-Expert Multi 75 ml', 'Halden Paste ProExpert Multi 75 ml'],
  ['Zorbling: Part Two Blu-ray', 'Zorbling: Part Two Bluray'],
  // The same pack count.
  ['Halden Instant Film - White (Pack of 10)', 'Halden Instant Film - White (10 Pack) | Zorb'],
  ['Halden Reveal Bulb LED 4 Pack', 'Halden Reveal Bulb LED 4er-Pack'],
  // Two titles that differ in two places are left to the trees.
  ['Halden Oat Cereal Cinnamon 12 oz', 'Corvane Oat Cereal Blueberry 12 oz'],
];

test('another spelling, words that shops omit and several differences decide nothing', () => {
  for (const [one, two] of SAME_PRODUCT) {
    const [a, b] = [listing(one), listing(two)];
    const label = JSON.stringify([one, two]);
    assert.equal(distinguishingDifference(a, b), null, label);
    assert.equal(distinguishingDifference(b, a), null, label);
  }
});

const TRANSLATED: readonly (readonly [string, string])[] = [
  [
    'Halden Sensitive Professional Toothpaste 75ml',
    'Halden Sensitive Professional Zahnpasta 75 ml',
  ],
  ['Halden QX Tune Wireless Headphones', 'Halden QX Tune Casque sans fil'],
  ['Halden Qualita Oro Ground Coffee', 'Halden Qualita Oro Caffè macinato'],
  ['Halden Copa Football Boots', 'Halden Copa Botas de fútbol'],
  ['Halden Mini Electric Scooter Black', 'Halden Mini Electric Scooter hulajnoga czarna'],
  ['Halden Mono Eraser Sand', 'Halden Mono Radiergummi Sand'],
  ['Halden Futura Swimming Goggles', 'Halden Futura Очки для плавания'],
  ['Halden Comfort Pump 20', 'Halden Comfort Pumpe für Garten 20'],
  ['Halden Soft Moisturising Cream 200 ml', 'Halden Soft Feuchtigkeitscreme 200 ml'],
  ['Halden DKL Blackout Blind 1025', 'Halden DKL Verdunkelungsrollo 1025'],
  // English words occur in titles of any language.
  ['Halden Repair & Protect Toothpaste', 'Halden Repair and Protect Zahnpasta'],
];

test('different words in one place decide nothing if each title is in its own language', () => {
  for (const [one, two] of TRANSLATED) {
    const [a, b] = [listing(one), listing(two)];
    assert.equal(distinguishingDifference(a, b), null, `${one} | ${two}`);
    assert.equal(distinguishingDifference(b, a), null, `${two} | ${one}`);
  }
});

test('the words that differ are given in one spelling, each for its side', () => {
  const found = distinguishingDifference(
    listing('Halden Snug Diapers Size 3'),
    listing('Halden Snug Diapers Size 4'),
  );
  assert.deepEqual([found?.one, found?.two], [['3'], ['4']]);
  const mark = distinguishingDifference(listing('Halden Phone 12'), listing('Halden Phone 12 Pro'));
  assert.deepEqual([mark?.one, mark?.two], [[], ['professional']]);
  const anywhere = distinguishingDifference(
    listing('Halden Dual RTX 4070 Super OC'),
    listing('Card Halden RTX 4070 OC Dual Fan'),
  );
  assert.deepEqual([anywhere?.one, anywhere?.two], [['super'], []]);
});

test('of two alone another platform, and one word in the place of one, have a reason; numbers, more words and what it is for have none', () => {
  const reasonOf = (one: string, two: string) =>
    otherWord(listing(one), listing(two))?.detail ?? null;
  assert.equal(
    reasonOf('Halden Jam Quince 370 g', 'Halden Jam Medlar 370g'),
    'title quince vs medlar',
  );
  assert.equal(
    reasonOf('Halden Video Suite Mac', 'Halden Windows Video Suite'),
    'platform mac vs win',
  );
  for (const [one, two] of [
    ['Halden Jam Quince 370 g', 'Halden Jam Quince 370g'],
    ['Halden Ink Cartridge 245', 'Halden Ink Cartridge 245XL'],
    ['Halden Drill Hammer Set Red', 'Halden Drill Percussion Machine Red'],
    ['Halden Headset for PS4', 'Halden Headset for Xbox One'],
  ] as const) {
    assert.equal(reasonOf(one, two), null, `${one} | ${two}`);
  }
});
