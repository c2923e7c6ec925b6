// What a group of listings states together: which title represents it, which listings are of another product, how certain
// that is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consensusOf } from '../../../src/rules/matching/group/consensus.ts';
import { prepareListing } from '../../../src/rules/matching/prepared/prepared.ts';
import { statedTraits } from '../../../src/rules/matching/traits/stated-traits.ts';
import { MODEL } from './shipped-model.ts';

function entries(...titles: readonly (string | null)[]) {
  return titles.map((title, at) => ({
    retailer: `shop${at}`,
    prepared: prepareListing({ title }, MODEL.vocabulary),
    traits: statedTraits({ title, brand: null, model: null, packCount: null }),
  }));
}

/** Returns the result for each order of the titles. */
function inEveryOrder(titles: readonly string[]) {
  return ordersOf(titles).map((order) => consensusOf(MODEL, entries(...order)));
}

function ordersOf(titles: readonly string[]): readonly (readonly string[])[] {
  if (titles.length < 2) return [titles];
  return titles.flatMap((title, at) =>
    ordersOf(titles.toSpliced(at, 1)).map((rest) => [title, ...rest]),
  );
}

const PRINTERS = [
  'Halden ZX-4410B laser printer black',
  'Halden ZX4410B Laser Printer',
  'Laser printer Halden ZX-4410B, black',
] as const;

test('the title that the others are most like speaks for all, and nobody disagrees', () => {
  const { title, disagreements, score } = consensusOf(MODEL, entries(...PRINTERS));
  assert.ok(title !== null && (PRINTERS as readonly string[]).includes(title));
  assert.deepEqual(disagreements, []);
  assert.ok(score !== null && score > 0.8, String(score));
});

test('a listing of another product is left out, named with its reason, and lowers the score', () => {
  const intruder = 'Corvane QP-9120 ink cartridge yellow';
  const all = consensusOf(MODEL, entries(PRINTERS[0], intruder, PRINTERS[1], PRINTERS[2]));
  assert.notEqual(all.title, intruder);
  assert.equal(all.disagreements.length, 1);
  const [disagreement] = all.disagreements;
  assert.equal(disagreement?.retailer, 'shop1');
  assert.equal(disagreement?.theirTitle, intruder);
  assert.equal(disagreement?.reason, 'model');
  const pure = consensusOf(MODEL, entries(...PRINTERS));
  assert.ok((all.score ?? 1) < (pure.score ?? 0));
});

test('the score of a record with one wrong row is of the rows that stay, and below every score without one', () => {
  const seven = [...PRINTERS, ...PRINTERS, PRINTERS[0]];
  const scoreOf = (...titles: readonly string[]): number =>
    consensusOf(MODEL, entries(...titles)).score ?? -1;
  const sound = scoreOf(...seven);
  for (const wrong of [
    'Corvane QP-9120 ink cartridge yellow',
    'Halden ZX-4410B Laser Printer Bundle',
  ]) {
    const of = (count: number): number => scoreOf(...seven.slice(0, count), wrong);
    assert.ok(of(6) > 0.4 && of(6) < 0.5 && of(6) < sound, `${wrong}: ${of(6)}`);
    assert.ok(of(2) < of(3) && of(3) < of(6), wrong);
  }
  const strangers = scoreOf('Halden ZX-4410B', 'Corvane QP-9120 ink', 'Garden Hose 50 ft');
  assert.ok(strangers < 0.1, String(strangers));
});

test('one listing alone is not scored, and none has no title', () => {
  const alone = consensusOf(MODEL, entries('Halden ZX-4410B'));
  assert.deepEqual(alone, {
    title: 'Halden ZX-4410B',
    disagreements: [],
    score: null,
  });
  assert.deepEqual(consensusOf(MODEL, []), {
    title: null,
    disagreements: [],
    score: null,
  });
  assert.equal(consensusOf(MODEL, entries(null, '!!!')).title, null);
  assert.equal(consensusOf(MODEL, entries(null, 'Halden lamp')).title, 'Halden lamp');
});

