// Converts the product object of a hosted store (`/products/<handle>.json`, `.js`, a theme's copy) to listing fields.
// Beware: `.js` and themes write prices in hundredths, of yen and dinars too; `.json` writes strings.

import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { readGtinWithLostZero } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { ChosenVariant } from '../../../base/listing/page.ts';
import { readWeightLbs } from '../../../base/listing/measures/measure.ts';
import { ofHundredths, type Money } from '../../../base/listing/money/minor-units.ts';
import { readValue } from '../../../base/listing/money/money.ts';
import { comparableCodes } from '../../../base/listing/stated-codes.ts';
import { cleanText, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import { isNode, listOf, plainNumber, valueOf } from '../schema-org/node.ts';
import type { SchemaNode } from '../schema-org/node.ts';
import { absoluteUrl } from '../page-address.ts';
import {
  DESCRIPTION_LENGTH,
  imageIn,
  textIn,
  titleIn,
  URL_LENGTH,
} from '../schema-org/schema-values.ts';
import type { AskedAddress } from '../variants/asked-address.ts';
import {
  chosenAgain,
  chosenOf,
  inVariantOrder,
  type VariantIdentity,
} from '../variants/chosen-variant.ts';
import { namedVariants } from '../variants/named-variants.ts';
import type { NameableVariant, VariantOption } from '../variants/named-variants.ts';
import type { FormVariant } from '../variants/variation-form.ts';

type StoreRead = {
  readonly facts: Partial<Listing>;
  readonly remarks: readonly string[];
  /** Whether the address names the variant that the facts are about. */
  readonly isNamed: boolean;
  /** Whether it names no single one of several variants at several prices. */
  readonly isUnclear: boolean;
  /** The variant whose price counts; null if there is only one. */
  readonly chosen: ChosenVariant | null;
};

/** The parts of the address that may name a variant, and the base for relative image addresses. */
type AskedVariant = { readonly asked: AskedAddress; readonly base: URL | null };

const VARIANT_LIMIT = 1000;

/**
 * Whether prices are in cents: only `.js` and themes have a price or a stock flag on the product itself. `.json` has
 * `body_html` and prices as strings.
 */
function hasCents(product: SchemaNode): boolean {
  if (valueOf(product, 'body_html') !== undefined) return false;
  return ['price', 'price_min', 'price_varies', 'featured_image', 'compare_at_price_min'].some(
    (name) => valueOf(product, name) !== undefined,
  );
}

/**
 * Reads an amount; a whole number with `inCents` is in hundredths in every currency. In a string the point is always the
 * decimal separator, with three decimals in some currencies ("20.125").
 */
function moneyOf(value: unknown, inCents: boolean, currency: string | null): Money | null {
  if (inCents && typeof value === 'number') return moneyOfHundredths(value, currency);
  if (typeof value === 'string' && /^\d{1,12}\.\d{1,4}$/.test(value)) {
    return readValue(Number(value), currency);
  }
  return typeof value === 'string' || typeof value === 'number' ? readValue(value, currency) : null;
}

/** Returns the amount that a store's script states in hundredths, as in every currency. */
export function moneyOfHundredths(value: unknown, currency: string | null): Money | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return null;
  return ofHundredths(value, currency);
}

/** Returns the currency of a variant; older stores do not state it. */
function currencyIn(variant: SchemaNode | null): string | null {
  const code = variant === null ? null : valueOf(variant, 'price_currency');
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) ? code : null;
}

function numberText(node: SchemaNode, name: string): string | null {
  const value = valueOf(node, name);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  return typeof value === 'string' && value.trim() !== '' ? cleanText(value, 100) : null;
}

function availableOf(node: SchemaNode): boolean | null {
  const value = valueOf(node, 'available');
  return typeof value === 'boolean' ? value : null;
}

function labelsOf(variant: SchemaNode): readonly VariantOption[] {
  const label = textIn(variant, 'public_title', 200) ?? textIn(variant, 'title', 200) ?? '';
  return label.split(' / ').map((value) => ({ name: '', value }));
}

