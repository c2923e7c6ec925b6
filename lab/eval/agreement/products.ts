// Invented products for lab/eval/agreement.ts and their titles, as different shops would write them. The differences
// between two products of a kind are drawn from wide grammars, so that no rule can rely on one shape of number or one word.

import type { Goods, Words } from './words.ts';

/** Deterministic: 0 to 1 without 1. */
export type Draw = () => number;

/** Mulberry32. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function oneOf<T>(draw: Draw, from: readonly T[]): T {
  return from[Math.floor(draw() * from.length)] as T;
}

/** Draws one other than `than`. */
export function otherOf<T>(draw: Draw, from: readonly T[], than: T): T {
  return oneOf(
    draw,
    from.filter((each) => each !== than),
  );
}

export function between(draw: Draw, least: number, most: number): number {
  return least + Math.floor(draw() * (most - least + 1));
}

export type MadeProduct = {
  readonly type: 'device' | 'food' | 'supplement' | 'paper' | 'work' | 'worn';
  readonly brand: string;
  readonly goods: Goods;
  readonly model: string | null;
  readonly variant: string | null;
  readonly generation: number | null;
  readonly colour: string | null;
  readonly gigabytes: number | null;
  readonly flavour: string | null;
  readonly size: string | null;
  readonly ounces: number | null;
  readonly milligrams: number | null;
  readonly count: number | null;
  readonly counted: string;
  readonly packs: number;
  readonly edition: string | null;
  readonly editionNumber: number | null;
  readonly form: 'body' | 'kit' | null;
};

const NOTHING = {
  model: null,
  variant: null,
  generation: null,
  colour: null,
  gigabytes: null,
  flavour: null,
  size: null,
  ounces: null,
  milligrams: null,
  count: null,
  counted: 'count',
  packs: 1,
  edition: null,
  editionNumber: null,
  form: null,
} as const;

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function brandFrom(draw: Draw, { syllables }: Words): string {
  const parts = Array.from({ length: between(draw, 2, 3) }, () => oneOf(draw, syllables));
  return capital(parts.join(''));
}

const LETTERS = Array.from('ABCDEFGHKLMNPRSTUVWX');

function modelFrom(draw: Draw, { modelShapes }: Words): string {
  return oneOf(draw, modelShapes)
    .replaceAll('L', () => oneOf(draw, LETTERS))
    .replaceAll('l', () => oneOf(draw, LETTERS).toLowerCase())
    .replaceAll('9', () => String(between(draw, 1, 9)));
}

/** Returns the next model of the line, which differs in one digit, or one letter if there are several. */
export function siblingModel(draw: Draw, model: string): string {
  const places = Array.from(model).flatMap((each, at) => (/\d/.test(each) ? [at] : []));
  const at = oneOf(draw, places);
  const digit = String((Number(model[at]) % 9) + 1);
  return model.slice(0, at) + digit + model.slice(at + 1);
}

const goodsOf = (name: string): Goods => ({
  names: [name],
  features: [],
  accessories: [],
  extras: [],
});

/** Draws a product of the type. */
export function makeProduct(draw: Draw, words: Words, type: MadeProduct['type']): MadeProduct {
  const brand = brandFrom(draw, words);
  const base = { ...NOTHING, type, brand };
  switch (type) {
    case 'device': {
      const has = (share: number): boolean => draw() < share;
      return {
        ...base,
        goods: oneOf(draw, words.devices),
        model: modelFrom(draw, words),
        variant: has(0.2) ? oneOf(draw, words.variants) : null,
        generation: has(0.3) ? between(draw, 2, 9) : null,
        colour: has(0.7) ? oneOf(draw, words.colours) : null,
        gigabytes: has(0.3) ? oneOf(draw, [16, 32, 64, 128, 256, 512]) : null,
      };
    }
    case 'food': {
      const [name, ...flavours] = oneOf(draw, words.foods);
      return {
        ...base,
        goods: { ...goodsOf(name), features: flavours },
        flavour: oneOf(draw, flavours),
        ounces: oneOf(draw, [4, 6.5, 8, 10, 12, 16, 20, 24, 32]),
        packs: draw() < 0.5 ? oneOf(draw, [2, 3, 4, 6, 8, 12, 24]) : 1,
      };
    }
    case 'supplement':
      return {
        ...base,
        goods: goodsOf(oneOf(draw, words.supplements)),
        milligrams: oneOf(draw, [50, 100, 250, 400, 500, 750, 1000, 1200]),
        count: oneOf(draw, [30, 60, 90, 100, 120, 180, 240]),
        counted: oneOf(draw, words.forms).toLowerCase(),
        packs: draw() < 0.2 ? oneOf(draw, [2, 3]) : 1,
      };
    case 'paper': {
      const [name, counted] = oneOf(draw, words.paper);
      return {
        ...base,
        goods: goodsOf(name),
        count: oneOf(draw, [20, 24, 36, 45, 60, 72, 80, 100, 120, 200]),
        counted,
        packs: draw() < 0.5 ? oneOf(draw, [2, 3, 4, 6, 8, 10]) : 1,
      };
    }
    case 'work':
      return {
        ...base,
        goods: goodsOf(oneOf(draw, words.works)),
        edition: draw() < 0.5 ? oneOf(draw, words.editions) : null,
        editionNumber: draw() < 0.5 ? between(draw, 2, 14) : null,
      };
    case 'worn':
      return {
        ...base,
        goods: goodsOf(oneOf(draw, words.worn)),
        size: oneOf(draw, oneOf(draw, words.sizes)),
        colour: oneOf(draw, words.colours),
        model: draw() < 0.4 ? modelFrom(draw, words) : null,
      };
  }
}

