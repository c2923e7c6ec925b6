// Reads the variants that a shop system writes into the settings of its option pickers: `jsonConfig` of swatches and `spConfig` of
// drop-downs, in scripts that start components. Addresses name options by number or code: `#93=49`, `?color=49`.

import type { Money } from '../../../base/listing/money/minor-units.ts';
import { readValue } from '../../../base/listing/money/money.ts';
import type { HtmlPage } from '../html/html.ts';
import { parseJson } from '../json/bounded-json.ts';
import { isNode, listOf, plainNumber, valueOf } from '../schema-org/node.ts';
import type { SchemaNode } from '../schema-org/node.ts';
import { textIn } from '../schema-org/schema-values.ts';
import type { VariantOption } from './named-variants.ts';

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
const MOST_VARIANTS = 500;
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

/** Returns the options of a product: each by number and by code, with the number and the label of its value. */
function optionsOf(chosen: SchemaNode, attributes: SchemaNode): readonly VariantOption[] {
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

/** Returns the variants of the page's picker. A second one with other products belongs to another product, so none counts. */
export function swatchVariants(
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
    return isNode(index) ? Object.entries(index).slice(0, MOST_VARIANTS) : [];
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
    const options = optionsOf(chosen, attributes);
    const price = moneyAt('finalPrice');
    return [{ id, sku: null, options, price, listPrice: moneyAt('oldPrice'), inStock: null }];
  });
}
