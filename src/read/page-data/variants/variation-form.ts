// Reads the variations that shop systems write into their forms, `<form data-product_variations="[...]">`, and into the
// settings of their option pickers. They count only for the variant that the address names or that was chosen at the last
// reading, because the page's data describes the product as a whole.

import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { amountOf, isSameAmount, type Money } from '../../../base/listing/money/minor-units.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { ChosenVariant } from '../../../base/listing/page.ts';
import { readValue } from '../../../base/listing/money/money.ts';
import { NO_FACTS, type Facts } from '../facts.ts';
import { indexOfWord, wordToFind } from '../html/find-word.ts';
import type { HtmlPage } from '../html/html.ts';
import { parseJson } from '../json/bounded-json.ts';
import { isNode, listOf, plainNumber, valueOf, type SchemaNode } from '../schema-org/node.ts';
import { textIn } from '../schema-org/schema-values.ts';
import type { AskedAddress } from './asked-address.ts';
import { chosenAgain, chosenOf, inVariantOrder, type VariantIdentity } from './chosen-variant.ts';
import { namedVariants, type VariantOption } from './named-variants.ts';

const FORM = wordToFind('data-product_variations');
const QUOTED = /\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const VARIATION_LIMIT = 500;
const FORM_LENGTH = 2_097_152;

const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['#34', '"'],
  ['#034', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['#039', "'"],
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
]);