const ORDINAL = (number: number): string =>
  `${number}${['th', 'st', 'nd', 'rd'][number > 3 && number < 21 ? 0 : number % 10] ?? 'th'}`;

function modelAs(draw: Draw, model: string): string {
  // Shops omit hyphens or replace them with blanks.
  const between_ = oneOf(draw, ['-', '-', '', ' ']);
  return model.replaceAll('-', between_);
}

function generationAs(draw: Draw, number: number): string {
  return oneOf(draw, [
    `${ORDINAL(number)} Gen`,
    `${ORDINAL(number)} Generation`,
    `Gen ${number}`,
    `(${ORDINAL(number)} Gen)`,
  ]);
}

/** Formats packs and counts in one of the ways in which shops write them; `isSplit`: written as packs of packs. */
function packAs(draw: Draw, { packs, count, counted }: MadeProduct, isSplit: boolean): string {
  const all: string[] = [];
  if (isSplit) {
    const inner = oneOf(
      draw,
      [2, 3, 4, 6, 12].filter((each) => packs % each === 0 && each < packs),
    );
    const outer = packs / inner;
    return oneOf(draw, [
      `${outer} x ${inner} Pack`,
      `${inner} ct (Pack of ${outer})`,
      `${inner}-Pack (Pack of ${outer})`,
      `${inner} Count, Pack of ${outer}`,
    ]);
  }
  if (count !== null) {
    all.push(
      oneOf(draw, [
        `${count} ${capital(counted)}`,
        `${count} ${counted}`,
        `${count} Count`,
        `${count} ct`,
      ]),
    );
  }
  if (packs > 1) {
    all.push(
      oneOf(draw, [
        `Pack of ${packs}`,
        `(Pack of ${packs})`,
        `${packs} Pack`,
        `${packs}-Pack`,
        `(${packs} Pack)`,
      ]),
    );
  }
  return all.join(', ');
}

/** The product traits that a title omits. */
export type Trait =
  | 'model'
  | 'variant'
  | 'generation'
  | 'colour'
  | 'capacity'
  | 'flavour'
  | 'size'
  | 'dose'
  | 'pack'
  | 'edition'
  | 'form';

export type TitleRules = {
  readonly without: ReadonlySet<Trait>;
  /** The pack is written as packs of packs. */
  readonly isSplit?: boolean;
};

/** Returns a product's title at one shop. */
export function titleOf(draw: Draw, words: Words, made: MadeProduct, rules: TitleRules): string {
  const { goods } = made;
  const states = (trait: Trait): boolean => !rules.without.has(trait);
  const parts: (string | null)[] = [];
  const head: (string | null)[] = [draw() < 0.93 ? made.brand : null];
  if (made.model !== null && states('model')) head.push(modelAs(draw, made.model));
  if (made.variant !== null && states('variant')) head.push(made.variant);
  const name = draw() < 0.75 ? goods.names[0] : oneOf(draw, goods.names);
  head.push(
    made.type === 'food' && states('flavour') && draw() < 0.5 ? `${made.flavour} ${name}` : name,
  );
  if (draw() < 0.15) head.reverse();
  if (made.type === 'supplement' && states('dose')) {
    head.push(`${made.milligrams}${oneOf(draw, [' mg', 'mg'])}`);
  }
  parts.push(head.filter((each) => each !== null).join(' '));
  if (made.generation !== null && states('generation'))
    parts.push(generationAs(draw, made.generation));
  if (made.flavour !== null && states('flavour') && !(parts[0] ?? '').includes(made.flavour)) {
    parts.push(made.flavour);
  }
  if (made.ounces !== null && states('size')) {
    parts.push(
      `${made.ounces}${oneOf(draw, [' oz', 'oz', ' Ounce', ' fl oz'.replace('fl ', '')])}`,
    );
  }
  if (made.size !== null && states('size')) parts.push(made.size);
  if (made.editionNumber !== null && states('edition')) {
    parts.push(`${ORDINAL(made.editionNumber)} Edition`);
  }
  if (made.edition !== null && states('edition')) parts.push(made.edition);
  if (made.type === 'device') {
    const most = between(draw, 0, 3);
    const features = goods.features.filter(() => draw() < 0.5).slice(0, most);
    parts.push(...features);
  }
  if (made.gigabytes !== null && states('capacity'))
    parts.push(`${made.gigabytes}${oneOf(draw, ['GB', ' GB'])}`);
  if (made.form !== null && states('form')) parts.push(formAs(draw, made));
  if (made.colour !== null && states('colour'))
    parts.push(oneOf(draw, [made.colour, `(${made.colour})`]));
  if (states('pack')) parts.push(packAs(draw, made, rules.isSplit === true));
  if (draw() < 0.15) parts.push(oneOf(draw, words.claims));
  if (draw() < 0.04) parts.push(`#${between(draw, 10_000, 9_999_999)}`);
  const mark = oneOf(draw, [', ', ' - ', ' ', ', ', ' | ']);
  return parts
    .filter((each) => each !== null && each !== '')
    .join(mark)
    .replaceAll(/ (?:-|\||,) \(/g, ' (')
    .replaceAll(/, \(/g, ' (');
}

function formAs(draw: Draw, { form, goods }: MadeProduct): string {
  if (form === 'body')
    return oneOf(draw, ['Body Only', '(Body Only)', 'Tool Only', 'Bare Unit Only']);
  const extra = oneOf(draw, goods.extras);
  return oneOf(draw, [`Kit with ${extra}`, `Kit w/ ${extra}`, 'Starter Kit', `${extra} Kit`]);
}
