// npm run eval:glitches -- [--years N] [--seed N] [--json]: how many injected glitches are marked, and how many prices
// that a shop really asked. Exits 1 when fewer than 99 % of the one or a thousandth of sharp sales of the other are.

import { parseArgs } from 'node:util';

import { glitchesIn } from '../src/history/price-glitch.ts';
import { GLITCHES, priceYear, type Glitch, type Seen } from './price-years.ts';

type Count = { seen: number; marked: number };

const share = ({ seen, marked }: Count): number => (seen === 0 ? 0 : marked / seen);

function note(count: Count, isMarked: boolean): void {
  count.seen += 1;
  if (isMarked) count.marked += 1;
}

function main(): number {
  const { values } = parseArgs({
    options: {
      years: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const glitches = new Map<Glitch, Count>(GLITCHES.map((kind) => [kind, { seen: 0, marked: 0 }]));
  const all = { seen: 0, marked: 0 };
  const sales = { seen: 0, marked: 0 };
  const ordinary = { seen: 0, marked: 0 };
  for (let year = 0; year < Number(values.years); year += 1) {
    const prices = priceYear(Number(values.seed) * 1_000_003 + year).filter(
      (each): each is Seen & { readonly priceCents: number } => each.priceCents !== null,
    );
    const marked = glitchesIn(prices);
    for (const [at, { glitch, isSharpSale }] of prices.entries()) {
      const isMarked = marked.has(at);
      if (glitch !== null) {
        note(all, isMarked);
        note(glitches.get(glitch) ?? all, isMarked);
      } else note(isSharpSale ? sales : ordinary, isMarked);
    }
  }
  const percent = (count: Count) =>
    `${(share(count) * 100).toFixed(4)} % of ${count.seen} (${count.marked})`;
  console.error(`${values.years} years, seed ${values.seed}`);
  console.error(`glitches marked: ${percent(all)}`);
  for (const [kind, count] of glitches) console.error(`  ${kind}: ${percent(count)}`);
  console.error(`sharp sales marked: ${percent(sales)}`);
  console.error(`other prices marked: ${percent(ordinary)}`);
  const figures = {
    glitches_marked: share(all),
    sharp_sales_marked: share(sales),
    other_prices_marked: share(ordinary),
  };
  if (values.json) console.log(JSON.stringify(figures));
  return figures.glitches_marked >= 0.99 && figures.sharp_sales_marked < 0.001 ? 0 : 1;
}

process.exitCode = main();
