// Parses any input text into the ordered identifiers that it may mean (D6, D7, D11). Only the text is examined: an address
// remains an address, and no lookup checks whether an identifier exists.

import { formRemark, spreadsheetRemark } from './code-remarks.ts';
import { exponentForm } from './exponent-form.ts';
import { parseElementString, type Element } from './element-string.ts';
import type { DigitalLink } from './digital-link.ts';
import {
  gs1CheckDigit,
  hasGs1CheckDigit,
  isIsbn10,
  isIsbn13,
  isbn13FromIsbn10,
} from './check-digit.ts';
import type { Fault } from '../fault.ts';
import { labelAndCode, productCode, toGtin14, WHY_UNUSABLE } from './gtin.ts';
import type { Gtin14, UnusableReason } from './gtin.ts';
import type { KnownSlug } from '../retailer.ts';
import { trimmedText, typedText } from './typed-text.ts';
import { codeBeforeAddOn, codeMeantBy, codesWithin, isNothingButCode } from './written-code.ts';

const GTIN_KINDS = ['isbn10', 'isbn13', 'gtin14', 'ean13', 'upc12', 'ean8', 'upce'] as const;
type GtinKind = (typeof GTIN_KINDS)[number];

/** One meaning of a caller's text; kinds and fields match the output of `openshelf identify` (D11). */
export type Identifier =
  | { readonly kind: GtinKind; readonly value: string; readonly gtin14: Gtin14 }
  | { readonly kind: 'asin'; readonly value: string; readonly retailer: 'retailer_a' }
  | { readonly kind: 'item_id'; readonly value: string; readonly retailer: 'retailer_w' }
  | {
      readonly kind: 'retailer_b_sku' | 'retailer_b_product_id';
      readonly value: string;
      readonly retailer: 'retailer_b';
    }
  | { readonly kind: 'retailer_item'; readonly value: string; readonly retailer: KnownSlug }
  | { readonly kind: 'url'; readonly value: string };

export const FORMATS = ['UPC', 'EAN', 'ISBN', 'GTIN', 'ASIN', 'item_id'] as const;
export type Format = (typeof FORMATS)[number];

type ParsedIdentifier =
  | {
      readonly ok: true;
      readonly identifiers: readonly Identifier[];
      /** The other elements of a GS1 code, which are never part of the lookup (D75). Absent for other texts. */
      readonly otherElements?: readonly Element[];
    }
  | { readonly ok: false; readonly fault: Fault };

/** The longest address that is accepted, in UTF-16 units; the address guard accepts as many bytes. */
export const MAX_URL_LENGTH = 8192;
/** The longest code, with its spaces and hyphens. */
const MAX_CODE_LENGTH = 64;

const ACCEPTED_FORMS =
  'a UPC (12 digits), EAN (13 or 8), ISBN (10 or 13) or GTIN-14 with a valid check digit, an ASIN ' +
  '(10 characters starting with B), an item_id of retailer_w (6 to 12 digits), a SKU (7 or 8 ' +
  'digits) or product id (10 letters and digits) of retailer_b, a GS1 element string with its ' +
  '(01), or the address of a product page, starting with https://';

const FORMAT_TAKES: Readonly<Record<Format, string>> = {
  UPC: '12 digits, 11 whose leading zero was lost, or the 8 of a UPC-E, with a valid check digit',
  EAN: '13 or 8 digits with a valid check digit',
  ISBN: 'an ISBN-10 or an ISBN-13 (978 or 979) with a valid check digit',
  GTIN: '8, 12, 13 or 14 digits with a valid check digit',
  ASIN: '10 letters and digits starting with B, or an ISBN-10 with a valid check digit',
  item_id: '6 to 12 digits',
};

/**
 * Lengths whose last digit is the GS1 check digit of the preceding ones. The last digit of a UPC-E is the check digit of
 * the expanded number.
 */
const CHECKED_LENGTHS: Readonly<Record<Format, readonly number[]>> = {
  UPC: [12],
  EAN: [8, 13],
  ISBN: [13],
  GTIN: [8, 12, 13, 14],
  ASIN: [],
  item_id: [],
};

