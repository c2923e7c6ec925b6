// Determines a page's currency: the one stated by its tags or address, otherwise its country's. It resolves signs shared by
// several countries, and offers of one product in several currencies.

import { currencyOf } from '../../base/listing/money/money.ts';
import type { SchemaOffer } from './schema-org/offers.ts';

/** Currencies by host country and by language region. */
const COUNTRIES = pairsOf(
  'us USD ca CAD au AUD nz NZD sg SGD hk HKD tw TWD mx MXN ar ARS cl CLP co COP uy UYU br BRL se SEK no NOK dk DKK is ISK ' +
    'jp JPY cn CNY in INR pk PKR lk LKR np NPR gb GBP uk GBP eg EGP ae AED ma MAD ru RUB by BYN ch CHF za ZAR pl PLN cz CZK ' +
    'hu HUF ro RON tr TRY kr KRW il ILS ua UAH th THB vn VND at EUR be EUR cy EUR de EUR ee EUR es EUR eu EUR fi EUR fr EUR ' +
    'gr EUR hr EUR ie EUR it EUR lt EUR lu EUR lv EUR mt EUR nl EUR pt EUR si EUR sk EUR',
);
/** Languages spoken in only one country, with its currency. */
const LANGUAGES = pairsOf(
  'sv SEK nb NOK nn NOK no NOK da DKK ja JPY is ISK pl PLN cs CZK hu HUF tr TRY ko KRW he ILS th THB vi VND uk UAH',
);

function pairsOf(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/(\w+) (\w+)/g)].map(([, key = '', code = '']) => [key, code]));
}

/** Top-level domains sold as words, which therefore do not indicate a country. */
const NO_COUNTRY = new Set(['co', 'in', 'is', 'ch', 'by']);

/** Returns the currency of the host's country, otherwise of the page's language; null when neither indicates a country. */
export function countryCurrency(lang: string | null, url: URL | null): string | null {
  const labels = (url?.hostname ?? '').split('.');
  const last = labels.at(-1) ?? '';
  const isCountry = last.length === 2 && (!NO_COUNTRY.has(last) || labels.length > 2);
  const region = /^[a-z]{2,3}[-_]([a-z]{2})\b/i.exec(lang ?? '')?.[1]?.toLowerCase() ?? '';
  const language = /^[a-z]{2}\b/i.exec(lang ?? '')?.[0].toLowerCase() ?? '';
  return (
    (isCountry ? COUNTRIES.get(last) : undefined) ??
    COUNTRIES.get(region) ??
    LANGUAGES.get(language) ??
    null
  );
}

/**
 * Returns the currency in which a page with several currencies states its prices, based on its tags, address or country.
 */
export function pageCurrency(
  tagged: string | null,
  lang: string | null,
  url: URL | null,
): string | null {
  const asked = url?.searchParams.get('currency')?.slice(0, 20) ?? null;
  return tagged ?? (asked === null ? null : currencyOf(asked)) ?? countryCurrency(lang, url);
}

const currencyIn = ({ price }: SchemaOffer): string | null => price?.money.currency ?? null;

/** Whether offers state prices in more than one currency. */
export function haveSeveralCurrencies(offers: readonly SchemaOffer[]): boolean {
  return new Set(offers.map(currencyIn).filter((code) => code !== null)).size > 1;
}

/** Returns the offers in the page's currency if there are several currencies; all offers when none is in it. */
export function offersInCurrency(
  offers: readonly SchemaOffer[],
  currency: string | null,
): readonly SchemaOffer[] {
  if (currency === null || !haveSeveralCurrencies(offers)) return offers;
  const own = offers.filter((offer) => currencyIn(offer) === currency);
  return own.length > 0 ? own : offers;
}
