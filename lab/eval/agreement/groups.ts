// Groups of listings under one barcode with known truth: two or three of one product, mostly with one of another product
// among them (lab/eval/agreement.ts).

import type { Words } from './words.ts';
import {
  between,
  drawFrom,
  makeProduct,
  oneOf,
  otherOf,
  siblingModel,
  titleOf,
  type Draw,
  type MadeProduct,
  type TitleRules,
  type Trait,
} from './products.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { ANCHOR_ORDER } from '../../../src/rules/product/source-order.ts';
import { withPackCount } from '../../../src/read/titles/pack-count.ts';
import { settledCondition } from '../../../src/read/titles/title-condition.ts';

/** How the wrong listing differs; the last two are groups without one. */
export const GROUP_KINDS = [
  'pack',
  'accessory',
  'bundle',
  'capacity',
  'model',
  'count',
  'dose',
  'kit',
  'generation',
  'edition',
  'variant',
  'colour',
  'flavour',
  'size',
  'refurbished',
  'none',
  'none_pack_two_ways',
] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

export type MadeGroup = {
  readonly kind: GroupKind;
  /** In anchor order. */
  readonly listings: readonly StoredListing[];
  /** Index of the wrong listing; null: there is none. */
  readonly wrong: number | null;
  /** A correct listing omits the trait by which the wrong one differs. */
  readonly isSilent: boolean;
};

type Made = {
  readonly right: MadeProduct;
  readonly wrong: MadeProduct | null;
  readonly trait: Trait | null;
};

function device(draw: Draw, words: Words, more: Partial<MadeProduct> = {}): MadeProduct {
  return { ...makeProduct(draw, words, 'device'), ...more };
}

const COUNTS = [30, 60, 90, 120, 180, 240];
const GIGABYTES = [16, 32, 64, 128, 256, 512];

function changed<Key extends keyof MadeProduct>(
  right: MadeProduct,
  key: Key,
  value: MadeProduct[Key],
  trait: Trait,
): Made {
  return { right, wrong: { ...right, [key]: value }, trait };
}

/** Makes the right product and the wrong one; null: no other product, or one whose title `wrongTitle` writes. */
function madeOf(draw: Draw, words: Words, kind: GroupKind): Made {
  switch (kind) {
    case 'pack': {
      const made = makeProduct(draw, words, oneOf(draw, ['food', 'paper', 'supplement'] as const));
      const packs = otherOf(draw, [1, 2, 3, 4, 6, 12], made.packs);
      return changed(made, 'packs', packs, 'pack');
    }
    case 'count': {
      const made = makeProduct(draw, words, oneOf(draw, ['paper', 'supplement'] as const));
      return changed(made, 'count', otherOf(draw, COUNTS, made.count), 'pack');
    }
    case 'dose': {
      const made = makeProduct(draw, words, 'supplement');
      const doses = [50, 100, 250, 500, 1000, 2000].filter((each) => each !== made.milligrams);
      return changed(made, 'milligrams', oneOf(draw, doses), 'dose');
    }
    case 'capacity': {
      const gigabytes = oneOf(draw, GIGABYTES);
      const made = device(draw, words, { gigabytes });
      return changed(made, 'gigabytes', otherOf(draw, GIGABYTES, gigabytes), 'capacity');
    }
    case 'model': {
      const made = device(draw, words);
      return changed(made, 'model', siblingModel(draw, made.model ?? ''), 'model');
    }
    case 'generation': {
      const made = device(draw, words, { generation: between(draw, 2, 9) });
      const other = otherOf(draw, [1, 2, 3, 4, 5, 6, 7, 8], made.generation);
      return changed(made, 'generation', other, 'generation');
    }
    case 'variant': {
      const made = device(draw, words, {
        variant: draw() < 0.5 ? null : oneOf(draw, words.variants),
      });
      const variants = words.variants.filter((each) => each !== made.variant);
      return changed(made, 'variant', oneOf(draw, variants), 'variant');
    }
    case 'kit': {
      const right = device(draw, words, { form: draw() < 0.5 ? 'body' : null });
      return changed(right, 'form', 'kit', 'form');
    }
    case 'colour': {
      const made = makeProduct(draw, words, oneOf(draw, ['device', 'worn'] as const));
      const right = { ...made, colour: made.colour ?? oneOf(draw, words.colours) };
      return changed(right, 'colour', otherOf(draw, words.colours, right.colour), 'colour');
    }
    case 'flavour': {
      const made = makeProduct(draw, words, 'food');
      return changed(
        made,
        'flavour',
        otherOf(draw, made.goods.features, made.flavour ?? ''),
        'flavour',
      );
    }
    case 'size': {
      const made = makeProduct(draw, words, oneOf(draw, ['food', 'worn'] as const));
      if (made.type === 'food') {
        return changed(
          made,
          'ounces',
          (made.ounces ?? 1) * oneOf(draw, [0.5, 1.25, 1.5, 2]),
          'size',
        );
      }
      const sizes = words.sizes.find((each) => each.includes(made.size ?? '')) ?? [];
      return changed(made, 'size', otherOf(draw, sizes, made.size ?? ''), 'size');
    }
    case 'edition': {
      const made = makeProduct(draw, words, 'work');
      if (made.editionNumber !== null && draw() < 0.6) {
        const other = otherOf(draw, [1, 2, 3, 4, 5, 6, 8, 10, 11], made.editionNumber);
        return changed(made, 'editionNumber', other, 'edition');
      }
      const other = words.editions.filter((each) => each !== made.edition);
      return changed(made, 'edition', oneOf(draw, other), 'edition');
    }
    case 'accessory':
    case 'bundle':
      return { right: device(draw, words), wrong: null, trait: null };
    case 'refurbished':
    case 'none': {
      const types = ['device', 'food', 'supplement', 'paper', 'work', 'worn'] as const;
      const type = kind === 'none' ? oneOf(draw, types) : 'device';
      return { right: makeProduct(draw, words, type), wrong: null, trait: null };
    }
    case 'none_pack_two_ways': {
      const right = { ...makeProduct(draw, words, 'food'), packs: oneOf(draw, [12, 24, 36, 48]) };
      return { right, wrong: null, trait: 'pack' };
    }
  }
}