/** An identifier, or a well-formed code that belongs to no product (D8). */
type CodeForm =
  | Identifier
  | { readonly kind: 'unusable'; readonly value: string; readonly why: UnusableReason };

/**
 * Returns the possible meanings of a text in the order in which they are tried (D6); each after the first is a fallback.
 * `format` (any case) narrows them (D7). Never throws. Codes that belong to no product are omitted; if nothing else
 * remains, the fault is `not_found`, without a request (D8).
 */
export function parseIdentifier(text: string, format?: string): ParsedIdentifier {
  const narrowed = format === undefined ? undefined : formatNamed(format);
  if (narrowed === null) return { ok: false, fault: unknownFormat() };
  return parsedText(text, narrowed) ?? invalidIdentifier(whyNotCode(text, narrowed));
}

const PLAIN = /^[0-9A-Za-z]{1,14}$/;
/** Half a character, or the sign for one that could not be read: digits may be missing too. */
const DAMAGED = /[\ufffd\p{Cs}]/u;

/** Parses an address, an element string or a code; null for any other text. */
function parsedText(text: string, format: Format | undefined): ParsedIdentifier | null {
  // Most texts are a code and nothing else.
  const plain = PLAIN.test(text) ? parsedForms(formsOf(text.toUpperCase(), format)) : null;
  if (plain !== null) return plain;
  const { text: trimmed, symbology } = scanned(trimmedText(text));
  const url = urlText(trimmed);
  if (url !== null) return parsedUrl(url, format);
  if (DAMAGED.test(trimmed)) return null;
  const typed = typedText(trimmed).trim();
  const elements = parseElementString(typed, symbology === 'gs1');
  if (elements !== null) {
    if (!elements.ok) return invalidIdentifier(elements.problem);
    return parsedGtin(elements.gtin, elements.others, format);
  }
  return parsedCode(typed, symbology === 'ean' ? (format ?? 'EAN') : format);
}

/** Parses a code and ignores the text around it; null if there is none. */
function parsedCode(typed: string, format: Format | undefined): ParsedIdentifier | null {
  const set = codeBeforeAddOn(typed);
  const code = codeText(typed);
  const plain = set !== null || code === null ? null : parsedForms(formsOf(code, format));
  if (plain !== null || typed.length > MAX_CODE_LENGTH) return plain;
  const codes = codesWithin(typed);
  if (codes.length > 1) return severalCodes(codes, format);
  const labelled = withoutLabel(typed);
  const inner = labelled === null ? null : parsedCode(labelled.code, format ?? labelled.format);
  if (inner !== null) return inner;
  const [only] = spreadsheetRemark(typed) === '' && isNothingButCode(typed) ? codes : [];
  const meant = set ?? codeMeantBy(typed) ?? only;
  return meant === undefined ? null : parsedForms(formsOf(meant, format ?? formatOf(meant)));
}

/** The format of a code that its check digit confirms. */
function formatOf(code: string): Format {
  if (isIsbn10(code)) return 'ISBN';
  return isAsinOfB(code) ? 'ASIN' : 'GTIN';
}

function parsedForms(forms: readonly CodeForm[]): ParsedIdentifier | null {
  const identifiers = forms.filter((form) => form.kind !== 'unusable');
  if (identifiers.length > 0) return { ok: true, identifiers };
  const unusable = forms.find((form) => form.kind === 'unusable');
  return unusable === undefined ? null : { ok: false, fault: noProductCode(unusable) };
}

/** Returns the fault of a text with several codes; if they are ways of writing one barcode, that barcode. */
function severalCodes(
  codes: readonly string[],
  format: Format | undefined,
): ParsedIdentifier | null {
  const [first] = codes;
  const gtins = codes.map((code) => toGtin14(isbn13FromIsbn10(code) ?? code) ?? code);
  if (first !== undefined && new Set(gtins).size === 1) {
    return parsedForms(formsOf(first, format ?? formatOf(first)));
  }
  const count = codes.length === 2 ? 'two' : codes.length;
  return invalidIdentifier(
    `The text contains ${count} codes, ${codes.slice(0, -1).join(', ')} and ${codes.at(-1)}. Send one of them.`,
  );
}

