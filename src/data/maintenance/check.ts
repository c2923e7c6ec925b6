// openshelf check: is the store consistent? Each comparison is one statement, so that it sees one moment even while a
// server writes. Changes nothing.

import { messageOf } from '../../base/fault.ts';
import { recordOf } from '../answers/listings.ts';
import { checkAnswers } from './check-answers.ts';
import { checkHistory } from './check-history.ts';
import { checkMarketplace } from './check-marketplace.ts';
import { checkSchema } from './check-schema.ts';
import { checkWatches } from './check-watches.ts';
import type { Row, Sql } from '../sql.ts';
import { rowsInPages } from './table-rows.ts';
import { findTakedowns, hostOfAddress, isAtOrBelow, isTakedownInForce } from '../takedowns.ts';

/** Maximum problems listed per kind; the rest are counted. */
const LISTED = 20;
const PAGE = 500;

/** Returns the problems, one sentence each; empty if there are none. */
export async function checkStore(sql: Sql): Promise<readonly string[]> {
  // If the file is damaged, no sum is meaningful.
  const damage = await checkFile(sql);
  if (damage.length > 0) return shortened(damage);
  const kinds = [
    await checkSchema(sql),
    await checkReferences(sql),
    await checkBalances(sql),
    await checkLedgerOwners(sql),
    await checkUsageDays(sql),
    await checkStoredAnswers(sql),
    ...(await checkHistory(sql)),
    ...(await checkListings(sql)),
    await checkAnswers(sql),
    ...(await checkMarketplace(sql)),
    ...(await checkWatches(sql)),
  ];
  return kinds.flatMap(shortened);
}

function shortened(problems: readonly string[]): readonly string[] {
  if (problems.length <= LISTED) return problems;
  return [...problems.slice(0, LISTED), `... and ${problems.length - LISTED} more of this kind`];
}

async function checkFile(sql: Sql): Promise<readonly string[]> {
  if (sql.dialect !== 'sqlite') return [];
  try {
    const rows = await sql.all('pragma integrity_check');
    return rows
      .map((row) => String(row['integrity_check']))
      .filter((text) => text !== 'ok')
      .map((text) => `database file: ${text}`);
  } catch (error) {
    return [`database file: ${messageOf(error)}`];
  }
}

async function checkReferences(sql: Sql): Promise<readonly string[]> {
  if (sql.dialect !== 'sqlite') return [];
  const rows = await sql.all('pragma foreign_key_check');
  return rows.map((row) => `${row['table']} has a row that points to no row of ${row['parent']}`);
}

/**
 * Compares used, calls and granted with the sums of the ledger, and reserved with the sum of the reservations, each in both
 * directions.
 */
async function checkBalances(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select name, months.month as month,
       coalesce(used, 0) as used, coalesce(calls, 0) as calls,
       coalesce(granted, 0) as granted, coalesce(reserved, 0) as reserved,
       coalesce(charged, 0) as ledger_used, coalesce(charges, 0) as ledger_calls,
       coalesce(grants, 0) as ledger_granted, coalesce(held, 0) as held
     from (select organization_id, month from balances
       union select organization_id, month from ledger
       union select organization_id, month from reservations) months
     join organizations on organizations.id = months.organization_id
     left join balances on balances.organization_id = months.organization_id
       and balances.month = months.month
     left join (select organization_id, month,
         cast(sum(case when kind = 'charge' then tokens else 0 end) as bigint) as charged,
         cast(sum(case when kind = 'charge' then 1 else 0 end) as bigint) as charges,
         cast(sum(case when kind = 'grant' then tokens else 0 end) as bigint) as grants
       from ledger group by organization_id, month) booked
       on booked.organization_id = months.organization_id and booked.month = months.month
     left join (select organization_id, month, cast(sum(tokens) as bigint) as held
       from reservations group by organization_id, month) holds
       on holds.organization_id = months.organization_id and holds.month = months.month
     order by name, months.month`,
  );
  return rows.flatMap((row) => [
    ...differs(row, ['used', 'ledger_used'], 'tokens used; the charges of the ledger sum to'),
    ...differs(row, ['calls', 'ledger_calls'], 'calls; the number of charges in the ledger is'),
    ...differs(row, ['granted', 'ledger_granted'], 'tokens granted; the grants sum to'),
    ...differs(row, ['reserved', 'held'], 'tokens reserved; the reservations sum to'),
  ]);
}

function differs(row: Row, [balance, sum]: readonly [string, string], what: string) {
  if (row[balance] === row[sum]) return [];
  return [`balance of ${row['name']} ${row['month']}: ${row[balance]} ${what} ${row[sum]}`];
}

async function checkLedgerOwners(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select request_id from ledger left join api_keys on api_keys.id = key_id
     where kind = 'charge'
       and (api_keys.id is null or api_keys.organization_id <> ledger.organization_id)
     order by request_id`,
  );
  return rows.map(
    (row) => `ledger ${row['request_id']}: the key does not belong to its organization`,
  );
}