/** Returns the title of a wrong listing whose product has no grammar of its own. */
function wrongTitle(draw: Draw, words: Words, kind: GroupKind, right: MadeProduct): string {
  const { goods, brand, model } = right;
  const whole = titleOf(draw, words, right, { without: new Set() });
  const name = `${brand} ${model ?? ''}`;
  if (kind === 'accessory') {
    const accessory = oneOf(draw, goods.accessories);
    const other = makeProduct(draw, words, 'device').brand;
    return oneOf(draw, [
      `${accessory} for ${name} ${goods.names[0]}`,
      `${accessory} for ${name}`,
      `${other} ${accessory} Compatible with ${name}`,
      `Replacement ${accessory} Fits ${name} ${goods.names[0]}`,
      `${brand} ${accessory} for ${model} ${goods.names[0]}`,
      `${name} ${accessory}`,
      `${name} ${goods.names[0]} Replacement ${accessory}`,
      `${accessory}, Replacement for ${name}, ${oneOf(draw, words.colours)}`,
    ]);
  }
  if (kind === 'bundle') {
    const [extra, second] = [oneOf(draw, goods.extras), oneOf(draw, goods.accessories)];
    return oneOf(draw, [
      `${whole} Bundle with ${extra}`,
      `${whole} + ${extra}`,
      `${whole} with ${extra} Bundle`,
      `${whole} w/ ${extra} and ${second} Combo`,
      `${whole} plus ${extra}`,
      `${extra} & ${name} ${goods.names[0]} Bundle`,
      `${whole} with ${extra} and ${second}`,
    ]);
  }
  const condition = oneOf(draw, words.conditions);
  return draw() < 0.6 || condition.startsWith('(')
    ? `${whole} ${condition.startsWith('(') ? '' : '- '}${condition}`
    : `${condition} ${whole}`;
}

const GTIN = '00614141810001' as Gtin14;

function stored(retailer: string, made: MadeProduct, title: string, draw: Draw): StoredListing {
  const hasModel = draw() < 0.4 && made.model !== null;
  const facts: Listing = {
    ...EMPTY_LISTING,
    gtin: GTIN,
    title,
    brand: draw() < 0.6 ? made.brand : null,
    model: hasModel ? made.model : null,
    condition: settledCondition(draw() < 0.3 ? 'new' : null, title),
    description:
      draw() < 0.3
        ? `${made.brand} ${made.goods.names[0]}. ${made.goods.features.join('. ')}`
        : null,
  };
  const key = retailer;
  const place = { retailer, key, url: `https://${retailer}.example/1`, fetchedAtMs: 1 };
  return {
    ...place,
    id: `${retailer}:${key}:${title}`,
    foundVia: 'native_catalog',
    listing: withPackCount(facts),
  };
}

/** Traits that any shop may omit and still identify the product. */
const OFTEN_LEFT_OUT: readonly Trait[] = [
  'colour',
  'capacity',
  'variant',
  'generation',
  'flavour',
  'size',
  'edition',
];

/**
 * Makes one group. `rights`: correct listings; `at`: the position of the wrong one in anchor order. In one group of six a
 * correct listing omits the trait by which the wrong one differs.
 */
export function makeGroup(
  words: Words,
  seed: number,
  { kind, rights, at }: { readonly kind: GroupKind; readonly rights: number; readonly at: number },
): MadeGroup {
  const draw = drawFrom(seed);
  const { right, wrong, trait } = madeOf(draw, words, kind);
  const isNone = kind.startsWith('none');
  const isSilent = !isNone && trait !== null && draw() < 1 / 6;
  const size = rights + (isNone ? 0 : 1);
  const retailers = ANCHOR_ORDER.slice(0, size);
  let done = 0;
  const listings = retailers.map((retailer, place) => {
    if (!isNone && place === at) {
      const without = new Set<Trait>();
      const title =
        wrong === null
          ? wrongTitle(draw, words, kind, right)
          : titleOf(draw, words, wrong, { without });
      return stored(retailer, wrong ?? { ...right, model: null }, title, draw);
    }
    done += 1;
    const without = new Set(
      OFTEN_LEFT_OUT.filter((each) => (each !== trait || isNone) && draw() < 0.15),
    );
    if (isSilent && done === 1 && trait !== null) without.add(trait);
    const isSplit = kind === 'none_pack_two_ways' && done === 1;
    const rules: TitleRules = { without, isSplit };
    return stored(
      retailer,
      isSilent && done === 1 && trait === 'model' ? { ...right, model: null } : right,
      titleOf(draw, words, right, rules),
      draw,
    );
  });
  return { kind, listings, wrong: isNone ? null : at, isSilent };
}