const LABEL_FORMATS: readonly (readonly [RegExp, Format])[] = [
  [/isbn/, 'ISBN'],
  [/upc(?!.*(?:ean|gtin))/, 'UPC'],
  [/ean(?!.*upc)/, 'EAN'],
];

/** Splits off a label that names a kind of code; null if there is none. */
function withoutLabel(typed: string): { readonly code: string; readonly format: Format } | null {
  const asinLabel = /^asin[\s:#.=-]+/i.exec(typed)?.[0];
  if (asinLabel !== undefined) return { code: typed.slice(asinLabel.length), format: 'ASIN' };
  const { label, rest } = labelAndCode(typed);
  if (!/\p{L}/u.test(label) || rest === typed) return null;
  const named = LABEL_FORMATS.find(([name]) => name.test(label))?.[1] ?? 'GTIN';
  // "EAN" and "ISBN" stand before barcodes of any length. Shorter codes are of the kind that the label states.
  const isOwn = rest.replaceAll(/\D/g, '').length < 12;
  return { code: rest, format: isOwn ? named : 'GTIN' };
}

/** Explains the mistake. If the cause is known, a list of all accepted forms would only obscure it. */
function whyNotCode(text: string, format: Format | undefined): string {
  const { text: trimmed } = scanned(trimmedText(text));
  const typed = trimmed.length > MAX_CODE_LENGTH ? '' : typedText(trimmed);
  const labelled = withoutLabel(typed);
  const cause =
    spreadsheetRemark(labelled?.code ?? typed) ||
    checkDigitRemark(codeText(labelled?.code ?? typed), format ?? labelled?.format) ||
    encodingRemark(trimmed);
  return cause.trim() || formRemark(trimmed) + expectation(format);
}

/** Returns the remark about a text that was percent-encoded once more than it was decoded; '' for any other. */
function encodingRemark(trimmed: string): string {
  if (!/%[0-9a-f]{2}/i.test(trimmed)) return '';
  let decoded = trimmed;
  for (let times = 0; times < 2 && /%[0-9a-f]{2}/i.test(decoded); times += 1) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return '';
    }
    if (parsedText(decoded, undefined)?.ok === true) {
      const shown = decoded.length > 200 ? `${decoded.slice(0, 200)}…` : decoded;
      return `The identifier is percent-encoded twice: encode ${shown} once.`;
    }
  }
  return '';
}

/**
 * Parses the GTIN of a GS1 Digital Link like `parseIdentifier`. The address itself is a second meaning, which the caller adds.
 */
export function parseDigitalLinkCode(
  { code, others }: Extract<DigitalLink, { kind: 'gtin' }>,
  format?: string,
): ParsedIdentifier {
  const narrowed = format === undefined ? undefined : formatNamed(format);
  if (narrowed === null) return { ok: false, fault: unknownFormat() };
  return parsedGtin(code, others, narrowed);
}

/** Returns the address in a text, with its scheme; null if there is none. */
export function addressIn(text: string): string | null {
  return urlText(scanned(trimmedText(text)).text);
}

type Scanned = { readonly text: string; readonly symbology: 'gs1' | 'ean' | null };

/** Symbols that carry nothing but GS1 element strings: GS1-128, DataBar, DataMatrix, QR code, DotCode. */
const GS1_SYMBOLOGY = /^\](?:C1|e[0-3]|d2|Q3|J1)/;
/** EAN-13 (including UPC), EAN-13 with a magazine's two or five extra digits, EAN-8. */
const EAN_SYMBOLOGY = /^\]E(?:0(?=\d{13}$)|3(?=\d{15}$|\d{18}$)|4(?=\d{8}$))/;

/** Strips the three-character symbology identifier that a scanner sends (ISO/IEC 15424). */
function scanned(trimmed: string): Scanned {
  if (GS1_SYMBOLOGY.test(trimmed)) return { text: trimmed.slice(3), symbology: 'gs1' };
  if (EAN_SYMBOLOGY.test(trimmed)) return { text: trimmed.slice(3, 16), symbology: 'ean' };
  const isNamed = /^\][A-Za-z][0-9A-Za-z]/.test(trimmed);
  return { text: isNamed ? trimmed.slice(3) : trimmed, symbology: null };
}

