// Describes in words what a state means, and what can be done about it.

import { age, hostOf, plain } from './format.js';
import { call } from './api.js';

/** @typedef {import('../src/answer/wire/record/product-record.ts').ProductRecord} ProductRecord */
/** @typedef {NonNullable<ProductRecord['cross_retailer']>[string]} Cell */
/** @typedef {'good' | 'quiet' | 'warn' | 'bad' | 'busy'} Tone */
/** @typedef {{ label: string, tone: Tone, help: string }} State */

/**
 * Returns the state of a retailer's row.
 * @param {Cell} cell
 * @param {boolean} [isSettled] no further lookup follows automatically
 * @param {string | null} [gtin] of the product: the text next to it says that the page prints it
 * @returns {State}
 */
export function stateOf(cell, isSettled = false, gtin = null) {
  const shop = hostOf(cell.retailer);
  switch (cell.status) {
    case 'indexing':
      if (isSettled)
        return {
          label: 'No answer yet',
          tone: 'quiet',
          help: `${shop} has not answered yet. Look it up again in a minute.`,
        };
      return {
        label: 'Being queried',
        tone: 'busy',
        help: `${shop} is being queried; this updates automatically.`,
      };
    case 'blocked':
      return { label: 'Blocked', tone: 'warn', help: `${shop} refuses automated requests.` };
    case 'not_found':
      return {
        label: 'Not found',
        tone: 'quiet',
        help: `${shop} was queried and has no product with this barcode.`,
      };
    case 'error':
      if (cell._freshness.refreshed_at === null)
        return {
          label: 'Not queried',
          tone: 'quiet',
          help:
            `${shop} cannot be queried by barcode with the sources set up here. The operator’s page shows what would ` +
            'change that.',
        };
      return {
        label: 'Failed',
        tone: 'warn',
        help: `The last request to ${shop} failed. Look it up again later.`,
      };
    default:
      return statedBy(cell, gtin);
  }
}

/**
 * @param {Cell} cell
 * @param {string | null} gtin
 * @returns {State}
 */
function statedBy(cell, gtin) {
  const { identity } = cell;
  const note = plain(identity?.note ?? '');
  if (identity?.state === 'mismatch') {
    const { page_barcode: other } = identity;
    const stated = other === null ? 'another barcode' : `the barcode ${printed(other)}`;
    return {
      label: 'Another product',
      tone: 'bad',
      help: `Its page states ${stated}, so its price does not count.`,
    };
  }
  if (identity?.disputed) {
    return {
      label: 'Disputed',
      tone: 'warn',
      help: `${differenceWords(identity.disputed.detail ?? '')} Its price does not count.`,
    };
  }
  if (cell.unavailable === true)
    return { label: 'Gone', tone: 'quiet', help: 'The shop states that the listing has ended.' };
  const stock = stockOf(cell.in_stock);
  if (cell.status === 'stale') {
    return {
      label: `${stock.label}, stale`,
      tone: 'warn',
      help: `It was read ${age(cell._freshness.refreshed_at)} and is being read again. ${note}`,
    };
  }
  // No explanation is needed when the page itself states the barcode: the next column says how.
  const isStated = identity?.state === 'confirmed' || printsCode(cell, gtin);
  return { ...stock, help: isStated ? '' : note };
}

/** Formats `used_very_good` as people read it. @param {string | null | undefined} condition */
export function conditionWords(condition) {
  return plain(condition, 30).replaceAll('_', ' ');
}

/**
 * Describes how two listings differ, in words for people: `pack_count none stated vs 3`, the others before the one that
 * differs.
 * @param {string} detail
 */
