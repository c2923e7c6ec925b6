// A notice as its receivers and API callers see it. It is separate from its schema, which code that sends notices does not
// load.

import { isoTimestamp } from '../../../base/clock.ts';
import type { Notice } from '../../../rules/watches/stored-watch.ts';
import type { NoticeOnWire } from './watches.ts';
import { amountOrNull } from '../hundredths.ts';

export function presentNotice({ id, watchId, kind, body, atMs }: Notice): NoticeOnWire {
  const { currency } = body;
  const amount = (cents: number | null) => amountOrNull(cents, currency ?? 'USD');
  return {
    id,
    watch_id: watchId === '' ? null : watchId,
    kind,
    at: isoTimestamp(atMs),
    title: body.title,
    text: body.text,
    reasons: body.reasons.map(({ rule, detail }) => ({ rule, detail })),
    retailer: body.retailer,
    url: body.url,
    image_url: body.imageUrl,
    product: body.product,
    ...(currency === undefined ? {} : { currency }),
    old_price: amount(body.oldCents),
    new_price: amount(body.newCents),
    target: amount(body.targetCents),
  };
}
