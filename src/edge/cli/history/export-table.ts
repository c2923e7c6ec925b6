// The history as a table for people and programs, XLSX or Parquet. Each price has its listing's title and brand, and how that
// listing is tied to the barcode that it prints.

import { isoTimestamp } from '../../../base/clock.ts';
import { amountOf } from '../../../base/listing/money/minor-units.ts';
import { givenOf } from '../../../answer/lookup/history/import-history.ts';
import { tie } from '../../../rules/product/identity.ts';
import type { TableFormat } from '../../sheets/table-format.ts';
import type { TableCell, TableColumn } from '../../sheets/table-cell.ts';
import { writeTable } from '../../sheets/write-table.ts';
import {
  countImported,
  readStoredHistory,
  type StoredEntry,
  type ImportedFilter,
} from '../../../data/history/imported-history.ts';
import type { Store } from '../../../data/store.ts';
import type { Io } from '../command.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { createProgress } from '../progress-bar.ts';

type ExportedTable = {
  readonly store: Store;
  readonly filter: ImportedFilter;
  readonly format: TableFormat;
  readonly path: string;
  readonly isTrusted: (listing: { readonly retailer: string; readonly url: string }) => boolean;
};

const COLUMNS: readonly TableColumn[] = [
  { name: 'retailer', kind: 'text' },
  { name: 'retailer_id', kind: 'text' },
  { name: 'url', kind: 'link' },
  { name: 'gtin', kind: 'text' },
  { name: 'title', kind: 'text' },
  { name: 'brand', kind: 'text' },
  { name: 'identity', kind: 'text' },
  { name: 'observed_at', kind: 'time' },
  { name: 'price', kind: 'money' },
  { name: 'currency', kind: 'text' },
  { name: 'in_stock', kind: 'boolean' },
];

/** Returns the number of rows written; null if stopped, and then no file is left. */
export async function writeExportedTable(io: Io, table: ExportedTable): Promise<number | null> {
  const bar = createProgress(io, await countImported(table.store.sql));
  const count = { rows: 0 };
  const rows = async function* () {
    for await (const row of rowsOf(table)) {
      io.stop.throwIfAborted();
      count.rows += 1;
      if (count.rows % 1_000 === 0) bar.at(count.rows, `${count.rows} rows`);
      yield row;
    }
  };
  try {
    await writeTable(table.path, table.format, { columns: COLUMNS, rows: rows() });
    return count.rows;
  } catch (error) {
    if (!io.stop.aborted) throw error;
    io.err('Stopped before the export was complete. No file remains.');
    return null;
  } finally {
    bar.end();
  }
}

async function* rowsOf(table: ExportedTable): AsyncGenerator<readonly TableCell[]> {
  for await (const page of readStoredHistory(table.store.sql, table.filter, {
    terms: table.store.terms,
    now: systemClock.now,
  })) {
    let listing: Listed | null = null;
    for (const entry of page) {
      if (listing?.key !== entry.key || listing.retailer !== entry.retailer) {
        listing = await findListed(table, entry);
      }
      const { retailer, retailerId, url, gtin, observedAtMs, price, inStock } = givenOf(entry);
      yield [
        retailer,
        retailerId,
        url ?? listing.url,
        gtin,
        listing.title,
        listing.brand,
        listing.identity,
        isoTimestamp(observedAtMs),
        price === null ? null : amountOf(price),
        price?.currency ?? null,
        inStock,
      ];
    }
  }
}

type Listed = {
  readonly retailer: string;
  readonly key: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly brand: string | null;
  readonly identity: string | null;
};

/** History that was imported for a barcode has no listing of its own. */
async function findListed(
  { store, isTrusted }: ExportedTable,
  { retailer, key, gtin }: StoredEntry,
): Promise<Listed> {
  const stored = await store.listings.findListing(retailer, key);
  if (stored === null)
    return { retailer, key, url: null, title: null, brand: null, identity: null };
  const { url, listing } = stored;
  const identity = gtin === null ? null : tie(gtin, stored, isTrusted(stored)).state;
  return { retailer, key, url, title: listing.title, brand: listing.brand, identity };
}
