// The reason codes of retailer_a's inbound eligibility in words: its answers have only the codes.

const UNDER_REVIEW = 'under review as possible dangerous goods';
const NEEDS_LABEL = 'must carry a product label';
const NO_REASON = 'the retailer states no reason';

const MEANINGS: Readonly<Record<string, string>> = {
  FBA_INB_0004: 'the size of its package is missing',
  FBA_INB_0006: 'the seller has no SKU for it',
  FBA_INB_0007: UNDER_REVIEW,
  FBA_INB_0008: `${UNDER_REVIEW}: details of its battery are missing`,
  FBA_INB_0009: `${UNDER_REVIEW}: a safety data sheet is missing`,
  FBA_INB_0010: `${UNDER_REVIEW}: what was declared does not fit together`,
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
  FBA_INB_0095: 'its barcode stands for more than one product',
  FBA_INB_0097: 'fully regulated dangerous goods',
  FBA_INB_0098: 'the seller may not send it to this marketplace',
  FBA_INB_0099: 'the seller account was closed',
  FBA_INB_0100: 'tax information of the seller is missing',
  FBA_INB_0103: 'goods with a date or lot that cannot be handled at present',
  FBA_INB_0104: "only new goods with the maker's barcode are taken without a label",
  UNKNOWN_INB_ERROR_CODE: NO_REASON,
};

/** `meaning (CODE)`; an unknown code alone. */
export function wordsOfInboundReason(code: string): string {
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  return meaning === undefined ? code : `${meaning} (${code})`;
}
