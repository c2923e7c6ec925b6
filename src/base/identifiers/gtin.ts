// The canonical form of every barcode (D8), what its GS1 prefix means, and barcode texts as pages print them.
// parse-identifier.ts handles what a caller's identifier may mean.

import {
  hasGs1CheckDigit,
  hasIsbnPrefix,
  isbn10FromSbn,
  isbn13FromIsbn10,
  upcAFromUpcE,
} from './check-digit.ts';
import { exponentForm } from './exponent-form.ts';
import { typedText } from './typed-text.ts';

declare const gtin14: unique symbol;
/** Fourteen digits with a correct check digit. */
export type Gtin14 = string & { readonly [gtin14]: true };

/** Why a code with a correct check digit does not identify a product (D8). */
export type UnusableReason = 'restricted' | 'coupon' | 'refund' | 'not_a_trade_item' | 'filler';

/** The reason as the rest of a sentence about the code. */
export const WHY_UNUSABLE: Readonly<Record<UnusableReason, string>> = {
  restricted: 'is a restricted-circulation number, which every store assigns to its own goods',
  coupon: 'is a coupon code',
  refund: 'is a refund receipt code',
  not_a_trade_item: 'belongs to a GS1 range that is not used for products',
  filler: 'is a placeholder for an unknown barcode',
};

type ProductCode =
  | { readonly usable: true }
  | { readonly usable: false; readonly why: UnusableReason };

/** The forms of a code in the record: 12, 13, 13 and 14 digits (D8). */
type WireForms = {
  readonly upc: string | null;
  readonly ean: string | null;
  readonly isbn: string | null;
  readonly gtin: string;
};

/** The kind of field that a barcode text comes from; 'gtin' when it only says "barcode". */
export type BarcodeField = 'gtin' | 'upc' | 'isbn';

const GTIN_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
const SEPARATORS = /[\s-]+/g;
/** Longer texts are prose, not a code. */
const MAX_TEXT = 100;

/**
 * Returns the canonical form of a GTIN-8, -12, -13 or -14: digits with optional spaces and hyphens in, 14 digits out; null
 * for another length, another character or a wrong check digit. With `upcE`, eight digits are read only as a UPC-E. Fillers
 * and restricted codes are accepted: see `productCode`.
 */
export function toGtin14(text: string, options: { readonly upcE?: boolean } = {}): Gtin14 | null {
  if (text.length > MAX_TEXT) return null;
  const code = typedText(text).replace(SEPARATORS, '');
  if (options.upcE === true && code.length === 8) {
    const upcA = upcAFromUpcE(code);
    return upcA === null ? null : toGtin14(upcA);
  }
  if (!GTIN_LENGTHS.has(code.length) || !hasGs1CheckDigit(code)) return null;
  return code.padStart(14, '0') as Gtin14;
}

/** Returns whether a code can identify a single product worldwide: GS1 prefix rules and fillers (D8). */
export function productCode(code: Gtin14): ProductCode {
  if (bodiesOf(code).some(isRepeated)) return { usable: false, why: 'filler' };
  const why = reasonOfPrefix(code) ?? (isCounted(code) ? 'filler' : null);
  return why === null ? { usable: true } : { usable: false, why };
}

/** Returns the reason based on the GS1 prefix. 140-199 and other unassigned prefixes are accepted. */
function reasonOfPrefix(code: Gtin14): UnusableReason | null {
  // Digits 2 to 13 identify the base unit, regardless of the packaging indicator.
  const base = code.slice(1);
  if (base.startsWith('00000')) {
    // A GTIN-8 has its own prefix space: 0 and 2 are company or regional numbers.
    const first = base.slice(5, 6);
    return first === '0' || first === '2' ? 'restricted' : null;
  }
  const prefix = Number(base.slice(0, 3));
  if (prefix >= 20 && prefix <= 29) return 'restricted';
  if (prefix >= 40 && prefix <= 49) return 'restricted';
  if (prefix >= 50 && prefix <= 59) return 'coupon';
  if (prefix >= 200 && prefix <= 299) return 'restricted';
  if (prefix === 951) return 'not_a_trade_item';
  if (prefix === 980) return 'refund';
  if (prefix >= 981 && prefix <= 984) return 'coupon';
  if (prefix >= 990) return 'coupon';
  return null;
}

