// With CONTRACT_WAYS=both, each answer of the suite that could be kept is asked for again until it is, by an organization that no
// test looks at, and has the bytes of one that is made, and of one that the framework makes.

import assert from 'node:assert/strict';

import type { Service } from '../../support/service.ts';
import { BY_FRAMEWORK, MADE } from '../../support/whole-answers.ts';

const COMPARES_WAYS = process.env['CONTRACT_WAYS'] === 'both';

/** Lookups and histories; with live offers and forced refreshes nothing is kept. */
const KEPT = /^\/v1\/products(?:\/[^/?]+(?:\/history|\/compare)?)?(?:\?|$)/;
/** What asks a page now, for every call. */
const LIVE = /(?:include_offers|force_refresh)=(?:true|1)/;
const ASKED_BEFORE = 4;
/** What the work behind an answer writes may come between the two. */
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
export async function compareWays(service: Service, target: string): Promise<void> {
  if (!COMPARES_WAYS || !KEPT.test(target) || LIVE.test(target)) return;
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
    const kept = await ask();
    // What a test has taken down, or moved away, is not there any more.
    if (!kept.startsWith('200')) return;
    const made = await ask(MADE);
    const ordinary = await ask(BY_FRAMEWORK);
    if (kept === made && made === ordinary) return;
    if (look === LOOKS - 1) {
      assert.equal(kept, made, `${target}: kept, and made`);
      assert.equal(made, ordinary, `${target}: made, and made by the framework`);
    }
    await service.untilQueueIdle();
  }
}
