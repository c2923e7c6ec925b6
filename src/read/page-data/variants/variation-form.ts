// Reads the variations that shop systems write into their forms: `<form data-product_variations="[...]">`, the settings of option
// pickers. They count only for the variant that the address names, because the page's data states the product as a whole.

import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { amountOf, type Money } from '../../../base/listing/money/minor-units.ts';
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
  if (text.length > FORM_LENGTH) return [];
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

/** Returns the facts of the variation that the address names. */
export function namedVariationFacts(
  page: HtmlPage,
  asked: AskedAddress,
  currency: string | null,
): Facts {
  const ofForm = variantsOfForm(page.html, currency);
  const listed = ofForm.length > 0 ? ofForm : swatchVariants(page, currency);
  const variants = listed.map((item) => ({
    item,
    numbers: [item.sku, item.id].filter((number) => number !== null),
    options: item.options,
    price: item.price === null ? null : String(amountOf(item.price)),
  }));
  const naming = namedVariants(variants, asked);
  if (naming.kind === 'unclear') return { ...NO_FACTS, isVariantUnclear: true };
  if (naming.kind === 'unnamed') return NO_FACTS;
  const ranked = inVariantOrder(naming.items, ({ id, price, sku, inStock }) => ({
    inStock,
    amount: price === null ? null : amountOf(price),
    texts: [sku, id],
  }));
  const [chosen] = ranked;
  if (chosen === undefined) return NO_FACTS;
  const { price, listPrice, inStock } = chosen;
  const isSole = naming.items.length === 1;
  return {
    ...NO_FACTS,
    variantId: isSole ? chosen.id : null,
    sku: isSole ? chosen.sku : null,
    price: price === null ? null : { money: price, isWhole: false },
    listPrice: listPriceOf(price, [listPrice]),
    inStock: isSole ? inStock : null,
    unavailable: isSole && inStock !== null ? false : null,
  };
}
