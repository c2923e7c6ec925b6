// Parses the text that a scanner reads from a GS1 symbol, either printed as `(01)09506000134352(10)ABC` or as transmitted:
// `]d2` followed by the digits and characters, with FNC1 after values of variable length (D75). Pure.

import {
  applicationIdentifier,
  applicationIdentifierAt,
  type ApplicationIdentifier,
} from './application-identifiers.ts';
import { gs1CheckDigit, hasGs1CheckDigit } from './check-digit.ts';

/** One application identifier and its value. */
export type Element = { readonly ai: string; readonly title: string; readonly value: string };

type ElementString =
  | {
      readonly ok: true;
      /** The 14 digits of (01), with a correct check digit. */
      readonly gtin: string;
      /** The other elements, in their order. */
      readonly others: readonly Element[];
    }
  | { readonly ok: false; readonly problem: string };

/** FNC1 between two elements as scanners send it, and the control picture that some programs display for it. */
const SEPARATOR = /[\u001d\u241d]/;
const LEADING = /^[\u001d\u241d]+/;
/**
 * Substitutes for FNC1 where it cannot be typed or seen: its name, an escape, or a character that no value may contain.
 */
const EACH_VISIBLE = [
  String.raw`[<{[(](?:GS|FNC1)[>})\]]`,
  String.raw`\\(?:x1d|u001d|035|F)|&#(?:29|x1d);|%1d|~d029|\^\]`,
  '[|^@`]',
].join('|');
/** The tilde is such a character; in many programs that print codes, FNC1 is a tilde and a one. */
const SUBSTITUTES = ['~', '~1'].map((tilde) => new RegExp(`${EACH_VISIBLE}|${tilde}`, 'gi'));
const BRACKETED = /^\(\d{1,4}\)/;
const SQUARE = /\[(\d{2,4})\]/g;
/**
 * An element string without a prefix: (01) or (02), preceded only by dates and a variant, which cannot mean anything else at
 * that length.
 */
const BARE = /^(?:1[1-35-7]\d{6}|20\d{2})*0[12]\d{14}/;
const SHOWN = 40;

/**
 * Parses an element string; null if the text is not one. `isPrefixed`: the scanner reported a symbology that carries
 * nothing else. A problem is one or two sentences for the caller.
 */
export function parseElementString(text: string, isPrefixed: boolean): ElementString | null {
  const printed = text.startsWith('[') ? text.replaceAll(SQUARE, '($1)') : text;
  if (BRACKETED.test(printed)) return namedGtin(bracketedElements(printed));
  const sent = SUBSTITUTES.map((each) =>
    text.replaceAll(each, '\u001d').replaceAll(/\s/g, '').replace(LEADING, ''),
  );
  const readings = sent
    .filter((each) => isPrefixed || SEPARATOR.test(text) || BARE.test(each))
    .map((each) => namedGtin(sentElements(each)));
  return readings.find(({ ok }) => ok) ?? readings[0] ?? null;
}

type Elements = readonly Element[] | { readonly problem: string };

function bracketedElements(text: string): Elements {
  const elements: Element[] = [];
  const heads = [...text.matchAll(/\((\d{2,4})\)/g)];
  if (heads[0]?.index !== 0) {
    return {
      problem: `"${shown(text)}" does not begin with an application identifier: (01) is the GTIN.`,
    };
  }
  for (const [at, head] of heads.entries()) {
    const [whole, digits = ''] = head;
    const known = applicationIdentifier(digits);
    if (known === null) return { problem: notAssigned(digits) };
    const raw = text.slice(head.index + whole.length, heads[at + 1]?.index);
    const value = withoutBlankEnds(raw);
    // Printed digits are grouped with spaces.
    const compact = value.replaceAll(/\s/g, '');
    const element = elementOf(known, /^\d+$/.test(compact) ? compact : value);
    if ('problem' in element) return element;
    elements.push(element);
  }
  return elements;
}

const BLANK = /[\s\u001d\u241d]/;