/** Returns the digits before the check digit, for each length in which the code may have been written. */
function bodiesOf(code: Gtin14): string[] {
  const bodies = [code.slice(0, 13), code.slice(1, 13)];
  if (code.startsWith('0', 1)) bodies.push(code.slice(2, 13));
  if (code.startsWith('000000')) bodies.push(code.slice(6, 13));
  return bodies;
}

/**
 * Recognizes textbook and feed dummies: digits that count up or down over the whole code (eleven or more), and a UPC whose
 * last nine digits before the check digit count up (020123456782). Codes with shorter runs are real.
 */
function isCounted(code: Gtin14): boolean {
  const long = bodiesOf(code).filter((body) => body.length >= 11);
  if (long.some((body) => isRun(body, 1) || isRun(body, 9))) return true;
  return code.startsWith('00') && isRun(code.slice(4, 13), 1);
}

function isRepeated(digits: string): boolean {
  return digits === digits.slice(0, 1).repeat(digits.length);
}

/** Returns whether each digit is the previous one plus `step`, modulo 10. */
function isRun(digits: string, step: number): boolean {
  for (let i = 1; i < digits.length; i += 1) {
    const expected = (digits.charCodeAt(i - 1) - 48 + step) % 10;
    if (digits.charCodeAt(i) - 48 !== expected) return false;
  }
  return true;
}

/** Returns the forms in a record: they depend only on the code, never on how it was requested (D8). */
export function wireForms(code: Gtin14): WireForms {
  const ean = code.startsWith('0') ? code.slice(1) : null;
  return {
    upc: code.startsWith('00') ? code.slice(2) : null,
    ean,
    isbn: ean !== null && hasIsbnPrefix(ean) ? ean : null,
    gtin: code,
  };
}

/** Returns the code as printed on the product and used in searches: 12 digits, else 13, else 14. */
export function printedForm(code: Gtin14): string {
  const { upc, ean, gtin } = wireForms(code);
  return upc ?? ean ?? gtin;
}

/**
 * Returns whether two codes identify the same base unit: equal except for the packaging indicator and the check digit that
 * results from it. Equal codes are the same base unit; a case is not the same product (D35).
 */
export function sameBaseUnit(a: Gtin14, b: Gtin14): boolean {
  return a.slice(1, 13) === b.slice(1, 13);
}

/**
 * Reads the barcode in a page's text ("UPC: 0 45496 59016 1", "EAN13 8808993650040", "(01)09501101530003"); null for
 * another length, adjacent letters, a wrong check digit or a code of no product. Labels may precede it, and their digits
 * are not read as part of the code. Eight digits are a UPC-E only where the field or the label says UPC; nine or ten
 * characters are an ISBN only where it says ISBN.
 */
export function readGtin(text: string, field: BarcodeField = 'gtin'): Gtin14 | null {
  const found = codeInText(text);
  return found === null ? null : usable(gtinOf(found, field));
}

/**
 * Same as `readGtin`, but eleven digits also count as a UPC-12 whose leading zero a spreadsheet or a number type has
 * dropped, if the check digit is then correct. One wrong number in ten also passes, so use this only for fields known to
 * contain a barcode.
 */
export function readGtinWithLostZero(text: string, field: BarcodeField = 'gtin'): Gtin14 | null {
  const found = codeInText(text);
  if (found === null) return null;
  const code = found.code.length === 11 ? `0${found.code}` : found.code;
  return usable(gtinOf({ ...found, code }, field));
}

function usable(code: Gtin14 | null): Gtin14 | null {
  return code !== null && productCode(code).usable ? code : null;
}

type LabelledCode = {
  /** Digits, optionally with a final X. */
  readonly code: string;
  readonly label: string;
};

