// The price of every call, as a table generated from the prices that calls are charged.

import {
  ADD_ON_TOKENS,
  BASE_TOKENS,
  mostItCanCost,
  tokensInWords,
  type AddOn,
} from '../../base/call-cost.ts';
import { routeName, type Route } from '../route.ts';
import { html, line, type Html } from './markup.ts';

export type PricedRoute = Pick<
  Route<never>,
  'method' | 'path' | 'scope' | 'price' | 'priceInWords'
>;

type Price = readonly [what: string, tokens: number, note: string];

/** Returns the paid routes individually, then those that are free. */
function callPrices(routes: readonly PricedRoute[]): readonly Price[] {
  const paid = routes
    .filter(({ price }) => price.kind !== 'free')
    .map((each): Price => {
      return [routeName(each), mostItCanCost(each.price), each.priceInWords ?? ''];
    });
  const free = routes.filter(({ price }) => price.kind === 'free');
  const pathsOf = (isWanted: boolean) => {
    const wanted = free.filter(({ scope }) => (scope === 'no key') === isWanted);
    return [...new Set(wanted.map(({ path }) => path))];
  };
  const keyed = pathsOf(false);
  const widest = keyed.filter((path) => !keyed.some((each) => isBelow(path, each)));
  const ofCheck = tokensInWords({ kind: 'watchedRead' });
  const note = `With a key, including the paths below them. Each listing that a check of a watch reads costs ${ofCheck}.`;
  return [
    ...paid,
    [widest.join(', '), BASE_TOKENS.free, note],
    [[...pathsOf(true), '/openapi.json', '/docs'].join(', '), BASE_TOKENS.free, 'Without a key.'],
  ];
}

/** Everything is below `/v1`, so that does not count. */
function isBelow(path: string, other: string): boolean {
  return other !== '/v1' && path.startsWith(`${other}/`);
}

const NOTES: Readonly<Record<AddOn, string>> = {
  includeOffersReviews:
    'Live offers and reviews; charged once when combined with `include_offers`.',
  includeOffers: 'Live offers.',
  includeCrossRetailer: 'The stored data of each retailer.',
  includeSellerContext:
    'Charged even if it is null: `answers` of GET /v1/retailers shows beforehand whether it can have a value.',
  includeOffersHistory: 'Archived offers.',
  includePriceSeries: 'Only if there is at least one bar.',
  includeForceRefresh: 'Included in a refresh.',
};

/** Returns the name of the parameter that requests an add-on. */
function parameterOf(addOn: string): string {
  return addOn.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function priceSection(routes: readonly PricedRoute[]): Html {
  const addOns = Object.entries(ADD_ON_TOKENS).map(([name, tokens]): Price => {
    return [parameterOf(name), tokens, NOTES[name as AddOn]];
  });
  return html`<section id="prices" aria-labelledby="prices-title">
    <h2 id="prices-title">What a call costs</h2>
    <p>
      ${line(
        'Prices are in tokens. Only 2xx responses are billed; each states its cost in `tokens_consumed`. ' +
          '`HEAD` costs the same as `GET`.',
      )}
    </p>
    ${table('Call', callPrices(routes), '')} ${table('Parameter, added to the call', addOns, '+')}
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
