// Faults of comparisons and watches: profits that do not exist, notices that are lost or sent twice.

import type { Fault } from './fault.ts';

const COMPARE = 'compare-product.test.ts';
const WATCHES = 'watches.test.ts';
const CHANNELS = 'channels.test.ts';
const DELIVERIES = '../data/deliveries.test.ts';

export const FAULTS_OF_WATCHES: readonly Fault[] = [
  {
    name: 'a pack pays one cost',
    file: 'rules/product/profit.ts',
    find: 'return timesFactor(costCents + shippingCents + prepCents, costFactorOf(packs, costPer));',
    replace: 'return costCents + shippingCents + prepCents + 0 * packs.sold * costPer.length;',
    tests: [COMPARE],
  },
  {
    name: 'a listing that states no pack is one piece',
    file: 'rules/product/cost-factor.ts',
    find: 'sold: isCount(listing) ? listing : named',
    replace: 'sold: isCount(listing) ? listing : 1',
    tests: [COMPARE],
  },
  {
    name: 'a cost is of one piece',
    file: 'rules/product/cost-factor.ts',
    find: "over: per === 'piece' ? 1 : named",
    replace: "over: per === 'piece' ? named : 1",
    tests: [COMPARE],
  },
  {
    name: 'a factor of costs is not named',
    file: 'answer/wire/compare.ts',
    find: 'offer.costFactor === null || offer.costFactor === 1',
    replace: 'offer.costFactor === null || offer.costFactor > 0',
    tests: [COMPARE],
  },
  {
    name: 'a comparison asks behind its answer',
    file: 'edge/wiring/lookups.ts',
    find: 'createLookup({ ...comparing, scheduleInBackground: null }).fromStore',
    replace: 'createLookup(comparing).fromStore',
    tests: [COMPARE],
  },
  {
    name: 'a suspect price is compared without a warning',
    file: 'rules/product/comparison.ts',
    find: 'suspect_price: isSuspect && priceCents !== null',
    replace: 'suspect_price: false',
    tests: [COMPARE],
  },
  {
    name: 'a line is notified at every observation below it',
    file: 'rules/watches/judge.ts',
    find: 'if (notifiedCents !== null && !isDownBy(stepPercent, notifiedCents, cents)) {',
    replace: 'if (stepPercent < 0) {',
    tests: [WATCHES],
  },
  {
    name: 'the watch that was due last pays',
    file: 'rules/watches/concerned.ts',
    find: '(a, b) => due(a) - due(b) || a.createdAtMs - b.createdAtMs',
    replace: '(a, b) => due(b) - due(a) || b.createdAtMs - a.createdAtMs',
    tests: [WATCHES],
  },
  {
    name: 'a slip of a new watch is notified',
    file: 'rules/watches/first-days.ts',
    find: 'if (settled.length === SETTLED) break;',
    replace: 'if (settled.length >= 0 * SETTLED) break;',
    tests: ['../rules/watches/first-days.test.ts'],
  },
  {
    name: 'a watch that reads nothing stays silent',
    file: 'rules/watches/rounds.ts',
    find: 'return failedRounds >= failingAfter;',
    replace: 'return failedRounds > 1_000_000 * failingAfter;',
    tests: [WATCHES],
  },
  {
    name: 'a cursor shows its own change again',
    file: 'data/watches/watches.ts',
    find: 'where organization_id = $1 and seq > $2 and ${given.text} order by seq limit $3',
    replace: 'where organization_id = $1 and seq >= $2 and ${given.text} order by seq limit $3',
    tests: [WATCHES],
  },
  {
    name: 'a notice that did not get through counts as delivered',
    file: 'data/watches/channel-writes.ts',
    find: "const state = isDelivered ? 'delivered' : nextAtMs === null ? 'given_up' : 'waiting';",
    replace: "const state = 'delivered';",
    tests: [CHANNELS],
  },
  {
    name: 'a notice overtakes the one before it',
    file: 'data/watches/channels.ts',
    find: "and earlier.state = 'waiting' and earlier.seq < next.seq)",
    replace: "and earlier.state = 'waiting' and earlier.seq < 0)",
    tests: [DELIVERIES],
  },
  {
    name: 'where a channel leads is stored as it is',
    file: 'data/sealed-text.ts',
    find: 'const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);',
    replace:
      'const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed, Buffer.from(text)]);',
    tests: [CHANNELS],
  },
  {
    name: 'a channel of another organization is found',
    file: 'data/watches/channels.ts',
    find: "const text = 'select * from channels where organization_id = $1 and id = $2';",
    replace:
      "const text = 'select * from channels where organization_id >= substr($1, 1, 0) and id = $2';",
    tests: [CHANNELS],
  },
  {
    name: 'a notice is tried for ever',
    file: 'rules/channels/retries.ts',
    find: 'return atMs > sinceMs + TRIED_FOR_MS;',
    replace: 'return atMs > sinceMs + 1_000 * TRIED_FOR_MS;',
    tests: [CHANNELS],
  },
  {
    name: 'a paused channel is notified',
    file: 'data/watches/channel-writes.ts',
    find: 'from channels where id = $2 and organization_id = $3 and paused_at_ms is null',
    replace: 'from channels where id = $2 and organization_id = $3',
    tests: [CHANNELS],
  },
  {
    name: 'a deleted channel stays in its watches',
    file: 'data/watches/channel-writes.ts',
    find: "channels = replace(replace(replace(channels, $2, ''), $3, ''), $4, '')",
    replace: 'channels = replace(replace(replace(channels, $2, $2), $3, $3), $4, $4)',
    tests: [CHANNELS],
  },
];
