// Measures the first answer for a product: any of a large database against any of a small one, when nothing of either is
// cached in the process. Each product is requested once, from a service that has answered others before.

import { integerBelow, randomFrom } from '../../tests/support/random.ts';
import { startLoad } from './children.ts';
import { figureOf, type Figure, type Pair } from './measurement.ts';
import { openShop } from './shop.ts';
import { barcodeOf } from './size-data.ts';
import {
  checkBilled,
  CONNECTIONS,
  lookUp,
  NOTHING_KEPT,
  startAnswering,
  type Side,
  type Sides,
} from './size-lookups.ts';

/** Products requested until the code is compiled; none of them is measured. */
const WARMED_WITH = 200;
const WARM_UP_MS = 4_000;
/** Fewer than the small side has next to the others. */
const ASKED = 700;

const chance = randomFrom(43);

/** Different products, in no order; none of them has a history. */
function products({ products: all, withHistory }: Side) {
  const chosen = new Set<number>();
  while (chosen.size < WARMED_WITH + ASKED) {
    chosen.add(withHistory + integerBelow(chance, all - withHistory));
  }
  const paths = [...chosen].map((product) => `/v1/products/${barcodeOf(product)}`);
  return { warming: paths.slice(0, WARMED_WITH), asked: paths.slice(WARMED_WITH) };
}

/** Each pair uses new services: one that has run has read the whole small database. */
export async function benchFirst(sides: Sides, pairs: number): Promise<Figure> {
  await using shop = await openShop();
  await using load = startLoad();
  const round = async (side: Side) => {
    const { warming, asked } = products(side);
    await using answering = await startAnswering(side, shop, NOTHING_KEPT);
    const before = await lookUp(load, answering, warming, { maxMs: WARM_UP_MS });
    const limits = { maxMs: 600_000, maxRequests: asked.length };
    const sample = await lookUp(load, answering, asked, limits);
    answering.answers += before.answers + sample.answers;
    await checkBilled(answering);
    return sample;
  };
  const found: Pair[] = [];
  // The first pair brings both files into the system's page cache.
  for (let pair = 0; pair <= pairs; pair += 1) {
    const measured = await round(sides.large);
    const baseline = await round(sides.small);
    if (pair > 0) found.push({ measured, baseline });
  }
  const text = {
    name: 'first',
    measured: `the first answer for a stored product, any of ${sides.large.products}, ${CONNECTIONS} at once`,
    baseline: `the same, any of ${sides.small.products}`,
    goal: { is: 'at most', value: 1.3, stretch: 1.15 },
    ratioOf: 'time',
  } as const;
  return figureOf(text, found);
}