/** Returns the values of a variant's options, with the names that the product states for them, and its label. */
function optionsOf(product: SchemaNode, variant: SchemaNode): readonly VariantOption[] {
  const names = listOf(product, 'options').map((option) =>
    isNode(option) ? textIn(option, 'name', 100) : typeof option === 'string' ? option : null,
  );
  const values = [1, 2, 3].map((at) => ({
    name: names[at - 1] ?? '',
    value: numberText(variant, `option${String(at)}`) ?? '',
  }));
  return [...values, ...labelsOf(variant)].filter(({ value }) => value !== '');
}

/** Returns a product's variants as an address may name them. */
export function nameableVariants(product: SchemaNode): readonly NameableVariant<SchemaNode>[] {
  return variantsOf(product).map((variant) => ({
    item: variant,
    numbers: ['id', 'sku', 'barcode']
      .map((name) => numberText(variant, name))
      .filter((number) => number !== null),
    options: optionsOf(product, variant),
    price: numberText(variant, 'price'),
  }));
}

const variantsOf = (product: SchemaNode): readonly SchemaNode[] =>
  listOf(product, 'variants').slice(0, VARIANT_LIMIT).filter(isNode);

const identityOf = (variant: SchemaNode): VariantIdentity => ({
  id: numberText(variant, 'id'),
  sku: numberText(variant, 'sku'),
  gtin: barcodeOf(variant),
  name: numberText(variant, 'title'),
});

/** Returns a product's variants with their prices in a currency. */
export function variantsOfStore(
  product: SchemaNode,
  currency: string | null,
  inCents = hasCents(product),
): readonly FormVariant[] {
  const moneyAt = (variant: SchemaNode, name: string): Money | null =>
    moneyOf(valueOf(variant, name), inCents, currency);
  return variantsOf(product).map((variant) => ({
    id: numberText(variant, 'id'),
    sku: numberText(variant, 'sku'),
    options: labelsOf(variant),
    price: moneyAt(variant, 'price'),
    listPrice: moneyAt(variant, 'compare_at_price'),
    inStock: availableOf(variant),
  }));
}

/** Returns the variants in the order in which they count. */
const ordered = (
  variants: readonly SchemaNode[],
  again: readonly SchemaNode[],
): readonly SchemaNode[] =>
  inVariantOrder(variants, (variant) => ({
    isChosen: again.includes(variant),
    inStock: availableOf(variant),
    amount: plainNumber(valueOf(variant, 'price')),
    texts: ['sku', 'title', 'id'].map((name) => numberText(variant, name)),
  }));

function barcodeOf(variant: SchemaNode): Gtin14 | null {
  const text = numberText(variant, 'barcode');
  return text === null ? null : readGtinWithLostZero(text);
}

/**
 * Returns the only variant that prints a barcode; its `id` is null if the product has no other variant. Returns null if no
 * variant prints it, or several do: it is then unclear which one is meant.
 */
export function variantWithBarcode(
  product: SchemaNode,
  gtin: Gtin14,
): { readonly id: string | null } | null {
  const variants = variantsOf(product);
  const [first, ...others] = variants.filter((variant) => barcodeOf(variant) === gtin);
  if (first === undefined || others.length > 0) return null;
  return { id: variants.length === 1 ? null : numberText(first, 'id') };
}

/** Returns the barcode of the variant selected by the address, otherwise the one shared by all variants. */
function gtinOf(variants: readonly SchemaNode[], named: SchemaNode | null): Gtin14 | null {
  if (named !== null) return barcodeOf(named);
  const codes = variants.map(barcodeOf);
  const first = codes[0] ?? null;
  return codes.every((code) => code === first) ? first : null;
}