/**
 * Parses a GTIN that is marked as one: its digits have no other meaning. With `format` it is read at that format's length,
 * without a GTIN-14's leading zeros.
 */
function parsedGtin(
  digits: string,
  otherElements: readonly Element[],
  format: Format | undefined,
): ParsedIdentifier {
  const [form] =
    format === undefined ? [gtinForm(digits)] : formsOf(withoutZeros(digits, format), format);
  if (form === undefined || form === null) {
    return invalidIdentifier(`The GS1 code contains the GTIN ${digits}. ${expectation(format)}`);
  }
  if (form.kind === 'unusable') return { ok: false, fault: noProductCode(form) };
  return { ok: true, identifiers: [form], otherElements };
}

function gtinForm(digits: string): CodeForm | null {
  switch (digits.length) {
    case 8:
      return gtin('ean8', digits);
    case 12:
      return gtin('upc12', digits);
    case 13:
      return ean13(digits);
    default:
      return gtin('gtin14', digits);
  }
}

/** Removes as many leading zeros as the format is shorter than a GTIN-14. Unchanged if those digits are not zeros. */
function withoutZeros(digits: string, format: Format): string {
  const padded = digits.padStart(14, '0');
  const lengths = format === 'GTIN' ? [] : (CHECKED_LENGTHS[format] ?? []);
  const fitting = lengths.find((length) => /^0*$/.test(padded.slice(0, 14 - length)));
  return fitting === undefined ? digits : padded.slice(14 - fitting);
}

