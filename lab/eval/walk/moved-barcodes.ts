// Steps in which a listing changes to another product's barcode while both products are requested: it is shown where its record
// says, and no longer at its old place (D35, D56, D58).

import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import type { MarketListing } from '../../../sandbox/market/market.ts';
import { pick } from '../../../tests/support/random.ts';
import { listOf, objectOf, textAt, valueAt, type Json } from './bodies.ts';
import type { Ask } from './calls.ts';
import type { Good } from './goods.ts';
import { lookupOf } from './lookups.ts';
import { askUntilQuiet, settle, type Step, type World } from './world.ts';

/** Those whose records can confirm a barcode. */
const CONFIRMABLE = KNOWN_SLUGS.filter((slug) => slug !== 'retailer_a' && slug !== 'retailer_t');
const CELLS = { include_cross_retailer: 'true', identifier_match: 'any' };

type Move = { readonly from: Good; readonly to: Good; readonly listing: MarketListing };

export async function moveBarcode(step: Step): Promise<void> {
  const move = drawMove(step);
  if (move === null) return;
  const { world, random } = step;
  const { from, to, listing } = move;
  const askFor = (good: Good): Ask =>
    lookupOf(world.keys[0]!, good.product.gtin14, new URLSearchParams(CELLS));
  if (random() < 0.7) await askUntilQuiet(world, askFor(from));
  if (random() < 0.7) await askUntilQuiet(world, askFor(to));
  world.goods.relabel(listing, to.product.gtin14);
  const address = world.goods.addressOf(listing);
  const forced = new URLSearchParams({ include_force_refresh: 'true' });
  const read = await world.caller.call(lookupOf(world.keys[0]!, address, forced));
  if (read.status === 200 && read.body['gtin'] !== to.product.gtin14)
    world.differs(
      `${address} with another barcode`,
      `is ${String(read.body['gtin'])} when it is read`,
    );
  if (read.status === 200) {
    for (const good of [from, to, from]) await askUntilQuiet(world, askFor(good));
    const cellsFrom = await cellsOf(world, askFor(from));
    const cellsTo = await cellsOf(world, askFor(to));
    if (cellsFrom !== null) judgeLeft(world, move, cellsFrom);
    if (cellsTo !== null) judgeArrived(world, move, cellsTo);
  }
  world.goods.relabel(listing, from.product.gtin14);
  await settle(world);
}

/**
 * Draws a listing that states its product's barcode, the only one at a retailer that answers, and the product it moves to.
 */
function drawMove({ world, random }: Step): Move | null {
  if (world.disturbed.size > 0 || world.takenDown.size > 0) return null;
  const market = world.stage.sandbox.market();
  const plain = world.goods.all.filter(({ product }) => product.trouble === null);
  const able = plain.flatMap((from) =>
    CONFIRMABLE.flatMap((slug) => {
      const [listing, ...others] = market.listingsOf(slug, from.product);
      const isPlain = listing?.publishedGtin === from.product.gtin14 && others.length === 0;
      return listing !== undefined && isPlain ? [{ from, listing }] : [];
    }),
  );
  if (able.length === 0) return null;
  const { from, listing } = pick(random, able);
  const others = plain.filter((each) => each !== from);
  return others.length === 0 ? null : { from, listing, to: pick(random, others) };
}

async function cellsOf(world: World, ask: Ask): Promise<Json | null> {
  const { status, body } = await world.caller.call(ask);
  return status === 200 ? body : null;
}

function judgeLeft(world: World, { from, listing }: Move, record: Json): void {
  const { slug } = listing;
  const address = world.goods.addressOf(listing);
  const where = `${slug} of ${from.product.gtin14}, whose listing states another barcode`;
  const cell = objectOf(valueAt(record, 'cross_retailer', slug));
  if (cell['url'] === address)
    world.differs(where, `still leads to it: ${JSON.stringify(cell['identity'])}`);
  for (const link of listOf(record['retailer_links']))
    if (link['url'] === address) world.differs(where, `is still linked: ${JSON.stringify(link)}`);
  if (valueAt(record, 'best_price', 'url') === address) world.differs(where, 'has the best price');
}

function judgeArrived(world: World, { to, listing }: Move, record: Json): void {
  const { slug } = listing;
  const cell = objectOf(valueAt(record, 'cross_retailer', slug));
  const where = `${slug} of ${to.product.gtin14}, which a listing states now`;
  const state = textAt(cell, 'identity', 'state');
  // A page that states the code is unconfirmed until the retailer is asked for the code again (D80).
  const isShown = cell['status'] === 'ok' && ['confirmed', 'unconfirmed'].includes(state ?? '');
  if (!isShown)
    world.differs(where, `${String(cell['status'])} ${state} at ${String(cell['url'])}`);
}
