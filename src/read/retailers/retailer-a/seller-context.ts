// Reads the answers of retailer_a's Selling Partner API about an ASIN for the operator's own seller account: whether it may
// be listed, and whether it may be sent to the retailer's warehouses (D33).

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { at, boolAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { lineAt } from '../../page-data/json/json-values.ts';
import { jsonBody } from '../json-body.ts';
import { refusalOf } from './api-answer.ts';

const REASON_LENGTH = 300;
const CODE_LENGTH = 60;
const MOST = 20;

function read(value: RetailerAnswer): PageVerdict<RetailerAnswer> {
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}

/** Reads the restrictions of an ASIN; an empty list means none. The reason is the first one given in words. */
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
  // An ASIN missing from the catalog has no known restrictions.
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

/** Reads whether an ASIN may be sent in. The reasons are codes; known ones are translated into words. */
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

const UNDER_REVIEW = 'under review as possible dangerous goods';
const NEEDS_LABEL = 'must carry a product label';
const NO_REASON = 'the retailer states no reason';

/** Descriptions of the inbound eligibility reason codes: the answers only contain the codes. */
const MEANINGS: Readonly<Record<string, string>> = {
  FBA_INB_0004: 'the size of its package is missing',
  FBA_INB_0006: 'the seller has no SKU for it',
  FBA_INB_0007: UNDER_REVIEW,
  FBA_INB_0008: `${UNDER_REVIEW}: details of its battery are missing`,
  FBA_INB_0009: `${UNDER_REVIEW}: a safety data sheet is missing`,
  FBA_INB_0010: `${UNDER_REVIEW}: what was declared is inconsistent`,
  FBA_INB_0011: `${UNDER_REVIEW}: what was declared is incomplete or contradicts itself`,
  FBA_INB_0012: `${UNDER_REVIEW}: its listing contradicts itself`,
  FBA_INB_0013: `${UNDER_REVIEW}: more information is needed`,
  FBA_INB_0014: UNDER_REVIEW,
  FBA_INB_0015: 'dangerous goods that are not accepted',
  FBA_INB_0016: 'dangerous goods, accepted only from sellers in the programme for them',
  FBA_INB_0017: 'not in the catalog of this marketplace',
  FBA_INB_0018: 'its category is missing',
  FBA_INB_0019: 'its title is missing',
  FBA_INB_0034: NEEDS_LABEL,
  FBA_INB_0035: `goods with a date or lot: ${NEEDS_LABEL}`,
  FBA_INB_0036: 'goods with a date or lot that are not accepted this way',
  FBA_INB_0037: 'tax documents of the seller are missing',
  FBA_INB_0038: 'the parent of variants: only its variants are accepted',
  FBA_INB_0050: 'no warehouse of the country accepts it',
  FBA_INB_0051: 'the retailer does not accept it at present',
  FBA_INB_0053: 'too large or too heavy, or it cannot be shipped',
  FBA_INB_0055: 'its region code is not for this marketplace',
  FBA_INB_0056: 'used goods of this kind are not accepted',
  FBA_INB_0059: NO_REASON,
  FBA_INB_0065: NEEDS_LABEL,
  FBA_INB_0066: NO_REASON,
  FBA_INB_0067: 'not accepted as freight',
  FBA_INB_0068: 'the account is not set up for goods with a date or lot',
  FBA_INB_0095: 'its barcode belongs to more than one product',
  FBA_INB_0097: 'fully regulated dangerous goods',
  FBA_INB_0098: 'the seller may not send it to this marketplace',
  FBA_INB_0099: 'the seller account was closed',
  FBA_INB_0100: 'tax information of the seller is missing',
  FBA_INB_0103: 'goods with a date or lot that are currently not handled',
  FBA_INB_0104: "only new goods with the maker's barcode are accepted without a label",
  UNKNOWN_INB_ERROR_CODE: NO_REASON,
};

/** Returns `meaning (CODE)`; an unknown code is returned alone. */
function wordsOfInboundReason(code: string): string {
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  return meaning === undefined ? code : `${meaning} (${code})`;
}
