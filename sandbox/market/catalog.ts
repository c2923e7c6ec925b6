// The products of the simulated market: identity, measures and texts, the same at every retailer. Ids, prices, stock
// and sellers differ by retailer and are not here.

import { chance, chanceBetween, chanceOf } from '../chance.ts';
import { BRANDS, COLOURS, MATERIALS } from '../vocabulary.ts';
import type { Product } from '../world.ts';
import { inventBarcode, inventIsbn, MOST_BOOKS, MOST_PRODUCTS } from './codes.ts';
import { BOOK, BOOK_SUBJECTS, GOODS } from './goods.ts';
import type { Goods, Sides } from './goods.ts';
import { ALL_TROUBLES } from './trouble-kinds.ts';
import type { RetailerWithTrouble } from './trouble-kinds.ts';

export type CatalogProduct = {
  readonly index: number;
  /** The retailer at which this product fails, and how; null: an ordinary product. */
  readonly trouble: RetailerWithTrouble | null;
  /** Sold at every retailer and always in stock; the demo shows these. */
  readonly isReliable: boolean;
  readonly gtin14: string;
  readonly isBook: boolean;
  readonly brand: string;
  readonly name: string;
  readonly colour: string | null;
  /** Pieces in the pack; null: no text states a number. */
  readonly packCount: number | null;
  readonly title: string;
  readonly model: string;
  readonly mpn: string;
  readonly description: string;
  readonly features: readonly [string, string];
  /** The widest first. */
  readonly categories: readonly [string, string];
  /** Of the product, and of the box it is shipped in. */
  readonly pounds: number;
  readonly packagePounds: number;
  readonly sides: Sides;
  readonly packageSides: Sides;
  readonly baseCents: number;
  readonly hazmat: Goods['hazmat'];
  /** Shared by colour siblings: the index of the first of them. */
  readonly family: number;
  readonly familySize: number;
  /** UTC day of first sale. */
  readonly firstDay: string;
  /** The same product, with the same barcode, at a simulated shop. */
  readonly atShop: Product | null;
};

/** The number of reliable products: the first of the catalog. */
export const RELIABLE = 6;

/** Every eighth product begins a family of three colours. */
const FAMILY_EVERY = 8;
const FAMILY_SIZE = 3;

const GRAMS_PER_POUND = 453.59237;

/**
 * Invents `count` ordinary products, then one for each kind of trouble. The first third are products that the simulated
 * shops sell too, as long as there are enough of them.
 */
export function inventCatalog(
  seed: number,
  count: number,
  shopProducts: readonly Product[],
): readonly CatalogProduct[] {
  const linked = Math.min(shopProducts.length, Math.max(RELIABLE, Math.floor(count / 3)));
  const ordinary = Array.from({ length: Math.min(count, MOST_PRODUCTS) }, (_, index) => {
    const atShop = index < linked ? (shopProducts[index] ?? null) : null;
    // Colour families begin after the products that the shops sell too.
    const isFree = index - (index % FAMILY_EVERY) >= linked;
    return inventProduct(seed, { index, trouble: null, atShop, isFree });
  });
  const troubled = ALL_TROUBLES.map((trouble, at) =>
    inventProduct(seed, { index: MOST_PRODUCTS + at, trouble, atShop: null, isFree: false }),
  );
  return [...ordinary, ...troubled];
}

type ProductDraft = {
  readonly index: number;
  readonly trouble: RetailerWithTrouble | null;
  readonly atShop: Product | null;
  /** It may belong to a colour family. */
  readonly isFree: boolean;
};

