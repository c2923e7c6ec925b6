// A notice as its receivers and API callers see it. It is separate from its schema, which code that sends notices does not
// load.

import { isoTimestamp } from '../../../base/clock.ts';
import type { Notice } from '../../../rules/watches/stored-watch.ts';
import type { NoticeOnWire } from './watches.ts';
import { usdOf } from '../hundredths.ts';

export function presentNotice({ id, watchId, kind, body, atMs }: Notice): NoticeOnWire {
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
    old_price: usdOf(body.oldCents),
    new_price: usdOf(body.newCents),
    target: usdOf(body.targetCents),
  };
}
