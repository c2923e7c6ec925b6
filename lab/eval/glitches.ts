// npm run lab -- glitches [--years N] [--seed N] [--json]: how many injected errors are marked, by kind, and how many real
// shop prices. Exits 1 if fewer than 99 % of a kind that must be marked are, or if one sharp sale or repeated deep fall is.

import { parseArgs } from 'node:util';

import { suspectPrices } from '../../src/rules/history/price-glitch.ts';
import {
  DEEP,
  erredYear,
  HELD_OUT,
  SHAPES,
  SLIPS,
  type PriceError,
  type Shape,
} from './prices/errors.ts';
import { GLITCHES, priceYear, type Glitch, type Seen } from './prices/years.ts';

/** `shares`: for each lasting error, the share of its observations that is marked. */
type Count = { seen: number; marked: number; shares?: number[] };

const mean = ({ shares = [] }: Count): number =>
  shares.reduce((sum, each) => sum + each, 0) / Math.max(1, shares.length);

const share = ({ seen, marked }: Count): number => (seen === 0 ? 0 : marked / seen);

function note(count: Count, isMarked: boolean): void {
  count.seen += 1;
  if (isMarked) count.marked += 1;
}

type ErrorCounts = Tally & { readonly errors: Map<string, Count> };

type ErrorKind = { readonly kind: PriceError; readonly shape: Shape };
type Tally = { readonly sales: Count; readonly ordinary: Count; readonly inSales: Count };

/** Counts, over years with one error each, what is marked of the error and of everything else. */
function errorsOf(
  years: number,
  seed: number,
  kinds: readonly PriceError[],
  shapes: readonly Shape[],
): ErrorCounts {
  const errors = new Map<string, Count>();
  const tally = {
    sales: { seen: 0, marked: 0 },
    ordinary: { seen: 0, marked: 0 },
    inSales: { seen: 0, marked: 0 },
  };
  const all = shapes.flatMap((shape) => kinds.map((kind) => ({ kind, shape })));
  for (const each of all) {
    const count = { seen: 0, marked: 0, shares: new Array<number>() };
    errors.set(`${each.kind}, ${each.shape}`, count);
    for (let year = 0; year < years; year += 1) {
      const own = scoreYear(seed * 2_000_003 + year, each, tally);
      count.seen += own.seen;
      count.marked += own.marked;
      // Otherwise a listing that is read every hour would count as much as all others together.
      if (own.seen > 0) count.shares.push(share(own));
    }
  }
  return { errors, ...tally };
}

function scoreYear(
  seed: number,
  { kind, shape }: ErrorKind,
  { sales, ordinary, inSales }: Tally,
): Count {
  const prices = erredYear(seed, kind, shape);
  const marked = suspectPrices(prices);
  const own = { seen: 0, marked: 0 };
  for (const [at, { error, isSharpSale, isInSale }] of prices.entries()) {
    const usual = isSharpSale ? sales : ordinary;
    const wrong = isInSale === true && kind !== 'deep_repeated' ? inSales : own;
    note(error === null ? usual : wrong, marked.has(at));
  }
  return own;
}

type GlitchCounts = {
  readonly glitches: ReadonlyMap<Glitch, Count>;
  readonly all: Count;
  readonly sales: Count;
  readonly ordinary: Count;
};

/** Counts, over years with the glitches that shops show, what is marked of them, of sharp sales and of everything else. */
function countGlitches(years: number, seed: number): GlitchCounts {
  const glitches = new Map<Glitch, Count>(GLITCHES.map((kind) => [kind, { seen: 0, marked: 0 }]));
  const all = { seen: 0, marked: 0 };
  const sales = { seen: 0, marked: 0 };
  const ordinary = { seen: 0, marked: 0 };
  for (let year = 0; year < years; year += 1) {
    const prices = priceYear(seed * 1_000_003 + year).filter(
      (each): each is Seen & { readonly priceCents: number } => each.priceCents !== null,
    );
    const marked = suspectPrices(prices);
    for (const [at, { glitch, isSharpSale }] of prices.entries()) {
      const isMarked = marked.has(at);
      if (glitch !== null) {
        note(all, isMarked);
        note(glitches.get(glitch) ?? all, isMarked);
      } else note(isSharpSale ? sales : ordinary, isMarked);
    }
  }
  return { glitches, all, sales, ordinary };
}

