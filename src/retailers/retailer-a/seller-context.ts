// What a seller may do with an ASIN of retailer_a: sell it, and send it to the retailer's warehouses. Asked of
// the Selling Partner API with the operator's own seller id; both are request and answer halves (D33).

import type { Page, PageRequest, PageVerdict } from '../../domain/page.ts';
import { at, boolAt, listAt, textAt } from '../../extract/json-path.ts';
import { lineAt } from '../../extract/json-values.ts';
import type { Access } from '../adapter.ts';
import { isAsin, SELLING_PARTNER_API } from './address-book.ts';
import { bodyOf, refusalOf } from './api-answer.ts';
import { sellingPartnerGet } from './selling-partner-api.ts';

/** Specification: `restriction`. */
export type Restriction = { readonly flag: boolean; readonly reason: string | null };
/** Specification: `fulfillment_eligibility`. */
export type Eligibility = { readonly enabled: boolean; readonly reason: string | null };

const REASON_LENGTH = 300;

function read<T>(value: T): PageVerdict<T> {
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}

/** May this seller list the ASIN as new? Null: no token, no seller id, or no ASIN. */
export function restrictionRequest(asin: string, access: Access): PageRequest | null {
  const sellerId = access.credentials['SP_SELLER_ID'] ?? '';
  if (access.token === null || sellerId === '' || !isAsin(asin)) return null;
  const query = {
    asin,
    sellerId,
    marketplaceIds: SELLING_PARTNER_API.marketplaceId,
    conditionType: 'new_new',
  };
  return sellingPartnerGet('/listings/2021-08-01/restrictions', query, access);
}

/** An empty list is no restriction. */
export function readRestriction(page: Page): PageVerdict<Restriction> {
  const root = bodyOf(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  if (!Array.isArray(at(root, 'restrictions'))) {
    return { kind: 'unreadable', why: 'no list of restrictions' };
  }
  const restrictions = listAt(root, 'restrictions', 20);
  if (restrictions.length === 0) return read({ flag: false, reason: null });
  for (const restriction of restrictions) {
    for (const reason of listAt(restriction, 'reasons', 20)) {
      const text = lineAt(reason, 'message', REASON_LENGTH) ?? lineAt(reason, 'reasonCode', 60);
      if (text !== null) return read({ flag: true, reason: text });
    }
  }
  return read({ flag: true, reason: null });
}

/** May the ASIN be sent to the retailer's warehouses? */
export function eligibilityRequest(asin: string, access: Access): PageRequest | null {
  if (access.token === null || !isAsin(asin)) return null;
  const query = { asin, program: 'INBOUND', marketplaceIds: SELLING_PARTNER_API.marketplaceId };
  return sellingPartnerGet('/fba/inbound/v1/eligibility/itemPreview', query, access);
}

export function readEligibility(page: Page): PageVerdict<Eligibility> {
  const root = bodyOf(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  const enabled = boolAt(root, 'payload.isEligibleForProgram');
  if (enabled === null) return { kind: 'unreadable', why: 'no word about eligibility' };
  const codes = listAt(root, 'payload.ineligibilityReasonList', 20)
    .map((code) => textAt(code)?.slice(0, 60) ?? null)
    .filter((code) => code !== null);
  const reason = enabled || codes.length === 0 ? null : codes.join(', ');
  return read({ enabled, reason });
}
