// Reads the variations that shop systems write into their forms: `<form data-product_variations="[...]">`, the settings of option
// pickers. They count only for the variant that the address names or that was chosen at the last reading, because the page's data
// states the product as a whole.

import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { amountOf, isSameAmount, type Money } from '../../../base/listing/money/minor-units.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { ChosenVariant } from '../../../base/listing/page.ts';
import { readValue } from '../../../base/listing/money/money.ts';
import { NO_FACTS } from '../facts.ts';
import type { Facts } from '../facts.ts';
import { indexOfWord, wordToFind } from '../html/find-word.ts';
import type { HtmlPage } from '../html/html.ts';
import { parseJson } from '../json/bounded-json.ts';
import { isNode, plainNumber, valueOf } from '../schema-org/node.ts';
import type { SchemaNode } from '../schema-org/node.ts';
import { textIn } from '../schema-org/schema-values.ts';
import type { AskedAddress } from './asked-address.ts';
import { chosenAgain, chosenOf, type VariantIdentity } from './chosen-variant.ts';
import { namedVariants } from './named-variants.ts';
import { swatchVariants } from './swatch-config.ts';
import type { FormVariant } from './swatch-config.ts';
import { inVariantOrder } from './variant-order.ts';

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

function optionsOf(variation: SchemaNode) {
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
      options: optionsOf(variation),
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
