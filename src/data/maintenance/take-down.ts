// Deletes all stored data of a host (D52), in small transactions, so that a service keeps running meanwhile. Repeating it
// deletes what was added in between.

import { writeChanges, type AnswerChange } from '../answers/answer-writes.ts';
import { KNOWN_SLUGS, type Slug } from '../../base/retailer.ts';
import { deleteStoredAnswer } from '../accounts/idempotency.ts';
import { deleteJob } from '../turns/jobs.ts';
import { deleteFactsAt } from '../answers/barcode-facts.ts';
import { deleteAllMisses } from '../answers/misses.ts';
import { takeDownRules } from '../answers/page-rules.ts';
import { deleteCountsOf } from '../answers/reading-counts.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { placeholdersOf } from '../statement-values.ts';
import { hostOfAddress, isAtOrBelow } from '../takedowns.ts';
import { rowsInPages } from './table-rows.ts';

/** The target of a takedown: a host, and the known retailers whose shop is at or below it. */
export type TakedownTarget = { readonly host: string; readonly retailers: readonly Slug[] };

/** Number of removed rows by kind. */
export type Removed = {
  readonly listings: number;
  readonly cells: number;
  readonly observations: number;
  readonly packed_years: number;
  readonly offers: number;
  readonly reviews: number;
  readonly sellers: number;
  readonly jobs: number;
  readonly watched: number;
  readonly kept_answers: number;
  readonly misses: number;
  readonly rules: number;
};

/** Listings checked together, and deleted in one transaction. */
const AT_ONCE = 50;
/** The retailer whose marketplace sellers and reviews are stored in tables without a retailer column (D32, D42). */
const WITH_SELLERS: Slug = 'retailer_w';

type Found = { readonly id: string; readonly retailer: Slug; readonly key: string };

/**
 * Counts the data of a host and, unless `isDryRun`, deletes it. Observations of packed years are counted from their rows'
 * columns. Misses cannot be distinguished by host and are only stored for a day: all of them are deleted.
 */
export async function takeDown(
  sql: Sql,
  target: TakedownTarget,
  isDryRun: boolean,
): Promise<Removed> {
  const shops = await shopsOf(sql, target.host);
  const slugs: readonly Slug[] = [...target.retailers, ...shops];
  const removed = createTally();
  let after = '';
  for (;;) {
    const rows = await candidates(sql, { ...target, slugs, after });
    after = String(rows.at(-1)?.['id'] ?? '');
    const found = rows.filter((row) => isOf(row, target.host, slugs)).map(toFound);
    await countListings(sql, found, removed);
    if (!isDryRun && found.length > 0) await writeChanges(sql, [removalOf(found)]);
    if (rows.length < AT_ONCE) break;
  }
  await wholeSlugs(sql, { slugs, shops, host: target.host, isDryRun }, removed);
  await queuedJobs(sql, { slugs, host: target.host, isDryRun }, removed);
  await watchedPages(sql, { slugs, host: target.host, isDryRun }, removed);
  await storedAnswers(sql, { slugs, host: target.host, isDryRun }, removed);
  removed.add('rules', await takeDownRules(sql, target.host, isDryRun));
  removed.add('misses', await countOf(sql, 'select count(*) as rows from misses', []));
  if (!isDryRun) await sql.write([...deleteAllMisses(), ...deleteFactsAt(target.host)]);
  return removed.total();
}

/** Returns the slugs of shops whose domain is the host or below it. */
async function shopsOf(sql: Sql, host: string): Promise<readonly Slug[]> {
  const rows = await sql.all('select slug, domain from shops where domain like $1', [`%${host}`]);
  return rows
    .filter((row) => isAtOrBelow(String(row['domain']), host))
    .map((row) => String(row['slug']));
}

type Scan = { readonly host: string; readonly slugs: readonly Slug[]; readonly after: string };

/** Finds the next listings that may belong to the host. They include others, which `isOf` excludes. */
async function candidates(sql: Sql, { host, slugs, after }: Scan): Promise<readonly Row[]> {
  const marks = placeholdersOf(slugs, 3);
  const bySlug = slugs.length === 0 ? '' : ` or retailer in (${marks})`;
  return await sql.all(
    `select id, retailer, listing_key, url from listings
     where id > $1 and (url like $2 or listing_key like $2${bySlug})
     order by id limit ${AT_ONCE}`,
    [after, `http%${host}%`, ...slugs],
  );
}