/** Decodes an attribute once: the texts in its JSON are markup with references of their own. */
const attributeText = (written: string): string =>
  written.replaceAll(/&(#?\w{2,4});/g, (whole, name: string) => REFERENCES.get(name) ?? whole);

/** Returns the variations of the page's form. A second one with other variations belongs to another product, so none counts. */
function variationsIn(html: string): readonly SchemaNode[] {
  const texts = new Set<string>();
  for (let at = indexOfWord(html, FORM); at >= 0; at = indexOfWord(html, FORM, at + 1)) {
    QUOTED.lastIndex = at + FORM.text.length;
    const match = QUOTED.exec(html);
    if (match !== null) texts.add(match[1] ?? match[2] ?? '');
    if (texts.size > 1) return [];
  }
  const [text = ''] = texts;
  if (text === '' || text.length > FORM_LENGTH) return [];
  const listed = parseJson(attributeText(text));
  return Array.isArray(listed) ? listed.slice(0, VARIATION_LIMIT).filter(isNode) : [];
}

/** The amount that the form displays, in units and never in hundredths. */
function moneyAt(variation: SchemaNode, name: string, currency: string | null): Money | null {
  const value = plainNumber(valueOf(variation, name));
  return value === null || value <= 0 ? null : readValue(value, currency);
}

function formOptions(variation: SchemaNode) {
  const attributes = valueOf(variation, 'attributes');
  if (!isNode(attributes)) return [];
  return Object.entries(attributes)
    .slice(0, 20)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([name, value]) => ({ name, value }));
}

function variantsOfForm(html: string, currency: string | null): readonly FormVariant[] {
  return variationsIn(html).map((variation) => {
    const inStock = valueOf(variation, 'is_in_stock');
    return {
      id: textIn(variation, 'variation_id', 40),
      sku: textIn(variation, 'sku', 200),
      options: formOptions(variation),
      price: moneyAt(variation, 'display_price', currency),
      listPrice: moneyAt(variation, 'display_regular_price', currency),
      inStock: typeof inStock === 'boolean' ? inStock : null,
    };
  });
}

/** Returns the variants in the page's form, or in the settings of its option pickers. */
export function embeddedVariants(page: HtmlPage, currency: string | null): readonly FormVariant[] {
  const ofForm = variantsOfForm(page.html, currency);
  return ofForm.length > 0 ? ofForm : swatchVariants(page, currency);
}

const identityOf = ({ id, sku, options }: FormVariant): VariantIdentity => ({
  id,
  sku,
  name: options.map(({ value }) => value).join(' / '),
});

/** Returns the variants in the order in which they count. */
const ordered = (
  variants: readonly FormVariant[],
  again: readonly FormVariant[] = [],
): readonly FormVariant[] =>
  inVariantOrder(variants, (variant) => ({
    isChosen: again.includes(variant),
    inStock: variant.inStock,
    amount: variant.price === null ? null : amountOf(variant.price),
    texts: [variant.sku, variant.id],
  }));

/** Returns the facts of the variant that the address names, otherwise of the one chosen at the last reading. */
export function askedVariantFacts(listed: readonly FormVariant[], asked: AskedAddress): Facts {
  const variants = listed.map((item) => ({
    item,
    numbers: [item.sku, item.id].filter((number) => number !== null),
    options: item.options,
    price: item.price === null ? null : String(amountOf(item.price)),
  }));
  const naming = namedVariants(variants, asked);
  if (naming.kind === 'unclear') return { ...NO_FACTS, isVariantUnclear: true };
  const named = naming.kind === 'named' ? naming.items : listed;
  const again = chosenAgain(named, identityOf, asked.chosenBefore);
  const [first] = ordered(named, again);
  if (first === undefined || (naming.kind !== 'named' && again.length === 0)) return NO_FACTS;
  const { price, listPrice, inStock } = first;
  const isSole = naming.kind === 'named' && named.length === 1;
  const isKnown = isSole || again.length > 0;
  const others = named.filter((each) => !again.includes(each)).map((each) => each.price);
  const ofOthers = again.length === 0 ? {} : { ofOthers: others.filter((each) => each !== null) };
  return {
    ...NO_FACTS,
    variantId: isSole ? first.id : null,
    sku: isSole ? first.sku : null,
    price: price === null ? null : { money: price, isWhole: false, ...ofOthers },
    isPriceZero: again.length > 0 && price === null && others.some((each) => each !== null),
    listPrice: listPriceOf(price, [listPrice]),
    inStock: isKnown ? inStock : null,
    unavailable: isKnown && inStock !== null ? false : null,
    isStockOfSeveral: !isSole,
    chosen: again.length > 0 ? chosenOf(identityOf(first)) : null,
  };
}

/**
 * Returns the variant that has the page's price and does not contradict its stock, the first of several in their order; null if
 * there is only one variant.
 */
export function variantAt(
  listed: readonly FormVariant[],
  { price, inStock }: Pick<Listing, 'price' | 'inStock'>,
): ChosenVariant | null {
  if (listed.length < 2 || price === null) return null;
  const first = ordered(listed).find(
    (each) =>
      each.price !== null &&
      isSameAmount(each.price, price) &&
      (each.inStock === null || inStock === null || each.inStock === inStock),
  );
  return first === undefined ? null : chosenOf(identityOf(first));
}

/** A variant in a form; the form states no currency. */
export type FormVariant = {
  readonly id: string | null;
  readonly sku: string | null;
  readonly options: readonly VariantOption[];
  readonly price: Money | null;
  readonly listPrice: Money | null;
  readonly inStock: boolean | null;
};

const TYPE = 'text/x-magento-init';
const CONFIG = /"(?:jsonConfig|spConfig)"\s*:/;
const DEPTH = 5;

/** Returns the settings of the page's pickers: objects with attributes, an index of products and their prices. */
function configsIn(value: unknown, depth = 0): readonly SchemaNode[] {
  if (!isNode(value) || depth > DEPTH) return [];
  if (['attributes', 'index', 'optionPrices'].every((name) => isNode(valueOf(value, name))))
    return [value];
  return Object.values(value)
    .slice(0, 100)
    .flatMap((inner) => configsIn(inner, depth + 1));
}

/** Returns the options of a product: each by number and by code, with the number and label of its value. */
function pickerOptions(chosen: SchemaNode, attributes: SchemaNode): readonly VariantOption[] {
  return Object.entries(chosen)
    .slice(0, 20)
    .flatMap(([number, value]) => {
      const attribute = valueOf(attributes, number);
      const id = String(plainNumber(value) ?? '');
      if (!isNode(attribute) || id === '') return [];
      const code = textIn(attribute, 'code', 100) ?? '';
      const listed = listOf(attribute, 'options').filter(isNode);
      const option = listed.find((one) => textIn(one, 'id', 20) === id);
      const label = option === undefined ? null : textIn(option, 'label', 200);
      const named = [number, code].map((name) => ({ name, value: id }));
      return label === null ? named : [...named, { name: code, value: label }];
    });
}

/**
 * Returns the variants of the page's picker. A second picker with other products belongs to another product. Then none
 * counts.
 */
function swatchVariants(
  { html, scripts }: HtmlPage,
  currency: string | null,
): readonly FormVariant[] {
  const configs = scripts
    .filter(({ type }) => type === TYPE)
    .map(({ from, to }) => html.slice(from, to))
    .filter((text) => CONFIG.test(text))
    .flatMap((text) => configsIn(parseJson(text)));
  const products = (config: SchemaNode): readonly (readonly [string, unknown])[] => {
    const index = valueOf(config, 'index');
    return isNode(index) ? Object.entries(index).slice(0, VARIATION_LIMIT) : [];
  };
  const [config, ...others] = configs;
  if (config === undefined) return [];
  const listed = products(config);
  const ids = (one: SchemaNode): string => String(products(one).map(([id]) => id));
  if (others.some((other) => ids(other) !== ids(config))) return [];
  const [attributes, prices] = ['attributes', 'optionPrices'].map((name) => valueOf(config, name));
  if (!isNode(attributes) || !isNode(prices)) return [];
  return listed.flatMap(([id, chosen]) => {
    if (!isNode(chosen)) return [];
    const amounts = valueOf(prices, id);
    const moneyAt = (name: string) => {
      const price = isNode(amounts) ? valueOf(amounts, name) : undefined;
      const amount = isNode(price) ? plainNumber(valueOf(price, 'amount')) : null;
      return amount === null || amount <= 0 ? null : readValue(amount, currency);
    };
    const options = pickerOptions(chosen, attributes);
    const price = moneyAt('finalPrice');
    return [{ id, sku: null, options, price, listPrice: moneyAt('oldPrice'), inStock: null }];
  });
}