function inventProduct(seed: number, making: ProductDraft): CatalogProduct {
  const { index, trouble, atShop } = making;
  const at = index % FAMILY_EVERY;
  const inFamily = making.isFree && at < FAMILY_SIZE;
  const family = inFamily ? index - at : index;
  const key = ['catalog', family];
  const isBook =
    index < MOST_BOOKS &&
    !inFamily &&
    atShop === null &&
    trouble === null &&
    chance(seed, [...key, 'book']) < 0.06;
  const goods = isBook
    ? BOOK
    : atShop === null
      ? chanceOf(seed, [...key, 'goods'], GOODS)
      : goodsAt(atShop);
  const named = atShop === null ? inventName(seed, key, goods) : shopName(atShop);
  const colours = [...COLOURS].toSorted(
    (a, b) => chance(seed, [...key, a]) - chance(seed, [...key, b]),
  );
  const colour = inFamily ? (colours[at] ?? null) : null;
  const packCount =
    atShop === null && !isBook && chance(seed, [...key, 'packed']) < 0.2
      ? chanceOf(seed, [...key, 'pack'], [2, 3, 4, 6, 12])
      : null;
  const model = modelOf(seed, index, named.brand);
  const title = [
    isBook || atShop !== null ? named.name : `${named.brand} ${named.name}`,
    isBook || atShop !== null ? '' : ` ${model}`,
    colour === null ? '' : `, ${colour}`,
    packCount === null ? '' : ` (Pack of ${packCount})`,
  ].join('');
  return {
    index,
    trouble,
    isReliable: index < RELIABLE,
    gtin14: atShop?.variants[0].gtin14 ?? (isBook ? inventIsbn(index) : inventBarcode(seed, index)),
    isBook,
    brand: named.brand,
    name: named.name,
    colour,
    packCount: packCount ?? atShop?.setOf ?? null,
    title,
    model,
    mpn: atShop?.mpn ?? model,
    description: `${named.name} by ${named.brand}. Made to be repaired; spare parts for ten years.`,
    features: [`Built for daily use by ${named.brand}`, 'Two-year warranty'],
    categories: [goods.department, goods.section],
    ...inventMeasures(seed, key, goods, packCount ?? 1),
    baseCents:
      chanceBetween(seed, [...key, 'cents'], ...goods.cents) * Math.ceil((packCount ?? 1) / 2),
    hazmat: goods.hazmat,
    family,
    familySize: inFamily ? FAMILY_SIZE : 1,
    firstDay: new Date(Date.UTC(2023, 0, 1 + chanceBetween(seed, [...key, 'born'], 0, 900)))
      .toISOString()
      .slice(0, 10),
    atShop,
  };
}

/** Returns a simulated shop's product as a kind of goods, with its weight, size and price there. */
function goodsAt({ category, inches, variants }: Product): Goods {
  const [{ grams, regularCents }] = variants;
  const [height, width, length] = inches ?? [4, 6, 8];
  const hundredths = Math.round((grams / GRAMS_PER_POUND) * 100);
  return {
    name: category.name,
    department: 'Household',
    section: category.name,
    weight: [hundredths, hundredths],
    sides: { height, width, length },
    cents: [regularCents, regularCents],
    hazmat: null,
  };
}

type BrandAndName = { readonly brand: string; readonly name: string };

function inventName(seed: number, key: readonly (string | number)[], goods: Goods): BrandAndName {
  const brand = chanceOf(seed, [...key, 'brand'], BRANDS);
  if (goods === BOOK) {
    return {
      brand,
      name: `A Field Guide to ${chanceOf(seed, [...key, 'subject'], BOOK_SUBJECTS)}`,
    };
  }
  const material = chanceOf(seed, [...key, 'material'], MATERIALS);
  return { brand, name: `${material} ${goods.name}` };
}

function shopName(product: Product): BrandAndName {
  return { brand: product.brand, name: product.title };
}

function modelOf(seed: number, index: number, brand: string): string {
  const letters = brand
    .replaceAll(/[^A-Za-z]/g, '')
    .slice(0, 2)
    .toUpperCase();
  return `${letters}${chanceBetween(seed, ['model', index], 1, 9)}${String(index).padStart(5, '0')}`;
}

/** Invents measures: a pack weighs `pieces` times as much; the box adds a tenth of the weight and an inch to each side. */
function inventMeasures(
  seed: number,
  key: readonly (string | number)[],
  goods: Goods,
  pieces: number,
): Pick<CatalogProduct, 'pounds' | 'packagePounds' | 'sides' | 'packageSides'> {
  const hundredths = chanceBetween(seed, [...key, 'weight'], ...goods.weight) * pieces;
  const isExact = goods.weight[0] === goods.weight[1];
  const stretch = isExact ? 1 : 1 + chanceBetween(seed, [...key, 'stretch'], 0, 4) / 20;
  const tenth = (value: number): number => Math.round(value * 10) / 10;
  const sides = {
    height: tenth(goods.sides.height * stretch),
    width: tenth(goods.sides.width * stretch),
    length: tenth(goods.sides.length * stretch),
  };
  return {
    pounds: hundredths / 100,
    packagePounds: Math.ceil(hundredths * 1.1 + 5) / 100,
    sides,
    packageSides: {
      height: tenth(sides.height + 1),
      width: tenth(sides.width + 1),
      length: tenth(sides.length + 1),
    },
  };
}
