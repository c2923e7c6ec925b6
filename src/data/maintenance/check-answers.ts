// openshelf check for retailers' answers for barcodes (D56): rows that this program could not have written.

import { KNOWN_SLUGS } from '../../base/retailer.ts';
import type { Row, Sql } from '../sql.ts';

const SEVEN = KNOWN_SLUGS.map((slug) => `'${slug}'`).join(', ');

/** Returns the problems, one sentence each. */
export async function checkAnswers(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select cells.gtin14 as gtin14, cells.retailer as retailer, status, listing_id,
       listings.retailer as owner
     from cells left join listings on listings.id = listing_id
     where cells.retailer not in (${SEVEN})
       or (listing_id is not null and (listings.id is null or listings.retailer <> cells.retailer))
       or (status = 'not_found' and (listing_id is not null or asked_at_ms is null))
       or (status = 'ok' and listing_id is null)
     order by cells.gtin14, cells.retailer`,
  );
  return rows.map((row) => `answer of ${row['retailer']} for ${row['gtin14']}: ${problemOf(row)}`);
}

function problemOf(row: Row): string {
  const { retailer, status, owner, listing_id: listingId } = row;
  if (!KNOWN_SLUGS.some((slug) => slug === retailer)) {
    return 'other shops cannot be queried by barcode';
  }
  if (listingId !== null && owner !== retailer) {
    return `its listing is ${owner === null ? 'missing' : `a listing of ${owner}`}`;
  }
  if (status === 'not_found') {
    return listingId === null
      ? 'the time of its answer is not stored'
      : 'it found nothing but has a listing';
  }
  return 'it was found but has no listing';
}
