// npm run lab -- order [--products N] [--orders M] [--seed S] [--database sqlite|postgres] [--variant NAME,...]
// [--against DIR] [--at-once N] [--show N] [--json]: whether a record depends on the order of the lookups before it.
// The same lookups of the simulated market are made in shuffled orders on fresh stores. Records must be equal when the
// queue is quiet, and first answers to a barcode whenever the same retailers had answered for it. `--against`: another
// checkout, which begins the stores of the orders `made-by`. Exit code 1 when anything differs.

import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { readConfig, type Config } from '../../src/edge/config.ts';
import { sandboxEnv, withSandbox, withSandboxSearch } from '../../src/edge/cli/sandbox-config.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { command, newDatabase } from '../../tests/support/databases.ts';
import { startPostgresPair, type PostgresPair } from '../../tests/support/postgres-pair.ts';
import { randomFrom } from '../../tests/support/random.ts';
import { differencesBetween, type FieldDifference, type OrderAnswers } from './order/compare.ts';
import { lookupSetOf, MARKET_MS, type LookupSet } from './order/lookups.ts';
import { fillWith } from './order/made-by.ts';
import { runOrder, shuffled, type OrderResult } from './order/run.ts';
import { startStrangers, type StrangerShops } from './strangers/shops.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

/** `plain` first; orders of different variants are not compared with each other. */
const VARIANTS = [
  'plain',
  'blocked',
  'no-search',
  'case-codes',
  'imported',
  'made-by',
  'replica',
] as const;
type Variant = (typeof VARIANTS)[number];

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '40' },
    orders: { type: 'string', default: '6' },
    seed: { type: 'string', default: '7' },
    database: { type: 'string', default: 'sqlite' },
    variant: { type: 'string' },
    against: { type: 'string' },
    'at-once': { type: 'string', default: '2' },
    show: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});

/** The service's day begins shortly after midnight, so that no order extends into the next day. */
const START_MS = Date.UTC(2026, 10, 20, 0, 5);
/** The age difference of what another checkout has stored. */
const MADE_BEFORE_MS = 3 * 60_000;

type World = {
  readonly sandbox: Sandbox;
  /** The same market with retailer_w refusing every request. */
  readonly blocked: Sandbox;
  readonly shops: StrangerShops;
  readonly set: LookupSet;
  readonly pair: PostgresPair | null;
  readonly scratch: string;
};

/** Returns the variants of this run. A variant takes part if at least two orders can have it. */
function variantsOf(orders: number): readonly Variant[] {
  const isPossible = (variant: Variant): boolean =>
    (variant !== 'made-by' || values.against !== undefined) &&
    (variant !== 'replica' || values.database === 'postgres');
  const named = values.variant?.split(',');
  const wrong = named?.find((name) => !VARIANTS.some((each) => each === name && isPossible(each)));
  if (wrong !== undefined) {
    console.error(
      `Unknown or impossible variant "${wrong}". There are ${VARIANTS.join(', ')}; made-by requires --against DIR, ` +
        'replica requires --database postgres.',
    );
    process.exit(2);
  }
  const wanted = VARIANTS.filter((each) => named?.includes(each) ?? isPossible(each));
  return wanted.slice(0, Math.max(1, Math.floor(orders / 2)));
}

type OrderStore = AsyncDisposable & { readonly env: Readonly<Record<string, string>> };