/** Trims in a loop: a regular expression for trailing blanks would restart at each blank. */
function withoutBlankEnds(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && BLANK.test(text.charAt(from))) from += 1;
  while (to > from && BLANK.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function sentElements(text: string): Elements {
  const elements: Element[] = [];
  let at = 0;
  while (at < text.length) {
    const known = applicationIdentifierAt(text, at);
    if (known === null) return { problem: notAssigned(text.slice(at, at + 4), at) };
    const begin = at + known.ai.length;
    const rest = text.slice(begin).search(SEPARATOR);
    const end = rest === -1 ? text.length : begin + rest;
    const stop = known.fixedLength === null ? end : Math.min(begin + known.fixedLength, end);
    const element = elementOf(known, text.slice(begin, stop));
    if ('problem' in element) return element;
    elements.push(element);
    at = stop;
    while (at < text.length && SEPARATOR.test(text.charAt(at))) at += 1;
  }
  return elements;
}

function elementOf(known: ApplicationIdentifier, value: string): Element | { problem: string } {
  const { ai, title, takes, fixedLength, matches } = known;
  if (matches(value)) return { ai, title, value };
  if (value === '') return { problem: `(${ai}) ${title} has no value: it takes ${takes}.` };
  if (ai === '01' && /^\d{8}$|^\d{12,13}$/.test(value)) {
    const padded = value.padStart(14, '0');
    return {
      problem: `(01) takes 14 digits, not ${value.length}: with its leading zeros it is (01)${padded}.`,
    };
  }
  const separator =
    fixedLength === null && /\d/.test(value)
      ? ' If another application identifier follows, FNC1 (character 29, %1D in an address) must separate them.'
      : '';
  return { problem: `(${ai}) ${title} takes ${takes}, not "${shown(value)}".${separator}` };
}

/** Elements whose GTIN does not identify the item that carries the symbol. */
const OF_ANOTHER: Readonly<Record<string, string>> = {
  '02': 'what a logistic unit contains',
  '03': 'what is made to order',
  '8006': 'a piece of a trade item',
  '8026': 'the pieces in a logistic unit',
};

function namedGtin(elements: Elements): ElementString {
  if ('problem' in elements) return { ok: false, problem: elements.problem };
  const gtins = [...new Set(elements.filter(({ ai }) => ai === '01').map(({ value }) => value))];
  const [gtin, second] = gtins;
  const others = elements.filter(({ ai }) => ai !== '01');
  if (gtin === undefined) return { ok: false, problem: withoutGtin(others) };
  if (second !== undefined) {
    return {
      ok: false,
      problem: `The element string contains two GTINs, ${gtin} and ${second}. Send one of them.`,
    };
  }
  if (hasGs1CheckDigit(gtin)) return { ok: true, gtin, others };
  const right = gs1CheckDigit(gtin.slice(0, -1));
  return {
    ok: false,
    problem: `The check digit of (01)${gtin} is wrong: ${right} would be right.`,
  };
}

function withoutGtin(others: readonly Element[]): string {
  const other = others.find(({ ai }) => Object.hasOwn(OF_ANOTHER, ai));
  if (other === undefined) {
    return 'The element string has no (01), which is the GTIN: it does not identify a product. Send the barcode of the product.';
  }
  const code = other.value.slice(0, 14);
  return (
    `The element string has no (01). (${other.ai}) is the GTIN of ${OF_ANOTHER[other.ai]}: if you mean that, ` +
    `send ${code} alone.`
  );
}

function notAssigned(digits: string, at?: number): string {
  const where = at === undefined ? '' : ` (character ${at + 1} of the element string)`;
  return `"${shown(digits)}"${where} is not a GS1 application identifier. Is a separator missing before it, or a digit?`;
}

function shown(text: string): string {
  const clean = text.replaceAll(/[\u0000-\u001f\u007f]/g, '␝');
  return clean.length > SHOWN ? `${clean.slice(0, SHOWN)}…` : clean;
}