export function differenceWords(detail) {
  const said = plain(detail, 400);
  if (said === '') return 'The other shops describe another product.';
  const [, name, others, own] = /^(\S+) (.+?) vs (.+)$/.exec(said) ?? [];
  if (name === undefined || others === undefined || own === undefined)
    return said.endsWith('.') ? said : `${said}.`;
  const word = name.replaceAll('_', ' ');
  const theirs =
    others === 'none stated' ? 'the other shops state none' : `the other shops state ${others}`;
  const mine = own === 'none stated' ? 'states none' : `states ${own}`;
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}: this shop ${mine}, ${theirs}.`;
}

/**
 * Formats a barcode as printed on a package. The longer forms are the same digits with leading zeros. @param {string} code
 */
function printed(code) {
  return code.replace(/^0{1,2}(?=\d{12}$|\d{13}$)/, '');
}

/**
 * Returns whether the page prints the product's own barcode, and not that of a case or another packaging.
 * @param {Cell} cell
 * @param {string | null} gtin
 */
function printsCode({ identity }, gtin) {
  return gtin !== null && identity?.state === 'unconfirmed' && identity.page_barcode === gtin;
}

/** @param {boolean | null} inStock */
export function stockOf(inStock) {
  if (inStock === true) return { label: 'In stock', tone: /** @type {Tone} */ ('good') };
  if (inStock === false) return { label: 'Out of stock', tone: /** @type {Tone} */ ('quiet') };
  return { label: 'Stock not stated', tone: /** @type {Tone} */ ('quiet') };
}

/**
 * Says whether the shop's listing is the product, and how that is known.
 * @param {Cell} cell
 * @param {string | null} gtin of the product
 */
export function identityOf(cell, gtin) {
  const { identity, status } = cell;
  if (identity === null || identity === undefined) return 'Not compared';
  if (identity.disputed) return 'Doubtful: the others contradict it';
  switch (identity.state) {
    case 'confirmed':
      return identity.method === 'catalog_key' ? 'Yes, by its catalog' : 'Yes, by its page';
    case 'mismatch':
      return 'No, another barcode';
    default:
      if (status !== 'ok' && status !== 'stale') return '';
      return printsCode(cell, gtin) ? 'Likely: its page prints the barcode' : 'Perhaps, not proven';
  }
}

/**
 * Returns the shops whose listing is the product, by the rule of the best price.
 * @param {ProductRecord} record
 * @returns {ReadonlySet<string>}
 */
export function sureShops({ cross_retailer: cells }) {
  const sure = Object.values(cells ?? {}).filter(
    ({ identity }) => identity?.state === 'confirmed' && !identity.disputed,
  );
  return new Set(sure.map(({ retailer }) => retailer));
}

/** @typedef {import('../src/answer/wire/installation/installation.ts').RetailerList} RetailerList */
/** @typedef {RetailerList['retailers'][number]} Retailer */

let retailers = /** @type {Promise<readonly Retailer[]> | null} */ (null);

/** Returns the retailers this installation can ask; read once, when a state needs them. */
export function installedRetailers() {
  retailers ??= call('/v1/retailers').then((answer) => {
    if (answer.ok) return /** @type {RetailerList} */ (answer.body).retailers;
    retailers = null;
    return [];
  });
  return retailers;
}

/** Forgets the retailers that were read, so that they are requested again. */
export function forgetKnownRetailers() {
  retailers = null;
}

/**
 * Returns what can be done about a shop that refuses.
 * @param {string} slug
 */
export async function workaroundsFor(slug) {
  const known = (await installedRetailers()).find(({ retailer }) => retailer === slug);
  const official = known?.sources.find(({ official_api: is, configured }) => is && !configured);
  return [
    official === undefined
      ? null
      : `Use its official API: the operator has to set ${official.missing_settings.join(', ')}.`,
    'Send requests through a proxy of your own: the operator has to set OPENSHELF_EGRESS_PROXY.',
    'Import existing prices: openshelf import.',
  ].filter((way) => way !== null);
}

/** Sentences for the fixed list of warnings. */
const WARNINGS = /** @type {Readonly<Record<string, string>>} */ ({
  no_fees: 'fees not known',
  other_pack: 'another pack size',
  disputed: 'contradicted by the others',
  unconfirmed: 'barcode not confirmed',
  out_of_stock: 'out of stock',
  stale: 'older than a day',
  suspect_price: 'price looks wrong',
  foreign_currency: 'in another currency',
  hazmat: 'dangerous goods',
  restricted: 'selling is restricted',
});

/** @param {string} code */
export function warningWords(code) {
  return WARNINGS[code] ?? code.replaceAll('_', ' ');
}

/**
 * States the cost of a failed call. An error is never charged; a call whose answer was lost may have been.
 * @param {string} code
 */
export function chargedWords(code) {
  return code === 'unreachable' ? 'Whether it was charged is not known.' : 'Nothing was charged.';
}

/** @type {Readonly<Record<string, string>>} */
const VIA = {
  official_api: 'the official API',
  ucp: 'its commerce protocol (UCP)',
  store_api: "the shop's store API",
  product_json: "the shop's product data",
  page: 'its page',
  rendered: 'its page in a browser',
  feed: 'a feed',
  handed_in: 'a page that you handed in',
  import: 'an imported file',
};

/** Returns how the facts of a listing were reached, in words; null if that is not known. @param {string | null | undefined} via */
export function viaWords(via) {
  return typeof via === 'string' && Object.hasOwn(VIA, via) ? (VIA[via] ?? null) : null;
}
