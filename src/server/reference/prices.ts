// What every call costs, as a table: made from the numbers that calls are charged by.

import { ADD_ON_TOKENS, BASE_TOKENS, type AddOn } from '../../base/call-cost.ts';
import { html, line, type Html } from './markup.ts';

type Price = readonly [what: string, tokens: number, note: string];

const CALLS: readonly Price[] = [
  ['GET /v1/products/{id}', BASE_TOKENS.product, 'Also with `retailer` and with `force_refresh`.'],
  ['GET /v1/products', BASE_TOKENS.product, 'The same, with the address in `url`.'],
  [
    'POST /v1/products/batch',
    BASE_TOKENS.product,
    'A line, and what its parameters add. Lines that repeat one before are free.',
  ],
  [
    'POST /v1/products/{id}/refresh',
    BASE_TOKENS.refresh + ADD_ON_TOKENS.includeForceRefresh + ADD_ON_TOKENS.includeOffersReviews,
    `With \`include_offers_reviews=false\` ${BASE_TOKENS.refresh + ADD_ON_TOKENS.includeForceRefresh}.`,
  ],
  ['GET /v1/products/{id}/history', BASE_TOKENS.history, 'Each page of it.'],
  ['GET /v1/products/{id}/compare', BASE_TOKENS.compare, ''],
  ['GET /v1/products/{id}/reviews', BASE_TOKENS.reviews, ''],
  ['GET /v1/sellers/{seller_id}', BASE_TOKENS.seller, ''],
  ['GET /v1/products/{id}/picture', BASE_TOKENS.free, ''],
  [
    '/v1/watches, /v1/channels, /v1/changes, /v1/admin',
    BASE_TOKENS.free,
    'And what is below them. What a check of a watch reads costs 1 token a listing.',
  ],
  ['GET /v1, /v1/usage, /v1/retailers, /v1/rate-cards', BASE_TOKENS.free, 'With a key.'],
  ['/livez, /readyz, /openapi.json, /docs', BASE_TOKENS.free, 'Without a key.'],
];

const NOTES: Readonly<Record<AddOn, string>> = {
  includeOffersReviews: 'Live offers and reviews; with `include_offers` too it is paid once.',
  includeOffers: 'Live offers.',
  includeCrossRetailer: 'What is stored of each retailer.',
  includeSellerContext:
    'Also where it is null: `answers` of GET /v1/retailers says before whether it can be anything else.',
  includeOffersHistory: 'Archived offers.',
  includePriceSeries: 'Only where there is at least one bar.',
  includeForceRefresh: 'The refresh has it already.',
};

/** The name of the parameter that asks for an add-on. */
function parameterOf(addOn: string): string {
  return addOn.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function priceSection(): Html {
  const addOns = Object.entries(ADD_ON_TOKENS).map(([name, tokens]): Price => {
    return [parameterOf(name), tokens, NOTES[name as AddOn]];
  });
  return html`<section id="prices" aria-labelledby="prices-title">
    <h2 id="prices-title">What a call costs</h2>
    <p>
      ${line('In tokens. Only 2xx answers are billed; each says what it cost in `tokens_consumed`. `HEAD` costs what `GET` does.')}
    </p>
    ${table('Call', CALLS, '')} ${table('Parameter, added to the call', addOns, '+')}
  </section>`;
}

function table(title: string, prices: readonly Price[], sign: string): Html {
  const rows = prices.map(([what, tokens, note]) => {
    return html`<tr>
      <td><code>${what}</code></td>
      <td class="number">${sign}${tokens}</td>
      <td>${line(note)}</td>
    </tr>`;
  });
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${title}</th>
        <th scope="col">Tokens</th>
        <th scope="col">Note</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
