// With CONTRACT_WAYS=both, each cacheable answer of the suite is requested again until it is cached, by an organization that no
// test inspects, and must equal a computed one byte for byte, also when node:http reads its request.

import assert from 'node:assert/strict';

import type { Service } from '../../support/service.ts';
import { COMPUTED, READ_BY_NODE } from '../../support/whole-answers.ts';

const COMPARES_PATHS = process.env['CONTRACT_WAYS'] === 'both';

/** Lookups and histories; with live offers and forced refreshes nothing is cached. */
const CACHED = /^\/v1\/products(?:\/[^/?]+(?:\/history|\/compare)?)?(?:\?|$)/;
/** Flags that make every call query a page. */
const LIVE = /(?:include_offers|force_refresh)=(?:true|1)/;
const ASKED_BEFORE = 4;
/** Writes by the work after an answer may come between the two. */
const LOOKS = 3;

const LIMITS = {
  organization: 'both-ways',
  note: null,
  monthlyQuota: 1_000_000_000,
  throttlePerMinute: 60_000_000,
  throttleBurst: 1_000_000,
};

const keys = new WeakMap<Service, string>();
const compared = new WeakMap<Service, Set<string>>();

async function keyOf(service: Service): Promise<string> {
  const key = keys.get(service) ?? (await service.newKey(LIMITS));
  keys.set(service, key);
  return key;
}

const sameText = (body: string): string => body.replace(/"tokens_remaining":\d+/, '');

/** Compares the two paths for a target that was answered with 200, once per service. */
export async function comparePaths(service: Service, target: string): Promise<void> {
  if (!COMPARES_PATHS || !CACHED.test(target) || LIVE.test(target)) return;
  const seen = compared.get(service) ?? new Set();
  compared.set(service, seen);
  if (seen.has(target)) return;
  seen.add(target);
  const authorization = `Bearer ${await keyOf(service)}`;
  const ask = async (more = {}) => {
    const response = await fetch(`${service.url}${target}`, {
      headers: { authorization, ...more },
    });
    return sameText(`${response.status} ${await response.text()}`);
  };
  for (let look = 0; ; look += 1) {
    for (let asked = 0; asked < ASKED_BEFORE; asked += 1) await ask();
    const cached = await ask();
    // An answer that a test has taken down or moved no longer exists.
    if (!cached.startsWith('200')) return;
    const computed = await ask(COMPUTED);
    const read = await ask(READ_BY_NODE);
    if (cached === computed && cached === read) return;
    if (look === LOOKS - 1) {
      assert.equal(cached, computed, `${target}: cached, and computed`);
      assert.equal(
        cached,
        read,
        `${target}: cached, and cached for a request that node:http reads`,
      );
    }
    await service.untilQueueIdle();
  }
}
