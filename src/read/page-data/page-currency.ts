// Determines a page's currency: the one stated by its tags or address, otherwise its country's. It resolves signs shared by
// several countries, and offers of one product in several currencies.

import { currencyOf } from '../../base/listing/money/money.ts';
import { currencyCodeOf, WORD_CODES } from '../../base/listing/money/currencies.ts';
import type { OpenGraph } from './open-graph.ts';
import type { SchemaOffer } from './schema-org/offers.ts';

/** Currencies by host country and by language region. */
const COUNTRIES = pairsOf(
  'us USD ca CAD au AUD nz NZD sg SGD hk HKD tw TWD mx MXN ar ARS cl CLP co COP uy UYU br BRL se SEK no NOK dk DKK is ISK ' +
    'jp JPY cn CNY in INR pk PKR lk LKR np NPR gb GBP uk GBP eg EGP ae AED ma MAD ru RUB by BYN ch CHF za ZAR pl PLN cz CZK ' +
    'hu HUF ro RON tr TRY kr KRW il ILS ua UAH th THB vn VND at EUR be EUR cy EUR de EUR ee EUR es EUR eu EUR fi EUR fr EUR ' +
    'gr EUR hr EUR ie EUR it EUR lt EUR lu EUR lv EUR mt EUR nl EUR pt EUR si EUR sk EUR',
);
/** Languages spoken in only one country, with that country. */
const LANGUAGES = pairsOf(
  'sv se nb no nn no no no da dk ja jp is is pl pl cs cz hu hu tr tr ko kr he il th th vi vn uk ua',
);
/** Languages that paths begin with, in addition to those above; `ca` and `be` in a path are countries. */
const PATH_LANGUAGES = new Set(
  'en de fr es it nl pt ru ro bg hr sr sl sk et lv lt el fi ar fa zh id ms hi'.split(' '),
);

function pairsOf(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/(\w+) (\w+)/g)].map(([, key = '', code = '']) => [key, code]));
}

/** Top-level domains sold as words, which therefore do not indicate a country. */
const NO_COUNTRY = new Set(['co', 'in', 'is', 'ch', 'by']);

const isCountry = (code: string | undefined): code is string =>
  code !== undefined && COUNTRIES.has(code);

/** Returns the country of the host, otherwise of the page's language; null when neither indicates one. */
function countryOf(lang: string | null, url: URL | null): string | null {
  const labels = (url?.hostname ?? '').split('.');
  const last = labels.at(-1) ?? '';
  const isHost = last.length === 2 && (!NO_COUNTRY.has(last) || labels.length > 2);
  const region = /^[a-z]{2,3}[-_]([a-z]{2})\b/i.exec(lang ?? '')?.[1]?.toLowerCase();
  const language = /^[a-z]{2}\b/i.exec(lang ?? '')?.[0].toLowerCase();
  return [isHost ? last : undefined, region, LANGUAGES.get(language ?? '')].find(isCountry) ?? null;
}

/** Returns the currency of a country; null for one that is not in the table. */
export function currencyOfCountry(country: string | null): string | null {
  return COUNTRIES.get(country ?? '') ?? null;
}

/** Returns the currency of the host's country, otherwise of the page's language; null when neither indicates a country. */
export function countryCurrency(lang: string | null, url: URL | null): string | null {
  return currencyOfCountry(countryOf(lang, url));
}

/** Returns the parts at the start of an address that may name a country or a currency: `/en-gb/`, `/en/eur/`. */
function openingParts(url: URL | null): readonly (readonly string[])[] {
  const [, first = '', second = ''] = (url?.pathname ?? '').slice(0, 40).toLowerCase().split('/');
  return [first, second]
    .filter((part) => /^[a-z]{2,3}(?:[-_][a-z]{2,3})?$/.test(part))
    .map((part) => part.split(/[-_]/));
}

/** Returns the country in an address: `/en-gb/`, `/de_CH/`, `/us/`. A language alone (`/de/`) is none. */
function addressCountry(url: URL | null): string | null {
  const isLanguage = (code: string): boolean => LANGUAGES.has(code) || PATH_LANGUAGES.has(code);
  for (const [first = '', second] of openingParts(url)) {
    if (second !== undefined && isLanguage(first) && isCountry(second)) return second;
    if (second !== undefined && isLanguage(second) && isCountry(first)) return first;
    if (second === undefined && isCountry(first) && !isLanguage(first)) return first;
  }
  return null;
}

/** Names of address parameters that ask for a currency: `currency`, `wmc-currency`, `currency_code`, `cur`. */
const CURRENCY_PARAMETER = /currency|^(?:cur|curr|ccy)$/i;

/** Returns the currency that the address asks for: `?currency=EUR`, `/eur/`. Null if it names several, or none. */
export function addressCurrency(url: URL | null): string | null {
  const asked = [...(url?.searchParams ?? [])]
    .filter(([name]) => CURRENCY_PARAMETER.test(name))
    .map(([, value]) => currencyOf(value.slice(0, 20)));
  const inPath = openingParts(url)
    .flat()
    .map((part) => part.toUpperCase())
    .filter((part) => part.length === 3 && !WORD_CODES.has(part))
    .map(currencyCodeOf);
  const codes = new Set([...asked, ...inPath].filter((code) => code !== null));
  return codes.size === 1 ? ([...codes][0] ?? null) : null;
}

/** Returns the country whose prices a page states, by its address, otherwise by its language or its region tag. */
export function pageCountry(
  lang: string | null,
  region: string | null,
  url: URL | null,
): string | null {
  return addressCountry(url) ?? countryOf(lang, url) ?? countryOf(region, null);
}

/**
 * Returns the currency in which a page with several currencies states its prices, based on its tags, address or country.
 */
export function pageCurrency(
  tagged: string | null,
  lang: string | null,
  url: URL | null,
): string | null {
  return (
    tagged ??
    addressCurrency(url) ??
    currencyOfCountry(addressCountry(url)) ??
    countryCurrency(lang, url)
  );
}

/**
 * Returns the currency of amounts that have none next to them: from tags without an amount, or the one that the address
 * requests. Null if these differ. A tag with an amount only speaks for that one.
 */
export function namedCurrency(
  { named, currency }: Pick<OpenGraph, 'named' | 'currency'>,
  asked: string | null,
): string | null {
  if (asked === null || asked === named) return named;
  return named === null && currency === null ? asked : null;
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
