// The outcome of a barcode lookup if no retailer returned a product: which retailers were asked, and the answer of each
// (D36, D67). Pure.

import { CANNOT_ASK } from '../../collect/asking/ask-retailer.ts';
import { HOST_REFUSED } from '../../collect/asking/failed-fetch.ts';
import type { CollectOutcome } from '../../collect/collect-outcome.ts';
import type { Fault } from '../../../base/fault.ts';
import { KNOWN_SLUGS } from '../../../base/retailer.ts';
import { NEXT_STEPS } from '../../../base/next-steps.ts';

export type RetailerReply = { readonly slug: string; readonly outcome: CollectOutcome };

/** The outcome if no configured source takes a barcode. */
const NOBODY_TO_ASK: Extract<CollectOutcome, { kind: 'failed' }> = {
  kind: 'failed',
  fault: {
    ...CANNOT_ASK.fault,
    detail:
      'This installation cannot search any retailer by barcode, because no source is ' +
      'configured. Send the ' +
      `address of a product page instead: ${NEXT_STEPS.lookUpPage.route}. ` +
      `${NEXT_STEPS.retailers.route} shows what each retailer needs; the operator can also set ` +
      'OPENSHELF_SEARXNG_URL, so that pages are found by barcode.',
  },
};

/** Used if the failure itself states no time, as when an answer could not be read. */
const RETRY_AFTER_SECONDS = 3_600;

/**
 * D36: "not found" needs an answer from every retailer that could have the product. A retailer without a configured source
 * is left out, since a retry would not change that. A retailer that did not answer makes the call a failure.
 */
export function noRetailerHasIt(
  all: readonly RetailerReply[],
): Exclude<CollectOutcome, { kind: 'read' }> {
  const silent: SilentRetailer[] = [];
  const notAskable: string[] = [];
  for (const { slug, outcome } of all) {
    if (outcome.kind !== 'failed') continue;
    if (outcome.fault === CANNOT_ASK.fault) notAskable.push(slug);
    else silent.push({ slug, fault: outcome.fault });
  }
  if (silent.length > 0) {
    const isNobody = silent.length + notAskable.length === all.length;
    return { kind: 'failed', fault: noAnswer(silent, isNobody) };
  }
  if (notAskable.length === all.length) return NOBODY_TO_ASK;
  return { kind: 'miss', miss: { detail: whoSaidWhat(all, notAskable), upstream: null } };
}

type SilentRetailer = { readonly slug: string; readonly fault: Fault };

/** D67: returns which retailers gave no answer, and why. `isNobody` means that no other one answered either. */
function noAnswer(silent: readonly SilentRetailer[], isNobody: boolean): Fault {
  const [first = silent[0]] = silent.filter(({ fault }) => fault.code === 'upstream_unavailable');
  const byReason = Map.groupBy(silent, ({ fault }) => reasonOf(fault));
  const said = [...byReason].map(
    ([reason, some]) => `${some.map(({ slug }) => slug).join(', ')} (${reason})`,
  );
  const rest = isNobody
    ? ` The address of a product page can still be looked up: ${NEXT_STEPS.lookUpPage.route}.`
    : ' No other retailer has the product.';
  return {
    code: 'upstream_unavailable',
    ...(first?.fault.upstream === undefined ? {} : { upstream: first.fault.upstream }),
    retryAfterSeconds: first?.fault.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
    detail: `No answer from ${said.join('; ')}.${rest}`,
  };
}

/** Summarizes the reason. */
function reasonOf(fault: Fault): string {
  const { upstream, detail } = fault;
  if (fault === HOST_REFUSED)
    return 'its host is unknown to this installation, or may not be contacted';
  if (upstream === 'robots_disallowed') return 'its robots.txt disallows it';
  if (upstream === 'license_required') return 'it asks for a licence';
  if (upstream === 'upstream_blocked')
    return 'it requires proof of a human visitor, or refuses the request';
  if (upstream === 'upstream_timeout') return 'no answer in time';
  return detail.replace(/\.$/, '');
}

/**
 * D67: states which retailers were asked, and the answer of each. Retailers that answered in an earlier call were not asked
 * again.
 */
function whoSaidWhat(all: readonly RetailerReply[], notAskable: readonly string[]): string {
  const slugs = (some: readonly RetailerReply[]) => some.map(({ slug }) => slug).join(', ');
  const nothing = all.filter(({ outcome }) => outcome.kind === 'miss');
  const another = all.filter(({ outcome }) => outcome.kind === 'read');
  const named = new Set(all.map(({ slug }) => slug));
  const before = all.length === 1 ? [] : KNOWN_SLUGS.filter((slug) => !named.has(slug));
  const said = [
    ...(nothing.length === 0 ? [] : [`Nothing found: ${slugs(nothing)}.`]),
    ...(another.length === 0 ? [] : [`Another product: ${slugs(another)}.`]),
    ...(before.length === 0 ? [] : [`Nothing found in an earlier call: ${before.join(', ')}.`]),
    ...(notAskable.length === 0
      ? []
      : [`Not queried, because no source is configured for them: ${notAskable.join(', ')}.`]),
  ];
  return `None of the retailers queried has a product with this barcode. ${said.join(' ')}`;
}
