// Invented price histories, the pages that show them, and what watches of them must notify: derived here from D70 and D68
// alone.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { productPage } from '../../../tests/contract/support/own-shop.ts';

export type Product = {
  readonly url: string;
  /** `below`: notified below this line in cents; null: notified of any change. */
  readonly belowCents: number | null;
  /** Cents by round; those in `slips` are a price that the shop shows by mistake. */
  readonly prices: readonly number[];
  readonly slips: ReadonlySet<number>;
};

const SHOPS = 40;
const LEVEL_BEFORE_SLIPS = 6;
const STEP_PERCENT = 5;

export function madeProducts(
  random: () => number,
  count: number,
  rounds: number,
): readonly Product[] {
  return Array.from({ length: count }, (_, at) => {
    const level = 1_500 + Math.floor(random() * 8_000);
    const prices: number[] = [level];
    const slips = new Set<number>();
    for (let round = 1; round < rounds; round += 1) {
      // Within a quarter of the level, and never the previous price: every round is a change.
      const before = prices.at(-1) ?? level;
      let price = before;
      while (price === before) price = Math.round(level * (0.75 + random() * 0.5));
      if (round >= LEVEL_BEFORE_SLIPS && random() < 0.04 && !slips.has(round - 1)) {
        slips.add(round);
        price = level * 10;
      }
      prices.push(price);
    }
    const belowCents = at % 2 === 0 ? null : Math.round(level * (0.8 + random() * 0.4));
    return { url: `https://www.shop${at % SHOPS}.example/p/${at}`, belowCents, prices, slips };
  });
}

/** Returns the shops' origins, as OPENSHELF_ORIGINS maps them. */
export function originsAt(place: string): string {
  return Array.from(
    { length: SHOPS },
    (_, at) => `https://www.shop${at}.example=http://${place}`,
  ).join();
}

type MadeShops = AsyncDisposable & {
  readonly place: string;
  /** Pages sent so far. */
  readonly pages: () => number;
  setRound(round: number): void;
};

/** Opens all shops on one address: the Host header identifies the requested one. */
export async function openShops(products: readonly Product[]): Promise<MadeShops> {
  const byUrl = new Map(products.map((product) => [product.url, product]));
  let round = 0;
  let pages = 0;
  const server = createServer((request, response) => {
    const product = byUrl.get(`https://${request.headers.host}${request.url}`);
    if (product === undefined) {
      response.writeHead(404).end();
      return;
    }
    pages += 1;
    const cents = product.prices[Math.min(round, product.prices.length - 1)] ?? 0;
    const name = `Enamel kettle of ${new URL(product.url).pathname}`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(productPage({ name, sku: product.url }, { price: (cents / 100).toFixed(2) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages: () => pages,
    setRound: (next) => {
      round = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Old and new price in cents. */
export type PriceStep = readonly [number | null, number];

/** Returns what a watch of the product notifies, in order. */
export function mustNotify({ prices, slips, belowCents }: Product): readonly PriceStep[] {
  const believed = prices.filter((_, round) => !slips.has(round));
  const steps: PriceStep[] = [];
  let notified: number | null = null;
  for (const [at, cents] of believed.entries()) {
    const before = believed[at - 1] ?? null;
    if (belowCents === null) {
      if (before !== null && before !== cents) steps.push([before, cents]);
      continue;
    }
    if (cents > belowCents) notified = null;
    const isFurther = notified === null || cents * 100 <= notified * (100 - STEP_PERCENT);
    if (cents < belowCents && isFurther) {
      steps.push([before, cents]);
      notified = cents;
    }
  }
  return steps;
}

/** Returns the price steps that the feed must have, in order. */
export function mustChange({ prices, slips }: Product): readonly PriceStep[] {
  const believed = prices.filter((_, round) => !slips.has(round));
  return believed.flatMap((cents, at) => {
    const before = believed[at - 1];
    return before === undefined || before === cents ? [] : [[before, cents] as const];
  });
}