async function freshStore(world: World, order: number, variant: Variant): Promise<OrderStore> {
  const folder = join(world.scratch, String(order));
  if (values.database === 'sqlite') {
    return {
      env: { OPENSHELF_DATA: folder },
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  if (variant !== 'replica' || world.pair === null) {
    const database = await newDatabase(variant === 'made-by' ? 'empty' : 'migrated');
    return {
      env: { DATABASE_URL: database.url },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  }
  const { pair } = world;
  const { primary, standby } = pair;
  const name = `order_${order}`;
  await command(primary.url('postgres'), `create database ${name}`);
  await pair.caughtUp();
  return {
    env: { DATABASE_URL: primary.url(name), OPENSHELF_READ_URL: standby.url(name) },
    [Symbol.asyncDispose]: () =>
      command(primary.url('postgres'), `drop database if exists ${name} with (force)`),
  };
}

function configOf(world: World, variant: Variant, env: OrderStore['env']): Config {
  const given = { ...env, ...networkOf(world) };
  const sandbox = variant === 'blocked' ? world.blocked : world.sandbox;
  const config = withSandbox(readConfig(given, { port: 0 }), sandbox);
  return variant === 'no-search' ? config : withSandboxSearch(config, sandbox);
}

/** Allows only the simulated market: the configured name server does not exist. */
function networkOf({ shops }: World): Readonly<Record<string, string>> {
  return {
    OPENSHELF_ORIGINS: shops.origins,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    OPENSHELF_CONTACT: 'https://operator.example/contact',
  };
}

async function resultOf(world: World, order: number, variant: Variant): Promise<OrderResult> {
  const random = randomFrom(Number(values.seed) * 10_007 + order);
  const { set, sandbox } = world;
  const lookups = set.lookups.filter((each) => variant === 'case-codes' || !each.isCaseCode);
  await using store = await freshStore(world, order, variant);
  if (variant === 'made-by') {
    await fillWith({
      checkout: resolve(values.against ?? ''),
      env: { ...store.env, ...networkOf(world), ...sandboxEnv(sandbox, networkOf(world)) },
      startMs: START_MS - MADE_BEFORE_MS,
      lookups: shuffled(lookups, random).slice(0, Math.ceil(lookups.length / 2)),
      isDrained: random() < 0.5,
    });
  }
  return await runOrder({
    order,
    lookups,
    config: configOf(world, variant, store.env),
    startMs: START_MS,
    history: variant === 'imported' ? set.history : [],
    random,
  });
}

type VariantReport = {
  readonly variant: Variant;
  readonly orders: number;
  readonly lookups: number;
  /** First answers of at least two orders after the same retailers. */
  readonly firstCompared: number;
  readonly firstWithoutRecord: number;
  readonly first: readonly FieldDifference[];
  readonly settled: readonly FieldDifference[];
  readonly strangerAnchors: number;
  readonly strangerExample: string | null;
  readonly unsettled: readonly number[];
};

function reportOf(variant: Variant, results: readonly OrderResult[]): VariantReport {
  const answersOf = (pick: (result: OrderResult) => OrderAnswers['answers']): OrderAnswers[] =>
    results.map((result) => ({ order: result.order, answers: pick(result) }));
  const times = new Map<string, number>();
  const isFirstCompared = variant !== 'made-by';
  for (const { first } of isFirstCompared ? results : []) {
    for (const name of first.keys()) times.set(name, (times.get(name) ?? 0) + 1);
  }
  const anchors = results.flatMap((each) => each.strangerAnchors);
  const [anchor] = anchors;
  return {
    variant,
    orders: results.length,
    lookups: results[0]?.settled.size ?? 0,
    firstCompared: [...times.values()].filter((count) => count > 1).length,
    firstWithoutRecord: results.reduce((sum, each) => sum + each.firstWithoutRecord, 0),
    // A release that does not store who was asked cannot show which retailers had answered.
    first: isFirstCompared ? differencesBetween(answersOf(({ first }) => first)) : [],
    settled: differencesBetween(answersOf(({ settled }) => settled)),
    strangerAnchors: anchors.length,
    strangerExample:
      anchor === undefined ? null : `${anchor.lookup} ${anchor.when}: ${anchor.shop}`,
    unsettled: results.filter(({ rounds }) => rounds === null).map(({ order }) => order),
  };
}

const faultsOf = (report: VariantReport): number =>
  report.first.length + report.settled.length + report.strangerAnchors + report.unsettled.length;

function tell(report: VariantReport): void {
  const { variant, orders, lookups, firstCompared, firstWithoutRecord } = report;
  console.error(
    `\n${variant}: ${orders} orders of ${lookups} lookups; ${firstCompared} first answers compared, ` +
      `${firstWithoutRecord} were not records`,
  );
  tellFields('records differ when the queue is quiet', report.settled);
  tellFields('first answers differ after the same retailers', report.first);
  if (report.strangerAnchors > 0) {
    console.error(
      `  ${report.strangerAnchors} records of a barcode are a stranger's although one of the seven has the product\n` +
        `      ${report.strangerExample}`,
    );
  }
  if (report.unsettled.length > 0) {
    console.error(`  orders that do not settle in 5 rounds: ${report.unsettled.join(', ')}`);
  }
  if (faultsOf(report) === 0) console.error('  no difference');
}

function tellFields(what: string, differences: readonly FieldDifference[]): void {
  if (differences.length > 0) console.error(`  ${what}, in ${differences.length} fields:`);
  for (const { field, lookups, example } of differences.slice(0, Number(values.show))) {
    const shown = example.values.map(
      ({ value, orders }) => `${value} (orders ${orders.slice(0, 5).join(', ')})`,
    );
    console.error(`    ${field}: ${lookups} lookups`);
    console.error(`      ${example.lookup}: ${shown.join(' | ')}`);
  }
}

async function reportedResultOf(
  world: World,
  order: number,
  variant: Variant,
): Promise<OrderResult> {
  const began = performance.now();
  const result = await resultOf(world, order, variant);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const rounds = result.rounds ?? 'more than 5';
  console.error(
    `order ${order}, ${variant}: ${result.calls} calls, ${rounds} rounds, ${result.kept} of ` +
      `${result.settled.size} compared answers cached ones, ${seconds} s`,
  );
  return result;
}

function startMarket(): Promise<Sandbox> {
  return startSandbox({
    seed: Number(values.seed),
    products: Math.max(20, Number(values.products)),
    now: () => MARKET_MS,
    retailers: publicOrigins(),
  });
}

async function main(): Promise<number> {
  const [products, orders, seed] = [values.products, values.orders, values.seed].map(Number);
  if (!['sqlite', 'postgres'].includes(values.database)) {
    console.error('--database is sqlite or postgres.');
    return 2;
  }
  const variants = variantsOf(orders ?? 0);
  await using sandbox = await startMarket();
  await using blocked = await startMarket();
  blocked.disturb('retailer_w', 'blocked');
  const set = lookupSetOf(sandbox.market(), products ?? 0, seed ?? 0);
  await using shops = await startStrangers(set.pages);
  await using pair = variants.includes('replica') ? await startPostgresPair() : null;
  using folder = temporaryFolder();
  const scratch = folder.path;
  const world = { sandbox, blocked, shops, set, pair, scratch };
  const results = new Map<Variant, OrderResult[]>();
  let next = 0;
  const runNext = async (): Promise<void> => {
    for (let order = next; order < (orders ?? 0); order = next) {
      next += 1;
      const variant = variants[order % variants.length] ?? 'plain';
      const result = await reportedResultOf(world, order, variant);
      results.set(variant, [...(results.get(variant) ?? []), result]);
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, runNext));
  const reports = [...results].map(([variant, all]) =>
    reportOf(
      variant,
      all.toSorted((a, b) => a.order - b.order),
    ),
  );
  for (const report of reports) tell(report);
  const faults = reports.reduce((sum, report) => sum + faultsOf(report), 0);
  if (values.json) {
    console.log(JSON.stringify({ products, orders, seed, database: values.database, reports }));
  }
  return faults === 0 ? 0 : 1;
}

process.exitCode = await main();