/** Compares the sums by day, route and key with the ledger's, in both directions. */
async function checkUsageDays(sql: Sql): Promise<readonly string[]> {
  const columns = 'organization_id, month, day, route, key_id';
  const rows = await sql.all(
    `select ${columns}, cast(sum(tokens) as bigint) as tokens, cast(sum(calls) as bigint) as calls
     from (select ${columns}, tokens, calls from usage_days
       union all
       select organization_id, month, at_ms / 86400000, route, key_id, -tokens, -1
       from ledger where kind = 'charge') both_ways
     group by ${columns}
     having sum(tokens) <> 0 or sum(calls) <> 0
     order by ${columns}`,
  );
  return rows.map(
    (row) =>
      `usage of key ${row['key_id']} on day ${row['day']}, ${row['route']}: ` +
      `${row['tokens']} tokens and ${row['calls']} calls more than in the ledger`,
  );
}

/** Compares the counted space of answers stored for Idempotency-Keys with the sum of their bytes. */
async function checkStoredAnswers(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select id, coalesce(space.bytes, 0) as counted, coalesce(kept.bytes, 0) as held
     from organizations
     left join idempotency_space space on space.organization_id = id
     left join (select organization_id, cast(sum(bytes) as bigint) as bytes
       from idempotency_keys group by organization_id) kept on kept.organization_id = id
     where coalesce(space.bytes, 0) <> coalesce(kept.bytes, 0)
     order by id`,
  );
  return rows.map(
    (row) =>
      `answers stored for the Idempotency-Keys of ${row['id']}: ${row['held']} bytes, ${row['counted']} counted`,
  );
}

/**
 * Checks that the searched columns match the record, and that no listing belongs to a host that was taken down. Reads in pages
 * to limit memory.
 */
async function checkListings(sql: Sql): Promise<readonly (readonly string[])[]> {
  const problems: string[] = [];
  const hosts = (await findTakedowns(sql)).filter(isTakedownInForce).map(({ host }) => host);
  const kept = new Map<string, number>();
  const columns = ['id', 'retailer', 'listing_key', 'url', 'gtin14', 'price_cents', 'record'];
  const read = { name: 'listings', key: ['id'], columns };
  for await (const rows of rowsInPages(sql, read, PAGE)) {
    for (const row of rows) {
      const problem = problemOf(row);
      if (problem !== null)
        problems.push(`listing ${row['retailer']} ${row['listing_key']}: ${problem}`);
      const host = takenDownHostOf(row, hosts);
      if (host !== undefined) kept.set(host, (kept.get(host) ?? 0) + 1);
    }
  }
  const left = [...kept].map(
    ([host, listings]) =>
      `${host} is taken down and ${listings} of its listings are stored: run \`openshelf takedown\` for it again, or restart the service`,
  );
  return [problems, left];
}

function takenDownHostOf(row: Row, hosts: readonly string[]): string | undefined {
  const address = hosts.length === 0 ? null : hostOfAddress(String(row['url']));
  return address === null ? undefined : hosts.find((host) => isAtOrBelow(address, host));
}

function problemOf(row: Row): string | null {
  const { gtin14: gtin, record } = row;
  if (typeof gtin === 'string' && !isGtin14(gtin)) return `${gtin} is not a GTIN-14`;
  if (typeof record !== 'string') return null;
  try {
    const { listing } = recordOf(record);
    if (listing.gtin !== gtin) return `the record has barcode ${listing.gtin}, the column ${gtin}`;
    const cents = listing.price?.cents ?? null;
    return cents === row['price_cents']
      ? null
      : `the record has price ${cents}, the column ${row['price_cents']}`;
  } catch {
    return 'the record is not readable';
  }
}

/**
 * Fourteen digits whose weighted sum (3, 1, 3, 1 ...) is a multiple of ten. Written out here on purpose:
 * a check that shares the code it checks proves nothing.
 */
function isGtin14(text: string): boolean {
  if (!/^\d{14}$/.test(text)) return false;
  const sum = Array.from(text, Number).reduce(
    (total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1),
    0,
  );
  return sum % 10 === 0;
}