function gtinOf({ code, label }: LabelledCode, field: BarcodeField): Gtin14 | null {
  if (field === 'isbn' || label.includes('isbn')) {
    if (code.length === 8) return null;
    const isbn10 = code.length === 9 ? isbn10FromSbn(code) : code;
    if (isbn10?.length === 10) return toGtin14(isbn13FromIsbn10(isbn10) ?? '');
  }
  const saysUpc = (field === 'upc' || label.includes('upc')) && !/ean|gtin|jan/.test(label);
  return (saysUpc ? toGtin14(code, { upcE: true }) : null) ?? toGtin14(code);
}

const NAMES = [
  'gtin|ean|ucc|upc[- ]?[ae](?![a-z])|upc|isbn|jan|itf|urn|bar ?codes?',
  'universal product|global trade (?:item|identification)|(?:european|international) article',
  'international standard book|numbers?|num|nr|no|codes?|id',
].join('|');
const LABEL = new RegExp(`^(?:[\\s:;#.,/|()[\\]"'=_-]|${NAMES})+`, 'i');
/** A code's name, in which words of any language may stand around it: "Art.-EAN", "JANコード". */
const CODE_NAME =
  /(?<![a-z])(?:gtin|(?:ean|isbn|jan|upc)(?:code|[ae])?)(?![a-z])|bar-? ?[ck]od|strich-? ?code|codes?[ -](?:à )?barres?|de barras|a barre|str[ei][ck]+ ?kod|stregkod|viivakood|vonalk[oó]d|kreskow|[cč]i?[aá]rov[yý]|штрих|バーコード|条形?码|條碼|바코드/iu;
const LONGEST_LABEL = 40;
const LABEL_NUMBER = /^(14|13|12|10|8)(.*)$/s;
const LABEL_ENDS_IN_NAME = /[a-z][-_]?$/;
const CLOSING = /[\s.,;)\]"']+$/;

/** Splits a text into the label before a code, in lower case, and the rest without closing punctuation. */
export function labelAndCode(text: string): { readonly label: string; readonly rest: string } {
  const words = /^\D*/.exec(text)?.[0] ?? '';
  const isNamed = words.length <= LONGEST_LABEL && CODE_NAME.test(words);
  const label = (isNamed ? words : (LABEL.exec(text)?.[0] ?? '')).toLowerCase();
  const rest = text.slice(label.length).replace(CLOSING, '');
  // GS1's own notation for a GTIN: application identifier 01 in brackets.
  const element = label.endsWith('(') ? /^01\)(.*)$/s.exec(rest)?.[1] : undefined;
  return { label, rest: element ?? withoutLabelNumber(rest, label) };
}

function codeInText(text: string): LabelledCode | null {
  if (text.length > MAX_TEXT) return null;
  const { label, rest } = labelAndCode(typedText(text));
  const code = codeOnly(rest);
  return code === null ? null : { code, label };
}

/**
 * The 13 of "GTIN-13: ..." and "EAN13 ..." belongs to the label. So does one that is attached to the code or separate from
 * it, if that many digits follow ("Gtin1414334567890129"); otherwise it is the code's first group ("EAN 8 808993 650040").
 */
function withoutLabelNumber(rest: string, label: string): string {
  const [, number, tail] = LABEL_NUMBER.exec(rest) ?? [];
  if (number === undefined || tail === undefined || !/[a-z]/.test(label)) return rest;
  // Only an ISBN has ten digits: after any other label, "10" is the beginning of the code.
  if (number === '10' && !/isbn|book/.test(label)) return rest;
  const attached = LABEL_ENDS_IN_NAME.test(label) && /^[^0-9]/.test(tail);
  const code = tail.replace(LABEL, '');
  return attached || codeOnly(code)?.length === Number(number) ? code : rest;
}

/**
 * Returns ASCII digits with an optional final X, without spaces and hyphens, or those of a number in exponent form; null if
 * there are other characters, or digits are lost.
 */
function codeOnly(text: string): string | null {
  const code = text.replace(SEPARATORS, '').toUpperCase();
  if (/^[0-9]+X?$/.test(code)) return code;
  const written = exponentForm(text);
  return written?.kind === 'whole' ? written.code : null;
}
