import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isMadeFor } from '../../../src/rules/matching/traits/made-for.ts';

const named = (title: string, brand: string | null = null, model: string | null = null) => ({
  title,
  brand,
  model,
});

const HEADPHONES = named('Arden QX700 Wireless Headphones', 'Arden', 'QX700');

const CASES: readonly (readonly [string, string, boolean])[] = [
  ['an accessory of the brand', 'Ear Pads for Arden QX700 Headphones', true],
  ['of the model', 'Hard case compatible with QX-700', true],
  ['with an article between', 'Replacement cushions for the Arden QX700', true],
  ['in another language', 'Ohrpolster für Arden QX700', true],
  ['the product itself', 'Arden QX700 Headphones for Travel', false],
  ['the product, said to be for something of its brand', 'Arden QX700 for Arden players', false],
  ['for somebody', 'Headphones for Kids, Blue', false],
  ['nothing of the kind', 'Arden QX700 Charging Cable', false],
];

for (const [name, title, expected] of CASES) {
  test(`${name}: ${expected ? 'made for it' : 'not said to be'}`, () => {
    assert.equal(isMadeFor(named(title), HEADPHONES), expected);
  });
}

test('a product whose own title says for is compared with its like', () => {
  const ink = named('Ink Cartridge for Arden Printers', 'Arden', '950XL');
  assert.equal(isMadeFor(named('Black Ink for Arden Printers'), ink), false);
});

test('names of fewer than four letters prove nothing', () => {
  const product = named('LG C3 Television', 'LG', 'C3');
  assert.equal(isMadeFor(named('Wall mount for LG C3'), product), false);
});