function isOf(row: Row, host: string, slugs: readonly Slug[]): boolean {
  if (slugs.includes(String(row['retailer']))) return true;
  const addresses = [String(row['url']), String(row['listing_key'])];
  return addresses.some((address) => isAddressOf(address, host));
}

function isAddressOf(address: string, host: string): boolean {
  const its = hostOfAddress(address);
  return its !== null && isAtOrBelow(its, host);
}

function toFound(row: Row): Found {
  return {
    id: String(row['id']),
    retailer: String(row['retailer']),
    key: String(row['listing_key']),
  };
}

function removalOf(found: readonly Found[]): AnswerChange {
  return {
    kind: 'taken-down-listings',
    listingIds: found.map(({ id }) => id),
    itemIds: found.filter(({ retailer }) => retailer === WITH_SELLERS).map(({ key }) => key),
  };
}

type Tally = {
  readonly add: (name: keyof Removed, rows: number) => void;
  readonly total: () => Removed;
};

function createTally(): Tally {
  const counts = {
    listings: 0,
    cells: 0,
    observations: 0,
    packed_years: 0,
    offers: 0,
    reviews: 0,
    sellers: 0,
    jobs: 0,
    watched: 0,
    kept_answers: 0,
    misses: 0,
    rules: 0,
  };
  return {
    add: (name, rows) => {
      counts[name] += rows;
    },
    total: () => ({ ...counts }),
  };
}

async function countOf(sql: Sql, text: string, params: readonly string[]): Promise<number> {
  const [row] = await sql.all(text, params);
  return Number(row?.['rows'] ?? 0);
}

async function countListings(sql: Sql, found: readonly Found[], removed: Tally): Promise<void> {
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  const marks = placeholdersOf(ids, 1);
  const count = (table: string, what = 'count(*)') =>
    countOf(sql, `select ${what} as rows from ${table} where listing_id in (${marks})`, ids);
  removed.add('listings', found.length);
  removed.add('cells', await count('cells'));
  removed.add('offers', await count('archived_offers'));
  removed.add('packed_years', await count('packed_observations'));
  const packed = 'cast(coalesce(sum(observations), 0) as bigint)';
  removed.add('observations', await count('packed_observations', packed));
  removed.add('observations', await count('observations'));
  const items = found.filter(({ retailer }) => retailer === WITH_SELLERS).map(({ key }) => key);
  if (items.length === 0) return;
  const text = `select count(*) as rows from reviews where item_id in (${placeholdersOf(items, 1)})`;
  removed.add('reviews', await countOf(sql, text, items));
}

type Whole = { readonly slugs: readonly Slug[]; readonly host: string; readonly isDryRun: boolean };

/** Deletes the data of a shop or retailer other than its listings. */
async function wholeSlugs(
  sql: Sql,
  { slugs, shops, host, isDryRun }: Whole & { readonly shops: readonly Slug[] },
  removed: Tally,
): Promise<void> {
  for (const slug of slugs) {
    const cells = 'select count(*) as rows from cells where retailer = $1 and listing_id is null';
    removed.add('cells', await countOf(sql, cells, [slug]));
    if (slug === WITH_SELLERS) {
      removed.add('sellers', await countOf(sql, 'select count(*) as rows from sellers', []));
    }
    if (isDryRun) continue;
    const changes: readonly AnswerChange[] = [
      { kind: 'taken-down-retailer', slug, hasSellers: slug === WITH_SELLERS },
      ...(shops.includes(slug) ? [{ kind: 'taken-down-shop', slug } as const] : []),
    ];
    await writeChanges(sql, changes, deleteCountsOf(slug));
  }
  const facts = await sql.all(
    `select host from shop_facts where host like $1
      union select host from shop_doors where host like $1`,
    [`%${host}`],
  );
  const hosts = facts.map((row) => String(row['host'])).filter((each) => isAtOrBelow(each, host));
  if (isDryRun || hosts.length === 0) return;
  await writeChanges(
    sql,
    hosts.map((each) => ({ kind: 'taken-down-shop-facts', host: each })),
  );
}

/**
 * Deletes jobs for the host's pages and its retailers. A running job loses its lease, so that its outcome changes nothing.
 */