type Sections = Readonly<Record<'slips' | 'heldOut' | 'deep', ErrorCounts>>;

const NAMES = {
  slips: 'slips and runs',
  heldOut: 'left out when the data was made',
  deep: 'deep falls',
};

const percent = (count: Count): string =>
  `${(share(count) * 100).toFixed(4)} % of ${count.seen} (${count.marked})`;

function tellGlitches({ glitches, all, sales, ordinary }: GlitchCounts): void {
  console.error(`glitches marked: ${percent(all)}`);
  for (const [kind, count] of glitches) console.error(`  ${kind}: ${percent(count)}`);
  console.error(`sharp sales marked: ${percent(sales)}`);
  console.error(`other prices marked: ${percent(ordinary)}`);
}

function tellErrors(name: string, section: ErrorCounts): void {
  console.error(`${name}:`);
  for (const [kind, count] of section.errors) {
    const errors = `${(mean(count) * 100).toFixed(3)} % of ${count.shares?.length} errors`;
    console.error(`  ${kind}: ${errors}, ${percent(count)}`);
  }
  console.error(`  errors during sharp sales marked: ${percent(section.inSales)}`);
  console.error(`  sharp sales marked: ${percent(section.sales)}`);
  console.error(`  other prices marked: ${percent(section.ordinary)}`);
}

/** Returns the figures that the decision is based on, and that docs/figures.md publishes. */
function figuresOf({ all, sales, ordinary }: GlitchCounts, { slips, heldOut, deep }: Sections) {
  const ofSlips = (isOfGroup: (kind: string) => boolean): number => {
    const counts = [...slips.errors].flatMap(([kind, count]) => (isOfGroup(kind) ? [count] : []));
    return mean({ seen: 0, marked: 0, shares: counts.flatMap(({ shares = [] }) => shares) });
  };
  const once = deep.errors.get('deep_once, lasting');
  const repeated = deep.errors.get('deep_repeated, lasting');
  return {
    glitches_marked: share(all),
    slips_marked: ofSlips((kind) => kind.endsWith('lasting') && !kind.startsWith('nines')),
    placeholders_marked: ofSlips((kind) => kind.startsWith('nines')),
    runs_marked: ofSlips((kind) => kind.endsWith('three_daily')),
    held_out_marked_least: Math.min(...[...heldOut.errors.values()].map(mean)),
    deep_once_marked: once === undefined ? 0 : share(once),
    deep_repeated_erased: repeated?.marked ?? 0,
    sharp_sales_seen: sales.seen,
    sharp_sales_marked:
      sales.marked + slips.sales.marked + heldOut.sales.marked + deep.sales.marked,
    other_prices_marked: share(ordinary),
  };
}

/** Share of each kind that must be marked. */
const LEAST = 0.99;

function main(): number {
  const { values } = parseArgs({
    options: {
      years: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const [years, seed] = [Number(values.years), Number(values.seed)];
  console.error(`${values.years} years, seed ${values.seed}`);
  const counted = countGlitches(years, seed);
  tellGlitches(counted);
  const fewer = Math.ceil(years / 10);
  const sections: Sections = {
    slips: errorsOf(fewer, seed, SLIPS, SHAPES),
    heldOut: errorsOf(fewer, seed, HELD_OUT, ['lasting']),
    deep: errorsOf(fewer, seed, DEEP, ['lasting']),
  };
  for (const name of ['slips', 'heldOut', 'deep'] as const) tellErrors(NAMES[name], sections[name]);
  const figures = figuresOf(counted, sections);
  if (values.json) console.log(JSON.stringify(figures));
  const { glitches_marked, slips_marked, placeholders_marked, runs_marked } = figures;
  const marked = [glitches_marked, slips_marked, placeholders_marked, runs_marked];
  const isMet =
    Math.min(...marked, figures.deep_once_marked) >= LEAST &&
    figures.deep_repeated_erased === 0 &&
    figures.sharp_sales_marked === 0;
  return isMet ? 0 : 1;
}

process.exitCode = main();