test('of two that contradict each other the later one disagrees', () => {
  const two = consensusOf(MODEL, entries('Corvane drive 64GB', 'Corvane drive 128GB'));
  assert.deepEqual(
    two.disagreements.map(({ retailer, reason, detail }) => [retailer, reason, detail]),
    [['shop1', 'capacity', 'capacity 64gb vs 128gb']],
  );
  assert.ok((two.score ?? 1) < 0.2);
});

test('the order of the listings does not change what is found', () => {
  const titles = ['Corvane QP-9120 ink cartridge yellow', ...PRINTERS];
  const found = titles.map((_, turn) => {
    const turned = [...titles.slice(turn), ...titles.slice(0, turn)];
    const { score, disagreements } = consensusOf(MODEL, entries(...turned));
    return [score?.toFixed(9), disagreements.map(({ theirTitle }) => theirTitle)];
  });
  for (const one of found) assert.deepEqual(one, found[0]);
});

test('another model of the line is left out where two have the same number, and named with both', () => {
  const kettle = (number: string, colour: string): string =>
    `Tarnfield Walnut Kettle 1.5 L ${number}, ${colour}`;
  const all = entries(
    kettle('TA600226', 'Ink'),
    kettle('TA800225', 'Ink'),
    kettle('TA600226', 'Ink'),
  );
  const { disagreements, score } = consensusOf(MODEL, all);
  assert.deepEqual(
    disagreements.map(({ retailer, reason, detail }) => [retailer, reason, detail]),
    [['shop1', 'model', 'model ta600226 vs ta800225']],
  );
  assert.ok(score !== null && score < 0.5, String(score));
});

test('numbers that are written otherwise are a shop’s own', () => {
  const lamp = 'Halden brass desk lamp with dimmer';
  const own = entries(`${lamp} ZX4410B`, `${lamp} ZX4410B`, `${lamp}, shop no. A-7781`);
  assert.deepEqual(consensusOf(MODEL, own).disagreements, []);
});

test('of three products under one barcode the first stays, and both others are left out', () => {
  const titles = [
    'Cobbleton Brass Letter Tray',
    'Vardo Steel Camping Stove',
    'Halden QX700 Headphones',
  ];
  for (const order of ordersOf(titles)) {
    const { title, disagreements } = consensusOf(MODEL, entries(...order));
    assert.equal(title, order[0]);
    assert.deepEqual(
      disagreements.map(({ theirTitle, isDoubt }) => [theirTitle, isDoubt]),
      order.slice(1).map((each) => [each, false]),
    );
  }
});

test('of three colours, and of a listing, its pack of ten and another product, the first stays', () => {
  const single = 'Corvane 628061-S21 3TB Drive';
  for (const titles of [
    ['White', 'Brown', 'Black'].map((colour) => `Corvane CX260 Camcorder (${colour})`),
    [`${single} 10 Pack`, single, 'Halden 782995-B31 6TB Drive'],
  ]) {
    for (const order of ordersOf(titles)) {
      const { title, disagreements } = consensusOf(MODEL, entries(...order));
      assert.equal(title, order[0]);
      assert.equal(disagreements.filter(({ isDoubt }) => !isDoubt).length, 2);
    }
  }
});

test('who of three that agree is doubted does not depend on which shop comes first', () => {
  const titles = [
    'Sundrift QX5 Trail Running Shoes, Size M',
    'Sundrift Trail Running Shoes QX5, Size L',
    'Sundrift QX5 Trail Running Shoes',
  ];
  const doubted = inEveryOrder(titles).map(({ disagreements }) =>
    disagreements.map(({ theirTitle }) => theirTitle),
  );
  assert.notDeepEqual(doubted[0], []);
  for (const each of doubted) assert.deepEqual(each, doubted[0]);
});

test('of two that contradict each other next to an outlier the first of all stays, alone', () => {
  const titles = [
    'Cobbleton Claw Hammer CO100472, Moss',
    'Tarnfield Cork Headphones TA400461',
    'Cobbleton Claw Hammer CO500473, Slate',
  ];
  for (const order of ordersOf(titles)) {
    const { title, disagreements } = consensusOf(MODEL, entries(...order));
    assert.equal(disagreements.filter(({ isDoubt }) => !isDoubt).length, 2);
    assert.equal(title, order[0]);
  }
});

