// Finds the currency that belongs to each amount of an offer. Some shops list several currencies, then the amounts in the
// same order; others name the currency in a specification or on the product only.

import { currencyCodeOf } from '../../../base/listing/money/currencies.ts';
import { currencyOrToman } from '../../../base/listing/money/money.ts';
import type { PageContext } from '../facts.ts';
import { isNode, listOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import { textIn } from './schema-values.ts';

/** Maximum number of currencies read from one property: shops sell in a few. */
const MOST = 50;
const TEXT_LENGTH = 200;
/** Maximum number of offers, and of specifications of one offer, searched for a currency that others lack. */
const MOST_NAMING = 20;

/** Returns the currencies of one text: a code, a sign, a name, or several codes ("EUR, SEK"). */
function codesOf(text: string, { dollarIsUs }: PageContext): readonly string[] {
  const parts = text.split(/[\s,;|/]+/).map((part) => currencyCodeOf(part.toUpperCase()));
  const codes = parts.filter((code) => code !== null);
  if (codes.length > 1 && codes.length === parts.length) return codes;
  const code = currencyOrToman(text) ?? (text === '$' && dollarIsUs ? 'USD' : null);
  return code === null ? [] : [code];
}

/** Returns the currencies that a node lists in `priceCurrency` or a property like it, in order. */
function listed(node: SchemaNode, name: string, context: PageContext): readonly string[] {
  return listOf(node, name)
    .slice(0, MOST)
    .flatMap((value) => codesOf(textIn({ value }, 'value', TEXT_LENGTH) ?? '', context));
}

/** Returns the only one of some currencies; null if there are several, or none. */
export function soleOf(codes: readonly (string | null)[]): string | null {
  const [first, ...others] = new Set(codes.filter((code) => code !== null));
  return first === undefined || others.length > 0 ? null : first;
}

/** Returns the currencies that a node names, each once. */
export function currenciesIn(node: SchemaNode, context: PageContext): readonly string[] {
  return [...new Set(listed(node, 'priceCurrency', context))];
}

/** Returns the currencies that a node and its price specifications name. */
export function currenciesNamedBy(
  node: SchemaNode,
  context: PageContext,
): readonly (string | null)[] {
  const inner = listOf(node, 'priceSpecification').slice(0, MOST_NAMING).filter(isNode);
  return [node, ...inner].flatMap((one) => currenciesIn(one, context));
}

/**
 * Returns the context for reading the offers of a product: the only currency that the product and its offers name applies to
 * those without one. If they name several, or are too many, nothing is known of the others.
 */
export function withNamedCurrency(product: SchemaNode, context: PageContext): PageContext {
  const offersOf = (node: SchemaNode): readonly SchemaNode[] =>
    listOf(node, 'offers').filter(isNode);
  const outer = offersOf(product);
  const offers = outer.slice(0, MOST_NAMING).flatMap((node) => [node, ...offersOf(node)]);
  if (outer.length > MOST_NAMING || offers.length > MOST_NAMING) return { ...context, named: null };
  const codes = [product, ...offers].flatMap((node) => currenciesNamedBy(node, context));
  return codes.length === 0 ? context : { ...context, named: soleOf(codes) };
}

/**
 * Returns the currency of each amount in a property: its own, if it is an object with one, else the currency of the offer,
 * else the one at the same place in the offer's list of currencies. Null where it is unclear.
 */
export function currenciesOfAmounts(
  offer: SchemaNode,
  name: string,
  only: string | null,
  context: PageContext,
): readonly (string | null)[] {
  const amounts = listOf(offer, name);
  const codes = listed(offer, 'priceCurrency', context);
  const isParallel = codes.length > 1 && codes.length === amounts.length;
  return amounts.map((amount, index) => {
    const own = isNode(amount)
      ? soleOf([...currenciesIn(amount, context), ...listed(amount, 'currency', context)])
      : null;
    return own ?? (isParallel ? (codes[index] ?? null) : only);
  });
}
