// Checks whether configured shops count like the seven: what a record says about such a shop's page.

import type { BarcodeAnswer } from './measure.ts';
import type { CopyingPage } from './pages.ts';

type Cell = {
  readonly price: number | null;
  readonly url: string | null;
  readonly in_stock: boolean | null;
  readonly identity: { readonly state: string; readonly disputed?: unknown } | null;
};

type TrustedRecord = {
  readonly in_stock: boolean | null;
  readonly retailer_links?: readonly {
    readonly retailer: string;
    readonly identity_state: string;
  }[];
  readonly best_price?: { readonly price: number } | null;
  readonly cross_retailer?: Readonly<Record<string, Cell>>;
  readonly _meta: { readonly disagreements: readonly { readonly retailer: string }[] };
};

/** Returns what is missing about a trusted shop's page in the record of the barcode that it prints; empty: it counts. */
export function missingOf(page: CopyingPage, { withCells }: BarcodeAnswer): readonly string[] {
  if (withCells.status !== 200) return [`status ${withCells.status}`];
  const record = withCells.body as TrustedRecord;
  const slug = /stranger\d+/.exec(page.origin)?.[0] ?? '';
  const cell = record.cross_retailer?.[slug];
  const link = record.retailer_links?.find(({ retailer }) => retailer === slug);
  const missing: string[] = [];
  const must = (isThere: boolean, what: string): void => {
    if (!isThere) missing.push(what);
  };
  must(cell?.identity?.state === 'confirmed', 'confirmed cell');
  must(link !== undefined, 'link');
  if (!page.isSameProduct) {
    must(
      record._meta.disagreements.some(({ retailer }) => retailer === slug),
      'disagreement of the page of another product',
    );
    return missing;
  }
  must(link?.identity_state === 'confirmed', 'confirmed link');
  must((cell?.identity?.disputed ?? null) === null, 'undisputed cell');
  must(record.in_stock === true, 'vote on in_stock');
  if (record.best_price !== undefined) {
    must((record.best_price?.price ?? Infinity) <= page.cents / 100, 'best_price');
  }
  return missing;
}