async function queuedJobs(sql: Sql, { slugs, host, isDryRun }: Whole, removed: Tally) {
  const bySlug = slugs.length === 0 ? '' : ` or retailer in (${placeholdersOf(slugs, 2)})`;
  const rows = await sql.all(
    `select id, retailer, coalesce(url, '') as url from jobs where url like $1${bySlug}`,
    [`http%${host}%`, ...slugs],
  );
  const found = rows.filter(
    (row) => slugs.includes(String(row['retailer'])) || isAddressOf(String(row['url']), host),
  );
  removed.add('jobs', found.length);
  if (isDryRun || found.length === 0) return;
  await sql.write(found.flatMap((row) => deleteJob(String(row['id']))));
}

/**
 * Deletes what watches have stored about the host: changes, notices with their deliveries, and the known state of its listings.
 * A watch stays, so that its owner is notified that it no longer reads anything.
 */
async function watchedPages(sql: Sql, { slugs, host, isDryRun }: Whole, removed: Tally) {
  const shows = showsHost(host, []);
  const isOfHost = (text: string): boolean =>
    shows(text) || slugs.some((slug) => text.includes(`"retailer":"${slug}"`));
  for (const texts of TEXTS) {
    const { name, key, text } = texts;
    const read = { name, key, columns: [...key, text] };
    for await (const rows of rowsInPages(sql, read, TEXTS_AT_ONCE)) {
      const found = rows.filter((row) => isOfHost(String(row[text])));
      removed.add('watched', found.length);
      if (isDryRun || found.length === 0) continue;
      await sql.write(found.flatMap((row) => forgetText(texts, row)));
    }
  }
  if (isDryRun) return;
  // Unsent deliveries of these are neither sent any more nor shown as sent.
  await sql.write([
    {
      text: `delete from deliveries
        where not exists (select 1 from notices where notices.id = deliveries.notice_id)`,
    },
  ]);
}

/** A table whose texts may mention a host, and its key. */
type Texts = {
  readonly name: string;
  readonly key: readonly string[];
  readonly text: string;
};

const TEXTS: readonly Texts[] = [
  { name: 'changes', key: ['organization_id', 'seq'], text: 'body' },
  { name: 'notices', key: ['id'], text: 'body' },
  { name: 'watched_listings', key: ['organization_id', 'listing_id'], text: 'known' },
  { name: 'watches', key: ['id'], text: 'state' },
];

/** Texts checked together: reading a feed of 400,000 changes at once took 700 MB. */
const TEXTS_AT_ONCE = 500;

/** Deletes the row; of a watch only its state. */
function forgetText({ name, key }: Texts, row: Row): readonly Statement[] {
  const params = key.map((column) => row[column] ?? null);
  if (name !== 'watches') {
    const its = key.map((column, at) => `${column} = $${at + 1}`).join(' and ');
    return [{ text: `delete from ${name} where ${its}`, params }];
  }
  return [
    {
      text: 'update watches set state = $2, version = version + 1 where id = $1',
      params: [...params, JSON.stringify({ known: {}, told: {} })],
    },
    { text: 'delete from watch_listings where watch_id = $1', params },
  ];
}

/** Deletes answers stored for an `Idempotency-Key` that contain an address of the host, or one of its retailers. */
async function storedAnswers(sql: Sql, { slugs, host, isDryRun }: Whole, removed: Tally) {
  const shows = showsHost(host, slugs);
  const key = ['organization_id', 'idempotency_key'];
  const columns = [...key, 'request_id', 'bytes', 'body'];
  const read = { name: 'idempotency_keys', key, columns, where: 'body is not null' };
  for await (const rows of rowsInPages(sql, read, AT_ONCE)) {
    const found = rows.filter((row) => shows(String(row['body'])));
    removed.add('kept_answers', found.length);
    if (!isDryRun) await Promise.all(found.map((row) => sql.write(deleteStoredAnswer(row))));
  }
}

/**
 * Whether a text contains the host as a whole name, or a shop's slug as a whole text. The seven retailers' slugs are in every
 * answer, also in rows without data: for them only an address counts.
 */
function showsHost(host: string, slugs: readonly Slug[]): (body: string) => boolean {
  const own = slugs.filter((slug) => !KNOWN_SLUGS.some((known) => known === slug));
  const name = host.replace(/[.[\]]/g, String.raw`\$&`);
  const address = new RegExp(String.raw`(?:^|[^a-z0-9_-])${name}(?![a-z0-9_-]|\.[a-z0-9])`, 'i');
  return (body) => address.test(body) || own.some((slug) => body.includes(`"${slug}"`));
}
