// Migration 16: shops to which an earlier version gave the name of one of the seven retailers get label and suffix, as their
// hosts get now (D63). Everything that is kept under the name moves with it. The ids of listings and jobs are made from the
// name, so the statements are made from what is held.

import type { Slug } from '../base/retailer.ts';
import { jobIdOf } from './turns/jobs.ts';
import { listingIdOf } from './answers/listings.ts';
import type { Sql, Statement } from './sql.ts';
import { placeholdersOf } from './statement-values.ts';

/** The first labels of the retailers' main hosts when this migration was written. The list never changes. */
const TAKEN = ['walmart', 'amazon', 'ebay', 'lowes', 'target', 'bestbuy', 'homedepot'] as const;
const MAX_LENGTH = 30;
/** Pairs of ids in one statement: each is two parameters, and the total stays below what either database accepts. */
const PAIRS_AT_ONCE = 500;

type Rename = { readonly from: Slug; readonly to: Slug };

/** The name of the statement that guards the transaction: it refuses if something came under an old name meanwhile. */
export const NOTHING_LEFT = 'nothing left under a name that is taken';

/** Tables that name a listing, but not its shop. */
const OF_LISTINGS = [
  'observations',
  'packed_observations',
  'offer_lists',
  'archived_offers',
  'cells',
] as const;

/** Tables that name the shop itself, beside `listings` and `jobs`. */
const OF_SHOPS = ['cells', 'reading_counts', 'unknown_words'] as const;

/** The statements that rename what is held now; none if no shop has such a name. */
export async function renameShops(sql: Sql): Promise<readonly Statement[]> {
  const renames = await renamesIn(sql);
  if (renames.length === 0) return [];
  const listings = await listingPairs(sql, renames);
  return [
    {
      text: 'create table renamed_listings (old_id text primary key, new_id text not null, retailer text not null)',
    },
    ...listings,
    ...MOVE_LISTINGS,
    ...renames.flatMap(({ from, to }) => [
      ...OF_SHOPS.map((table) => ({
        text: `update ${table} set retailer = $2 where retailer = $1`,
        params: [from, to],
      })),
      { text: 'update shops set slug = $2 where slug = $1', params: [from, to] },
    ]),
    ...(await jobMoves(sql, renames)),
    { text: 'drop table renamed_listings' },
    nothingLeft(renames),
  ];
}

/** The listing is copied under its new id and its rows then follow, so that no row is ever without its listing. */
const LISTING_COLUMNS =
  'listing_key, url, gtin14, found_via, outcome, checked_at_ms, fetched_at_ms, record, price_cents, currency, in_stock';
const MOVE_LISTINGS: readonly Statement[] = [
  {
    text: `insert into listings (id, retailer, ${LISTING_COLUMNS})
      select renamed.new_id, renamed.retailer, ${LISTING_COLUMNS} from (
        select new_id, old_id, retailer from renamed_listings
      ) renamed join (select id, ${LISTING_COLUMNS} from listings) held on held.id = renamed.old_id`,
  },
  ...OF_LISTINGS.map((table) => ({
    text: `update ${table} set listing_id = (
        select new_id from renamed_listings where old_id = listing_id
      ) where listing_id in (select old_id from renamed_listings)`,
  })),
  { text: 'delete from listings where id in (select old_id from renamed_listings)' },
];

async function renamesIn(sql: Sql): Promise<readonly Rename[]> {
  const rows = await sql.all(
    `select slug, domain from shops where slug in (${placeholdersOf(TAKEN, 1)}) order by slug`,
    [...TAKEN],
  );
  const renames: Rename[] = [];
  for (const row of rows) {
    renames.push({ from: String(row['slug']), to: await freeName(sql, String(row['domain'])) });
  }
  return renames;
}

/** Label and suffix of a domain without its dots, and a number if another shop has that name. */
async function freeName(sql: Sql, domain: string): Promise<Slug> {
  const name = domain.replaceAll(/[^a-z0-9]/g, '').slice(0, MAX_LENGTH);
  for (let count = 1; ; count += 1) {
    const end = count === 1 ? '' : String(count);
    const slug = `${name.slice(0, MAX_LENGTH - end.length)}${end}`;
    const taken = await sql.all(
      `select slug from shops where slug = $1
       union all select retailer from listings where retailer = $1 limit 1`,
      [slug],
    );
    if (taken.length === 0) return slug;
  }
}

async function listingPairs(sql: Sql, renames: readonly Rename[]): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  for (const { from, to } of renames) {
    const rows = await sql.all('select id, listing_key from listings where retailer = $1', [from]);
    for (let at = 0; at < rows.length; at += PAIRS_AT_ONCE) {
      const some = rows.slice(at, at + PAIRS_AT_ONCE);
      const values = some.map((_, place) => `($${place * 2 + 2}, $${place * 2 + 3}, $1)`);
      statements.push({
        text: `insert into renamed_listings (old_id, new_id, retailer) values ${values.join(', ')}`,
        params: [
          to,
          ...some.flatMap((row) => [
            String(row['id']),
            listingIdOf(to, String(row['listing_key'])),
          ]),
        ],
      });
    }
  }
  return statements;
}

/** If a worker has the job meanwhile, the job is leased again once the lease runs out. */
async function jobMoves(sql: Sql, renames: readonly Rename[]): Promise<readonly Statement[]> {
  const moves = renames.map(async ({ from, to }) => {
    const rows = await sql.all('select id, listing_key, url from jobs where retailer = $1', [from]);
    return rows.map((row): Statement => {
      const [key, url] = [String(row['listing_key']), String(row['url'])];
      return {
        text: 'update jobs set id = $2, retailer = $3 where id = $1',
        params: [String(row['id']), jobIdOf({ kind: 'listing', retailer: to, key, url }), to],
      };
    });
  });
  return (await Promise.all(moves)).flat();
}

function nothingLeft(renames: readonly Rename[]): Statement {
  const names = renames.map(({ from }) => from);
  const marks = placeholdersOf(names, 1);
  const tables = ['listings', 'jobs', ...OF_SHOPS];
  const left = tables.map((table) => `select 1 from ${table} where retailer in (${marks})`);
  return {
    text: `select 1 as clean where not exists (${left.join(' union all ')})`,
    params: names,
    name: NOTHING_LEFT,
    mustReturn: true,
  };
}
