// Which known retailers this installation can ask for a barcode at all: by a source of theirs, or through the
// operator's search engine (D34: one that cannot be asked is never `indexing`).

import type { Gtin14 } from '../identifiers/gtin.ts';
import type { KnownSlug } from '../core/retailer.ts';
import type { AccessKeeper } from './source-access.ts';
import type { SearchWeb } from './search-web.ts';

export type CanAskByBarcode = (retailer: KnownSlug) => boolean;

/** A code like any other: which one is asked for makes no difference. */
const SOME_CODE = '00036000291452' as Gtin14;

/** Credentials and engine are settings: what was found out once holds as long as the process. */
export function createCanAskByBarcode(
  access: Pick<AccessKeeper, 'canAsk'>,
  search: Pick<SearchWeb, 'provider'>,
): CanAskByBarcode {
  const known = new Map<KnownSlug, boolean>();
  return (retailer) => {
    if (search.provider !== null) return true;
    const found =
      known.get(retailer) ?? access.canAsk(retailer, { kind: 'barcode', gtin: SOME_CODE });
    known.set(retailer, found);
    return found;
  };
}
