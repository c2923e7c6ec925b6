// The folded sections of a card: live offers, reviews, fee components, specifications, the call itself.

import { call, productPath } from './api.js';
import { el, fill, folded, problemLine, table } from './dom.js';
import { pageTextPart } from './page-text.js';
import { day, money, NONE, plain, seen, whole } from './format.js';
import { tokensInWords } from './prices.js';
import { chargedWords, conditionWords } from './words.js';

/** @typedef {import('./words.js').ProductRecord} ProductRecord */
/** @typedef {{ spend: (tokens: number) => void, signal: AbortSignal }} Spending */

/**
 * @param {HTMLElement} section
 * @param {string} id
 * @param {ProductRecord} record
 * @param {Spending} spending
 */
export function extraSections(section, id, record, spending) {
  fill(
    section,
    offersPart(id, spending),
    pageTextPart(pageOf(id, record), spending.signal),
    feesPart(record),
    specsPart(record),
    rawPart(record),
    curlPart(id),
  );
}

/**
 * Returns the address of the page that supplies the price, else what was looked up.
 * @param {string} id
 * @param {ProductRecord} record
 */
function pageOf(id, { cross_retailer: cells, _meta: { price_source: source } }) {
  const url = cells?.[source ?? '']?.url ?? '';
  return /^https?:/.test(url) ? url : id;
}

/**
 * Shows the raw answer. It has hundreds of lines, which are created when the section is unfolded. @param {ProductRecord}
 * record
 */
function rawPart(record) {
  const text = el('pre', { tabindex: 0 });
  const details = folded('Raw JSON', text);
  details.addEventListener(
    'toggle',
    () => {
      text.textContent = seen(JSON.stringify(record, null, 2));
    },
    { once: true },
  );
  return details;
}

/**
 * @param {string} id
 * @param {Spending} spending
 */
function offersPart(id, { spend, signal }) {
  const box = el('div', {});
  const button = el(
    'button',
    {
      type: 'button',
      onclick: async () => {
        button.disabled = true;
        fill(box, el('p', { class: 'soft busy', role: 'status' }, 'Querying the shop…'));
        const path = `${productPath(id)}?include_offers=true&include_offers_reviews=true`;
        const answer = /** @type {import('./api.js').Answer<ProductRecord>} */ (
          await call(path, { signal })
        );
        button.disabled = false;
        if (!answer.ok) {
          const { detail, code } = answer.problem;
          fill(box, problemLine(`${detail} ${chargedWords(code)}`));
          return;
        }
        spend(answer.body.tokens_consumed);
        fill(box, offersTable(answer.body), reviewsOf(answer.body));
      },
    },
    `Fetch offers and reviews now (${tokensInWords('offers')})`,
  );
  return folded(
    'Offers and reviews',
    el(
      'p',
      { class: 'soft' },
      'Offers are always fetched live from the shop; stored offers are never shown.',
    ),
    button,
    box,
  );
}

/** @param {ProductRecord} record */
function offersTable(record) {
  const offers = record.offers ?? [];
  if (offers.length === 0)
    return el('p', { class: 'soft' }, 'The shop lists no offers for this product.');
  const isPartial = record.offers_complete === false;
  return el(
    'div',
    {},
    el(
      'p',
      { class: 'soft' },
      `${whole(offers.length)} of ${whole(record.total_offers ?? offers.length)} offers${isPartial ? '; the page states no more' : ''}.`,
    ),
    table(
      'Offers',
      ['Seller', 'Condition', '#Price', '#Shipping', 'Arrives'],
      offers.map((offer) => [
        sellerCell(offer),
        conditionWords(offer.condition) || NONE,
        money(offer.price, record.currency),
        offer.shipping_cost === 0 ? 'free' : money(offer.shipping_cost, record.currency),
        day(offer.delivery_date),
      ]),
      'blocks',
    ),
  );
}

/** @param {NonNullable<ProductRecord['offers']>[number]} offer */
function sellerCell(offer) {
  const name = el('bdi', {}, plain(offer.seller_name, 60) || NONE);
  const hasBuyBox = offer.is_buy_box === true;
  return hasBuyBox ? el('span', {}, name, el('span', { class: 'mark best' }, 'buy box')) : name;
}

