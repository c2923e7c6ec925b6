// With CONTRACT_WAYS=both, each answer of the suite that could be cached is asked for again until it is, by an organization that no
// test looks at, and has the bytes of one that is computed, also where node:http reads its request.

import assert from 'node:assert/strict';

import type { Service } from '../../support/service.ts';
import { COMPUTED, READ_BY_NODE } from '../../support/whole-answers.ts';

const COMPARES_PATHS = process.env['CONTRACT_WAYS'] === 'both';

/** Lookups and histories; with live offers and forced refreshes nothing is cached. */
const CACHED = /^\/v1\/products(?:\/[^/?]+(?:\/history|\/compare)?)?(?:\?|$)/;
/** What asks a page now, for every call. */
const LIVE = /(?:include_offers|force_refresh)=(?:true|1)/;
const ASKED_BEFORE = 4;
/** What the work after an answer writes may come between the two. */
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

/** Compares the two ways for a target that was answered with 200, once a file. */
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
    // What a test has taken down, or moved away, is not there any more.
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
