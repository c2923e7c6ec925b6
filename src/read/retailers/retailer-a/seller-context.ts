// What retailer_a's Selling Partner API says about an ASIN to the operator's own seller account: whether it may be
// listed, and whether it may be sent to the retailer's warehouses (D33).

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { at, boolAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { lineAt } from '../../page-data/json/json-values.ts';
import { refusalOf } from './api-answer.ts';
import { wordsOfInboundReason } from './inbound-reasons.ts';
import { jsonBody } from '../json-body.ts';

const REASON_LENGTH = 300;
const CODE_LENGTH = 60;
const MOST = 20;

function read(value: RetailerAnswer): PageVerdict<RetailerAnswer> {
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}

/** Reads the restrictions of an ASIN; an empty list means none. The reason is the first one in words. */
export function readRestriction(page: Page): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  const list = at(root, 'restrictions');
  if (!Array.isArray(list)) return { kind: 'unreadable', why: 'no list of restrictions' };
  if (list.length === 0) {
    return read({ kind: 'restriction', restriction: { flag: false, reason: null } });
  }
  const restrictions = listAt(list, '', MOST).filter(isObject);
  if (restrictions.length === 0)
    return { kind: 'unreadable', why: 'the restrictions have an unknown shape' };
  const reasons = restrictions.flatMap((each) => listAt(each, 'reasons', MOST));
  const codes = reasons.map((each) => textAt(each, 'reasonCode'));
  // Nothing is known about an ASIN that is not in the catalog.
  if (codes.length > 0 && codes.every((code) => code === 'ASIN_NOT_FOUND')) {
    return { kind: 'not_found', why: 'the catalog has no such ASIN' };
  }
  const words = reasons.map((each) => lineAt(each, 'message', REASON_LENGTH));
  const reason =
    words.find((text) => text !== null) ??
    codes.find((code) => code !== null)?.slice(0, CODE_LENGTH) ??
    null;
  return read({ kind: 'restriction', restriction: { flag: true, reason } });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads whether an ASIN may be sent in. The reasons are codes; known ones are translated to words. */
export function readEligibility(page: Page): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  const enabled = boolAt(root, 'payload.isEligibleForProgram');
  if (enabled === null) return { kind: 'unreadable', why: 'the answer does not state eligibility' };
  const codes = listAt(root, 'payload.ineligibilityReasonList', MOST)
    .map((code) => lineAt(code, '', CODE_LENGTH))
    .filter((code) => code !== null);
  const reason = enabled || codes.length === 0 ? null : codes.map(wordsOfInboundReason).join('; ');
  return read({ kind: 'fulfillment_eligibility', eligibility: { enabled, reason } });
}