/** Returns the address with its scheme; null if the text does not begin like an address. */
function urlText(trimmed: string): string | null {
  if (/^https?:\/\/[^/?#]/i.test(trimmed)) return trimmed;
  return /^www\.[^./?#]/i.test(trimmed) ? `https://${trimmed}` : null;
}

function parsedUrl(url: string, format: Format | undefined): ParsedIdentifier {
  if (format !== undefined) {
    return invalidIdentifier(`An address has no format: omit it, or send ${FORMAT_TAKES[format]}.`);
  }
  if (url.length > MAX_URL_LENGTH) {
    return invalidIdentifier(`The address is longer than ${MAX_URL_LENGTH} characters.`);
  }
  return { ok: true, identifiers: [{ kind: 'url', value: url }] };
}

/**
 * Returns upper-case letters and digits; spaces and hyphens are removed if only digits and a final X remain (D6). The
 * exponent form of a number is its digits.
 */
function codeText(trimmed: string): string | null {
  if (trimmed.length > MAX_CODE_LENGTH) return null;
  const written = exponentForm(trimmed);
  if (written !== null) return written.kind === 'whole' ? written.code : null;
  const compact = trimmed.replace(/[\s-]+/g, '');
  if (/^[0-9]+[Xx]?$/.test(compact)) return compact.toUpperCase();
  return /^[0-9A-Za-z]+$/.test(trimmed) ? trimmed.toUpperCase() : null;
}

function formsOf(code: string, format: Format | undefined): readonly CodeForm[] {
  const forms = format === undefined ? detectedForms(code) : narrowedForms(code, format);
  return forms.filter((form) => form !== null);
}

/** D6: the first matching form, followed by its fallbacks. */
function detectedForms(code: string): readonly (CodeForm | null)[] {
  if (isAsinOfB(code)) return [asin(code), productId(code)];
  if (isIsbn10(code)) return [isbn10(code), itemId(code), asin(code)];
  if (!/^[0-9]+$/.test(code)) return [code.length === 10 ? productId(code) : null];
  switch (code.length) {
    case 14:
      return [gtin('gtin14', code)];
    case 13:
      return [ean13(code)];
    case 12:
      return [gtin('upc12', code), itemId(code)];
    case 11:
      return [itemId(code), gtin('upc12', `0${code}`)];
    case 8:
      return [itemId(code), sku(code), gtin('ean8', code), upcE(code)];
    case 7:
      return [itemId(code), sku(code)];
    default:
      return [itemId(code)];
  }
}

/** D7: the kind remains what it is without a format: an ISBN-13 requested as EAN is still an `isbn13`. */
function narrowedForms(code: string, format: Format): readonly (CodeForm | null)[] {
  const length = code.length;
  switch (format) {
    case 'UPC':
      if (length === 8) return [upcE(code)];
      return [length === 12 || length === 11 ? gtin('upc12', code.padStart(12, '0')) : null];
    case 'EAN':
      return [length === 8 ? gtin('ean8', code) : ean13(code)];
    case 'ISBN':
      return [isIsbn10(code) ? isbn10(code) : null, isIsbn13(code) ? ean13(code) : null];
    case 'GTIN':
      if (length === 8) return [gtin('ean8', code)];
      if (length === 12) return [gtin('upc12', code)];
      return [length === 14 ? gtin('gtin14', code) : ean13(code)];
    case 'ASIN':
      return [isAsinOfB(code) || isIsbn10(code) ? asin(code) : null];
    case 'item_id':
      return [itemId(code)];
  }
}

function isAsinOfB(code: string): boolean {
  return /^B[0-9A-Z]{9}$/.test(code);
}

function asin(value: string): Identifier {
  return { kind: 'asin', value, retailer: 'retailer_a' };
}

function productId(value: string): Identifier {
  return { kind: 'retailer_b_product_id', value, retailer: 'retailer_b' };
}

function sku(value: string): Identifier {
  return { kind: 'retailer_b_sku', value, retailer: 'retailer_b' };
}

function itemId(value: string): Identifier | null {
  return /^[0-9]{6,12}$/.test(value) ? { kind: 'item_id', value, retailer: 'retailer_w' } : null;
}

function ean13(code: string): CodeForm | null {
  if (code.length !== 13) return null;
  return gtin(isIsbn13(code) ? 'isbn13' : 'ean13', code);
}

function isbn10(code: string): CodeForm | null {
  const isbn13 = isbn13FromIsbn10(code);
  return isbn13 === null ? null : barcodeForm('isbn10', code, toGtin14(isbn13));
}

function upcE(code: string): CodeForm | null {
  return barcodeForm('upce', code, toGtin14(code, { upcE: true }));
}

function gtin(kind: GtinKind, code: string): CodeForm | null {
  return barcodeForm(kind, code, toGtin14(code));
}

function barcodeForm(kind: GtinKind, value: string, gtin14: Gtin14 | null): CodeForm | null {
  if (gtin14 === null) return null;
  const product = productCode(gtin14);
  return product.usable ? { kind, value, gtin14 } : { kind: 'unusable', value, why: product.why };
}

function formatNamed(name: string): Format | null {
  const lower = name.toLowerCase();
  return FORMATS.find((format) => format.toLowerCase() === lower) ?? null;
}

function unknownFormat(): Fault {
  return {
    code: 'invalid_parameter',
    detail: `format must be one of ${FORMATS.join(', ')} (any case), or omitted.`,
    parameter: 'format',
    allowed: FORMATS,
  };
}

function noProductCode(unusable: { readonly value: string; readonly why: UnusableReason }): Fault {
  return {
    code: 'not_found',
    detail:
      `${unusable.value} ${WHY_UNUSABLE[unusable.why]}, so no single product has it and no retailer ` +
      'was queried. Send another identifier of the product or the address of its page.',
  };
}

function expectation(format: Format | undefined): string {
  const wanted = format === undefined ? ACCEPTED_FORMS : FORMAT_TAKES[format];
  const rule = format === undefined ? 'Accepted are' : `format=${format} accepts`;
  return `${rule} ${wanted}.`;
}

/** Points out the check digit if that is the only problem: most rejected barcodes are typing errors. */
function checkDigitRemark(code: string | null, format: Format | undefined): string {
  const lengths = format === undefined ? [13, 14] : CHECKED_LENGTHS[format];
  if (code === null || !/^[0-9]+$/.test(code) || !lengths.includes(code.length)) return '';
  if (hasGs1CheckDigit(code)) return '';
  const right = gs1CheckDigit(code.slice(0, -1));
  return (
    `The check digit of ${code} is wrong: for the digits before it, it would be ${right}. A digit is ` +
    'mistyped or missing.'
  );
}

function invalidIdentifier(detail: string): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { code: 'invalid_identifier', detail } };
}