test('of two equally large parts the one whose listings are more alike stays, whoever comes first', () => {
  const large = 'Halden XBR Television 52 inch';
  const titles = [
    'Halden Bravia Television 32 inch black',
    large,
    'Halden Bravia Television black',
  ];
  for (const { disagreements } of inEveryOrder(titles)) {
    assert.deepEqual(
      disagreements.map(({ theirTitle, isDoubt }) => [theirTitle, isDoubt]),
      [[large, false]],
    );
  }
});

test('a detail of another kind is named only next to what each of the others states as its own detail, in every order', () => {
  const titles = [
    'Arden slim case for tablet, grey',
    'Arden slim case for tablet with stand',
    'Arden slim tablet case, charcoal grey leather',
  ];
  const found = inEveryOrder(titles).map(({ score, disagreements }) => [
    score?.toFixed(9),
    disagreements.map(({ theirTitle }) => theirTitle),
  ]);
  for (const one of found) assert.deepEqual(one, [found[0]?.[0], []]);
});

test('two of another product that are alike are left out together, whoever comes first', () => {
  const trays = [
    'Sundrift Enamel Letter Tray',
    'Letter Tray Sundrift Enamel, Ink',
    'Sundrift Letter Tray, Enamel',
  ];
  const ladder = 'Tarnfield Cork Step Ladder 6 ft';
  for (const titles of [
    [...trays, ladder, `${ladder}, Black`],
    [ladder, `${ladder}, Black`, ...trays],
  ]) {
    const five = consensusOf(MODEL, entries(...titles));
    assert.ok(trays.includes(five.title ?? ''), five.title ?? 'none');
    assert.deepEqual(
      five.disagreements.map(({ theirTitle, isDoubt }) => [
        theirTitle.slice(0, ladder.length),
        isDoubt,
      ]),
      [
        [ladder, false],
        [ladder, false],
      ],
    );
  }
});

test('the outlier of four is who lacks the words of the others and has its own', () => {
  const cap = 'Norvik Fjord Hikers Wool Cap';
  const odd = 'Norvik Lakeland Skaters Linen Cap';
  const others = ['Wool Cap Norvik Fjord Hikers Unisex', 'Norvik Fjord Hikers Wool Cap, Adult'];
  const four = consensusOf(MODEL, entries(cap, odd, ...others));
  assert.deepEqual(
    four.disagreements.map(({ theirTitle, isDoubt }) => [theirTitle, isDoubt]),
    [[odd, false]],
  );
  assert.deepEqual(consensusOf(MODEL, entries(cap, ...others)).disagreements, []);
});

test('a word that is a thing in both titles is not a colour of either', () => {
  const three = entries(
    'Halden Espresso Machine QX700 Copper',
    'Halden Espresso Machine QX700 Sky Blue',
    'Halden QX700 Espresso Machine, Sky Blue',
  );
  const { disagreements } = consensusOf(MODEL, three);
  assert.deepEqual(
    disagreements.map(({ retailer, reason }) => [retailer, reason]),
    [['shop0', 'colour']],
  );
});

test('flavours differ next to a flavour word that both titles have', () => {
  const three = entries(
    'Halden Potato Chips, Barbecue, 8 oz',
    'Halden Potato Chips, Jalapeno, 8 oz',
    'Halden Jalapeno Potato Chips 8 oz',
  );
  const { disagreements } = consensusOf(MODEL, three);
  assert.deepEqual(
    disagreements.map(({ retailer, detail }) => [retailer, detail]),
    [['shop0', 'flavour jalapeno vs barbecue']],
  );
});

test('two models of a line, as often each: the one of the earliest listing stays', () => {
  const [one, two] = ['Halden lamp brass ZX4410B', 'Halden lamp brass ZX4420B'];
  const pair = consensusOf(MODEL, entries(one, two));
  const four = consensusOf(MODEL, entries(one, two, two, one));
  for (const { title } of [pair, four]) assert.equal(title, one);
  const answered = (consensus: typeof pair): unknown =>
    consensus.disagreements.map(({ retailer, detail }) => [retailer, detail]);
  assert.deepEqual(answered(pair), [['shop1', 'model zx4410b vs zx4420b']]);
  assert.deepEqual(answered(four), [
    ['shop1', 'model zx4410b vs zx4420b'],
    ['shop2', 'model zx4410b vs zx4420b'],
  ]);
});
