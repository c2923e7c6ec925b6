// The currency of prices that this tab asks for, chosen below the search box. Empty for the service's currency.

import { el } from './dom.js';
import { chosenCurrency, keepCurrency } from './session.js';

/** Codes that are offered; the service takes every other ISO 4217 code too. */
const OFFERED = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'JPY', 'CHF', 'SEK', 'PLN', 'INR'];

/** The currency of answers that request none; the service states it on every page. */
export function usualCurrency() {
  return document.body.dataset['currency'] ?? 'USD';
}

/** Returns the part of a query that requests it, with what goes before it; empty if none is chosen. @param {string} before */
export function currencyQuery(before) {
  const currency = chosenCurrency();
  return currency === '' ? '' : `${before}currency=${encodeURIComponent(currency)}`;
}

/**
 * Creates the choice of the currency.
 * @param {() => void} chosen
 */
export function currencyChoice(chosen) {
  const now = chosenCurrency();
  const usual = usualCurrency();
  const options = [
    ['', `${usual} (default)`],
    ['native', 'the currency of the page'],
    ...OFFERED.filter((each) => each !== usual).map((each) => [each, each]),
  ];
  const select = el(
    'select',
    {
      id: 'currency',
      onchange: () => {
        keepCurrency(select.value);
        chosen();
      },
    },
    options.map(([value = '', words = '']) =>
      el('option', { value, selected: value === now }, words),
    ),
  );
  return el('span', {}, el('label', { for: 'currency', class: 'soft' }, 'Prices in '), select);
}
