// Measures how fast texts are parsed: prices and identifiers, of the kinds that pages and callers write. Informative: both
// are a small part of a page or a request.

import { parseIdentifier } from '../../src/base/identifiers/parse-identifier.ts';
import { readMoney } from '../../src/base/listing/money/money.ts';
import { figureOf, pairedCalls, type Effort, type Figure } from './measurement.ts';

const PRICES = ['$1,299.95', '1.299,95 €', 'USD 18', '19.99', 'from £4.50', '12,50 kr', 'sold out'];

const IDENTIFIERS = [
  '9521234567896',
  '012345678905',
  '96385074',
  '0-306-40615-2',
  'B0EXAMPLE1',
  'https://shop.invented.example/p/lamp-7?variant=12&utm_source=mail',
  'not an identifier',
];

/** Calls `read` with one text after another. */
function inTurn(texts: readonly string[], read: (text: string) => unknown): () => unknown {
  let index = 0;
  return () => {
    index = index + 1 === texts.length ? 0 : index + 1;
    return read(texts[index] ?? '');
  };
}

function compare(
  { name, measured }: Pick<Figure, 'name' | 'measured'>,
  texts: readonly string[],
  read: (text: string) => unknown,
  effort: Effort,
): Figure {
  const pairs = pairedCalls(inTurn(texts, read), inTurn(texts, Number), effort);
  const baseline = 'Number() of the same texts';
  return figureOf({ name, measured, baseline, goal: null, ratioOf: 'throughput' }, pairs);
}

/** Measures calls per second of the price reader and of the identifier parser. */
export function benchTexts(effort: Effort): readonly Figure[] {
  return [
    compare({ name: 'price-text', measured: 'readMoney' }, PRICES, readMoney, effort),
    compare(
      { name: 'identifier-text', measured: 'parseIdentifier' },
      IDENTIFIERS,
      parseIdentifier,
      effort,
    ),
  ];
}
