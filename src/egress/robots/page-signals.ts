// The signals about the use of one page, from robots.txt and the page's own headers together (D83), and whether the shop
// answered that it requires a licence.

import type { FetchOutcome, Page } from '../../base/listing/page.ts';
import { strictest, type Signals } from '../../base/listing/signals.ts';
import { licenseFailure } from './robots-gate.ts';
import { licenseOfHeaders, mayAskPayment, signalsOfHeaders } from './usage-rules.ts';

/**
 * Returns the field for a page; no field if there is no signal. `ofRobots`: the signals of robots.txt; null if there are
 * none.
 */
export function signalsField(
  ofRobots: Signals | null,
  headers: Page['headers'],
): Pick<Page, 'signals'> {
  const stated = signalsOfHeaders(headers);
  if (ofRobots === null && stated === undefined) return {};
  const signals = strictest([ofRobots, stated]);
  return signals === undefined ? {} : { signals };
}

/** Returns a failure in place of a page that a shop sends only to holders of its licence. */
export function unlessUnlicensed(
  outcome: FetchOutcome,
  isLicensed: (host: string) => boolean,
): FetchOutcome {
  if (!outcome.ok) return outcome;
  const { url, status, headers, signals } = outcome.page;
  const license = licenseOfHeaders(headers);
  // RSL 1.0, 6: the scheme of a license token. A shop may ask for payment without it.
  const isChallenge = /^\s*license\b/i.test(headers['www-authenticate'] ?? '');
  const isAsked = status === 402 || (isChallenge && (status === 401 || status === 403));
  const isStated = license !== null && mayAskPayment(license);
  if ((!isAsked && !isStated) || isLicensed(new URL(url).hostname)) return outcome;
  return { ok: false, failure: licenseFailure(license ?? signals?.license ?? null) };
}
