-- Amounts in minor units (D87): before, they were hundredths of every currency. Records and packed years say themselves which units
-- they have (docs/how/history.md).

-- Currencies without decimals: rounded half up; what is nothing then is no price.
update listings set price_cents = nullif((price_cents + 50) / 100, 0),
  currency = case when price_cents >= 50 then currency end
where currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF',
  'XOF', 'XPF', 'UYI');

update observations set native_cents = nullif((native_cents + 50) / 100, 0),
  native_currency = case when native_cents >= 50 then native_currency end
where native_currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF',
  'XOF', 'XPF', 'UYI');

-- Currencies with three decimals; an amount of more than fifteen digits is no price.
update listings set price_cents = case when price_cents <= 99999999999999 then price_cents * 10 end,
  currency = case when price_cents <= 99999999999999 then currency end
where currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');

update observations set native_cents = case when native_cents <= 99999999999999 then native_cents * 10 end,
  native_currency = case when native_cents <= 99999999999999 then native_currency end
where native_currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');

-- Units of account with four decimals.
update listings set price_cents = case when price_cents <= 9999999999999 then price_cents * 100 end,
  currency = case when price_cents <= 9999999999999 then currency end
where currency in ('CLF', 'UYW');

update observations set native_cents = case when native_cents <= 9999999999999 then native_cents * 100 end,
  native_currency = case when native_cents <= 9999999999999 then native_currency end
where native_currency in ('CLF', 'UYW');