/** @param {ProductRecord} record */
function reviewsOf(record) {
  const stars = record.average_rating;
  const list = record.reviews?.top_reviews ?? [];
  return el(
    'div',
    {},
    el('h3', {}, 'Reviews'),
    stars === null
      ? el('p', { class: 'soft' }, 'No reviews are stated.')
      : el('p', {}, `${stars} of 5 stars from ${whole(record.review_count)} reviews.`),
    el(
      'ul',
      { class: 'reviews' },
      list
        .slice(0, 5)
        .map((each) =>
          el(
            'li',
            {},
            el('b', {}, `${each.rating} ★ `),
            el('bdi', {}, plain(each.title, 100)),
            ' ',
            el('span', { class: 'soft' }, el('bdi', {}, plain(each.text, 400))),
          ),
        ),
    ),
  );
}

/** @param {ProductRecord} record */
function feesPart(record) {
  const breakdown = record.fee_breakdown;
  if (breakdown === null || breakdown === undefined) {
    return folded(
      'Fees',
      el(
        'p',
        { class: 'soft' },
        'The shop that supplies the price charges sellers no published fees.',
      ),
    );
  }
  const { referral, fulfillment, assumptions, not_included: missing } = breakdown;
  /** @param {{ card: { id: string, effective_from: string } | null } | null} part */
  const cardOf = (part) =>
    part?.card ? `${part.card.id}, from ${day(part.card.effective_from)}` : NONE;
  return folded(
    'Fees, part by part',
    el(
      'table',
      { class: 'plain-table' },
      el(
        'tbody',
        {},
        [
          [
            'Price on which the fees are based',
            money(breakdown.fee_base_usd),
            breakdown.category === null
              ? ''
              : `category ${plain(breakdown.category.key, 60).replaceAll('_', ' ')}`,
          ],
          ['Referral', money(referral?.fee_usd), cardOf(referral)],
          ['Fulfilment', money(fulfillment?.fee_usd), cardOf(fulfillment)],
        ].map(([name, value, from]) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, name),
            el('td', { class: 'number' }, value),
            el('td', { class: 'soft' }, from),
          ),
        ),
      ),
    ),
    assumptions.length === 0
      ? null
      : [
          el('h3', {}, 'Assumed'),
          el(
            'ul',
            {},
            assumptions.map(({ detail }) => el('li', {}, plain(detail))),
          ),
        ],
    missing.length === 0
      ? null
      : [
          el('h3', {}, 'Not included'),
          el(
            'ul',
            {},
            missing.map(({ name, detail }) => el('li', {}, `${plain(name)}: ${plain(detail)}`)),
          ),
        ],
  );
}

/** @param {ProductRecord} record */
function specsPart({ specs, description }) {
  if (specs.length === 0 && description === null) return null;
  return folded(
    'Description and specifications',
    description === null ? null : el('p', {}, el('bdi', {}, plain(description, 3_000))),
    el(
      'dl',
      { class: 'specs' },
      specs.map(({ name, value }) =>
        el(
          'div',
          {},
          el('dt', {}, el('bdi', {}, plain(name, 80))),
          el('dd', {}, el('bdi', {}, plain(value, 300))),
        ),
      ),
    ),
  );
}

/** @param {string} id */
function curlPart(id) {
  const address = `${location.origin}${productPath(id)}?include_cross_retailer=true&identifier_match=any&include_fee_breakdown=true`;
  const text = `curl -H "Authorization: Bearer $KEY" '${address.replaceAll("'", '%27')}'`;
  const said = el('span', { class: 'soft', role: 'status' });
  const copy = el(
    'button',
    {
      type: 'button',
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text);
          said.textContent = ' Copied.';
        } catch {
          said.textContent = ' The browser did not allow it; select the text instead.';
        }
      },
    },
    'Copy',
  );
  return folded('The same call with curl', el('pre', { tabindex: 0 }, text), copy, said);
}
