// Steps that request one thing in several ways while nothing changes: all answers are the same.

import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { pick } from '../../../tests/support/random.ts';
import { pay } from './accounts.ts';
import {
  differencesOf,
  lasting,
  listOf,
  numberAt,
  objectOf,
  valueAt,
  type Json,
} from './bodies.ts';
import { meteredOf, type Ask, type Said } from './calls.ts';
import {
  costOf,
  drawQuery,
  drawSpelling,
  hasBars,
  lookupOf,
  mayBeNamed,
  UNKNOWN_HEADER,
  type Drawn,
} from './lookups.ts';
import { askUntilQuiet, type Step, type World } from './world.ts';

/** Draws a query without parts that every call fetches again. */
function calmQuery(step: Step, drawn: Drawn): URLSearchParams {
  const query = drawQuery(step, drawn, false);
  query.delete('include_offers');
  query.delete('include_offers_reviews');
  return query;
}

export async function askInSeveralWays(step: Step): Promise<void> {
  const { world, random } = step;
  const drawn = drawSpelling(step);
  const query = calmQuery(step, drawn);
  const { spelling, good } = drawn;
  const key = world.keys[0]!;
  const ask = lookupOf(key, spelling.text, query);
  await askUntilQuiet(world, ask);
  const first = await world.caller.call(ask);
  if (first.status !== 200) return;
  const same = (how: string, said: Json): void => {
    const differences = differencesOf(lasting(first.body), lasting(said));
    if (differences.length > 0)
      world.differs(`${ask.target} ${how}`, `${how} differs: ${differences.join('; ')}`);
  };
  const again = async (how: string, other: Ask): Promise<Said> => {
    const said = await world.caller.call(other);
    if (said.status === 200) same(how, said.body);
    else world.differs(`${other.target} ${how}`, `${how}: ${said.status} ${said.code}`);
    return said;
  };
  await again('asked again', ask);
  for (const at of world.stage.urls()) await again('of every process', { ...ask, at });
  await again('computed again', { ...ask, headers: { 'cache-control': 'no-cache' } });
  await again('with a head that is not recognized', { ...ask, headers: UNKNOWN_HEADER });
  const head = await world.caller.call({
    ...ask,
    method: 'HEAD',
    costOf: () => costOf(query, hasBars(first.body)),
  });
  if (head.status !== 200 || head.text !== '') world.differs(ask.target, `HEAD is ${head.status}`);
  if (spelling.text.startsWith('http')) {
    const target = `/v1/products?url=${encodeURIComponent(spelling.text)}&${query.toString()}`;
    await again('as url=', { ...ask, target });
  }
  await again('in other words', lookupOf(key, spelling.text, inOtherWords(world, query)));
  const others = good.spellings.filter(
    (each) => each.group === spelling.group && (!query.has('retailer') || mayBeNamed(each)),
  );
  await again('in another spelling', lookupOf(key, pick(random, others).text, query));
  await askConfirmed(step, drawn, { query, first });
  await askInBatch(step, { drawn, query, first }, same);
}

/**
 * Rewrites the same query: `1` is true, the order is irrelevant, and a retailer can also be named by its site (D22, D63).
 */
function inOtherWords({ stage }: World, query: URLSearchParams): URLSearchParams {
  const { origins } = stage.sandbox.market();
  const words = [...query].toReversed().map(([name, value]): [string, string] => {
    if (value === 'true') return [name, '1'];
    if (value === 'false') return [name, 'FALSE'];
    const slug = KNOWN_SLUGS.find((each) => each === value);
    if (name !== 'retailer' || slug === undefined) return [name, value];
    const labels = new URL(origins[slug].page).hostname.split('.');
    return [name, labels.at(-2) ?? value];
  });
  return new URLSearchParams(words);
}

type Asked = { readonly query: URLSearchParams; readonly first: Said };

/** Checks that `identifier_match` omits cells, and changes nothing else. */
async function askConfirmed(
  { world }: Step,
  { spelling }: Drawn,
  { query, first }: Asked,
): Promise<void> {
  if (query.get('include_cross_retailer') !== 'true') return;
  const turned = new URLSearchParams(query);
  if (query.has('identifier_match')) turned.delete('identifier_match');
  else turned.set('identifier_match', 'any');
  const ask = lookupOf(world.keys[0]!, spelling.text, turned);
  const said = await world.caller.call(ask);
  const [any, confirmed] = query.has('identifier_match') ? [first, said] : [said, first];
  const cellsOf = (of: Said): Json => objectOf(of.body['cross_retailer']);
  for (const [slug, cell] of Object.entries(cellsOf(confirmed))) {
    const differences = differencesOf(cell, cellsOf(any)[slug]);
    if (differences.length > 0)
      world.differs(ask.target, `the cell of ${slug} with any differs: ${differences.join('; ')}`);
  }
  const without = (of: Said): Json => ({ ...lasting(of.body), cross_retailer: null });
  const differences = differencesOf(without(any), without(confirmed));
  if (differences.length > 0)
    world.differs(ask.target, `identifier_match changes ${differences.join('; ')}`);
}

type InBatch = Asked & { readonly drawn: Drawn };

/** Checks that a line of a batch equals the call, and that a repeated line is free. */
async function askInBatch(
  { world }: Step,
  { drawn, query, first }: InBatch,
  same: (how: string, said: Json) => void,
): Promise<void> {
  const key = world.keys[0]!;
  const given = [...query].map(
    ([name, value]) => [name, value === 'true' ? true : value === 'false' ? false : value] as const,
  );
  const line = JSON.stringify({ id: drawn.spelling.text, ...Object.fromEntries(given) });
  const ask: Ask = {
    key,
    method: 'POST',
    target: '/v1/products/batch',
    route: 'GET /v1/products/{id}',
    scope: 'products:read',
    body: `${line}\n\n${line}\n{"id":"no identifier!"}\n`,
    contentType: 'application/x-ndjson',
  };
  const said = await world.caller.call(ask);
  const lines = listOf(said.body['lines']);
  if (said.status !== 200 || lines.length !== 3) {
    world.differs('batch', `${said.status} with ${lines.length} lines of 3`);
    return;
  }
  const [one, two, wrong] = lines;
  const cost = costOf(query, hasBars(first.body));
  if (numberAt(one, 'product', 'tokens_consumed') !== cost)
    world.differs(
      `batch ${line}`,
      `a line costs ${numberAt(one, 'product', 'tokens_consumed')}, expected ${cost}`,
    );
  if (numberAt(two, 'duplicate_of') !== 1 || numberAt(two, 'product', 'tokens_consumed') !== 0)
    world.differs(`batch ${line}`, 'a line that repeats another is not free');
  if (numberAt(wrong, 'line') !== 4 || numberAt(wrong, 'status') !== 400)
    world.differs('batch', `a wrong line is ${JSON.stringify(wrong).slice(0, 200)}`);
  pay(meteredOf({ ...ask, least: cost }), cost, world.stage.now());
  same('in a batch', objectOf(valueAt(one, 'product')));
  same('repeated in a batch', objectOf(valueAt(two, 'product')));
}
