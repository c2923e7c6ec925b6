// Two titles that agree in nearly all words: which differences tell two products, and which are only said otherwise.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { prepareListing } from '../../src/matching/prepared.ts';
import type { MatchInput, Prepared } from '../../src/matching/prepared.ts';
import {
  tellingDifference,
  type TellingDifference,
} from '../../src/matching/telling-differences.ts';
import { MODEL } from './shipped-model.ts';

function listing(input: string | MatchInput): Prepared {
  return prepareListing(typeof input === 'string' ? { title: input } : input, MODEL.vocabulary);
}

type Told = readonly [name: TellingDifference['name'], one: string, two: string];

const TOLD: readonly Told[] = [
  ['part', 'Halden QX700 Headphones', 'Travel Case for Halden QX700 Headphones'],
  ['condition', 'Halden QX700 Headphones', 'Halden QX700 Headphones (Renewed)'],
  ['condition', 'Halden QX700 Headphones', 'Halden QX700 Headphones Open Box'],
  ['bundle', 'Halden D40 Camera Body Only', 'Halden D40 Camera with Lens Kit'],
  ['colour', 'Halden Felt Hat Navy', 'Halden Felt Hat Crimson'],
  ['platform', 'Halden 35mm Art Lens [Canon]', 'Halden Art 35mm Lens for Nikon'],
  [
    'swap',
    'Halden Spannbettlaken Jersey grau 140x200',
    'Halden Spannbettlaken Frottee grau 140x200',
  ],
  ['swap', 'Halden Snug Diapers Size 3', 'Halden Snug Diapers Size 4'],
  ['swap', 'Halden Ink Cartridge 245', 'Halden Ink Cartridge 245XL'],
  ['swap', 'Halden Oat Cereal Cinnamon Flakes', 'Halden Oat Cereal Blueberry Flakes'],
  ['mark', 'Halden Phone 12', 'Halden Phone 12 Pro'],
  ['mark', 'Halden Racer Machine', 'Halden Racer Machine Next'],
  ['mark', 'Halden Camera QX100', 'Halden Camera QX100 II'],
  ['mark', 'Halden City Builders Game', 'Halden City Builders Game Deluxe Edition'],
];

test('what tells two products is named, whichever title comes first', () => {
  for (const [name, one, two] of TOLD) {
    const [a, b] = [listing(one), listing(two)];
    assert.equal(tellingDifference(a, b)?.name, name, `${one} | ${two}`);
    assert.equal(tellingDifference(b, a)?.name, name, `${two} | ${one}`);
  }
});

const UNTOLD: readonly (readonly [string | MatchInput, string | MatchInput])[] = [
  // The same words, or none.
  ['Halden QX700 Headphones', 'Halden QX700 Headphones'],
  ['', 'Halden QX700 Headphones'],
  // A model number that both have outweighs what stands beside it, however it is spaced.
  ['Halden WH-1000QX4 Wireless Headphones', 'Halden WH1000QX4 Noise Cancelling Headphones'],
  ['Halden QX70021 Steel Kettle', 'Halden QX70021 Cordless Kettle'],
  [
    { title: 'Halden Kettle Cordless', model: 'HK1750' },
    { title: 'Halden Kettle Whistling', model: 'HK1750' },
  ],
  // Another spelling or a longer form of the same word.
  ['Halden Multi Surface Cleaner Lemon', 'Halden Multi Surfaces Cleaner Lemon'],
  // What shops put into a title or leave out.
  ['Halden QX700 Headphones', 'Halden QX700 Bluetooth Headphones'],
  ['Halden QX700 Headphones', 'Halden QX700 Headphones New'],
  ['Halden Case for QX700', 'Halden Sleeve for QX700 Leather Brown'],
  // Many colours are a pattern, which every shop names otherwise.
  ['Halden Red Rug Striped Blue', 'Halden Green Rug Dotted White'],
  // One number, amount or size, written in several words, in another unit or without its unit.
  ['Halden RF 50mm f/1.2L Lens', 'Halden RF 50mm F1.2 L Lens'],
  ['Halden Z 24-70mm f/4 S Lens', 'Halden Z 24-70mm F4 S Lens'],
  ['Halden Cap E-52 II', 'Halden Cap E-52II'],
  ['Halden Red Label 0,7l (40%)', 'Halden Red Label 70 cl'],
  ['Halden Coated 14in Drum Head', 'Halden Coated 14\\" Drum Head'],
  ['Halden RX 5500 Pulse 4GB', 'Halden RX 5500 Pulse 4G'],
  ['Halden Oreiller Plume 60x60 cm', 'Halden Oreiller en Plume 60 x 60'],
  // Two titles that differ in two places are for the trees.
  ['Halden Oat Cereal Cinnamon 12 oz', 'Corvane Oat Cereal Blueberry 12 oz'],
];

test('another spelling, words that shops leave out and several differences tell nothing', () => {
  for (const [one, two] of UNTOLD) {
    const [a, b] = [listing(one), listing(two)];
    const label = JSON.stringify([one, two]);
    assert.equal(tellingDifference(a, b), null, label);
    assert.equal(tellingDifference(b, a), null, label);
  }
});

test('the words that differ are given in one spelling, each for its side', () => {
  const found = tellingDifference(
    listing('Halden Snug Diapers Size 3'),
    listing('Halden Snug Diapers Size 4'),
  );
  assert.deepEqual([found?.one, found?.two], [['3'], ['4']]);
  const mark = tellingDifference(listing('Halden Phone 12'), listing('Halden Phone 12 Pro'));
  assert.deepEqual([mark?.one, mark?.two], [[], ['professional']]);
});