/** Returns pounds from `grams` (0 means unknown), otherwise from `weight` in its unit; `.js` has grams in `weight`. */
function weightOf(variant: SchemaNode, inCents: boolean): number | null {
  const grams = valueOf(variant, 'grams');
  if (typeof grams === 'number' && grams > 0) return readWeightLbs(grams, 'g');
  const weight = valueOf(variant, 'weight');
  if (typeof weight !== 'number' || weight <= 0) return null;
  const unit = textIn(variant, 'weight_unit', 10) ?? (inCents ? 'g' : null);
  return unit === null ? null : readWeightLbs(weight, unit);
}

function imageOf(product: SchemaNode, variant: SchemaNode | null, base: URL | null): string | null {
  const sources: readonly (readonly [SchemaNode | null, string])[] = [
    [variant, 'featured_image'],
    [product, 'featured_image'],
    [product, 'image'],
    [product, 'images'],
  ];
  for (const [node, name] of sources) {
    if (node === null) continue;
    const value = listOf(node, name)[0];
    const text = isNode(value) ? textIn(value, 'src', URL_LENGTH) : imageIn(node, name);
    const url = absoluteUrl(text, base);
    if (url !== null && url.href.length <= URL_LENGTH) return url.href;
  }
  return null;
}

function stockOf(
  product: SchemaNode,
  variants: readonly SchemaNode[],
  named: SchemaNode | null,
): boolean | null {
  if (named !== null) return availableOf(named);
  const known = variants.map(availableOf).filter((value) => value !== null);
  return known.length > 0 ? known.includes(true) : availableOf(product);
}

/** Reads a product object. The currency is null when the variants do not state it. */
export function readStoreProduct(product: SchemaNode, question: AskedVariant): StoreRead {
  const variants = variantsOf(product);
  const naming = namedVariants(nameableVariants(product), question.asked);
  const isUnclear = naming.kind === 'unclear';
  const left = naming.kind === 'named' ? naming.items : variants;
  const again = chosenAgain(left, identityOf, question.asked.chosenBefore);
  const variant = ordered(left, again)[0] ?? null;
  const named = left.length === 1 ? variant : null;
  const inCents = hasCents(product);
  const currency = currencyIn(variant);
  const moneyAt = (name: string): Money | null =>
    variant === null ? null : moneyOf(valueOf(variant, name), inCents, currency);
  const price = isUnclear ? null : moneyAt('price');
  const inStock = stockOf(product, variants, again.length > 0 ? variant : named);
  const description = valueOf(product, 'body_html') ?? valueOf(product, 'description');
  const type = textIn(product, 'product_type', 200) ?? textIn(product, 'type', 200);
  const facts: Partial<Listing> = {
    itemId: numberText(product, 'id'),
    variantId: variant === null ? null : numberText(variant, 'id'),
    title: titleIn(product, 'title'),
    brand: textIn(product, 'vendor', 300),
    description:
      typeof description === 'string'
        ? plainTextOfHtml(description, DESCRIPTION_LENGTH) || null
        : null,
    imageUrl: imageOf(product, named, question.base),
    sku: variant === null ? null : numberText(variant, 'sku'),
    codes: comparableCodes([
      {
        gtins: variants.map(barcodeOf),
        skus: variants.map((each) => numberText(each, 'sku')),
        mpns: [],
      },
    ]),
    gtin: gtinOf(variants, named),
    price,
    listPrice: listPriceOf(price, [moneyAt('compare_at_price')]),
    inStock,
    unavailable: inStock === null ? null : false,
    weightLbs: variant === null ? null : weightOf(variant, inCents),
    categories: type === null ? [] : [type],
  };
  const spelling = inCents ? 'cents' : 'texts';
  const stated = currency === null ? 'is not stated' : `is ${currency}`;
  return {
    facts,
    remarks: [`hosted store product: prices are ${spelling}, currency ${stated}`],
    isNamed: naming.kind === 'named' && named !== null,
    isUnclear,
    chosen: variant === null || left.length < 2 ? null : chosenOf(identityOf(variant)),
  };
}
