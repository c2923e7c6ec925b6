// Amounts around the price that have their own label: accessories, samples, services, subscriber and member prices, tickets.
// None of them is the price, and none hides it. Every page here is invented.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, pageOf } from '../retailers/page-fixtures.ts';
import { BUY, PROSE, shown, textOf } from './shown-page.ts';

/** Returns price and list price of a page without data, or the kind of page it is. */
function prices(below: string, lang = 'en-US', after = ''): string {
  const verdict = shown(below, { lang, button: BUY + after });
  if (verdict.kind !== 'read') return verdict.kind;
  return `${textOf(verdict.value.price)}, ${textOf(verdict.value.listPrice)}`;
}

test('what stands below a heading that calls it accessories is of other goods, as far as the next heading of its level', () => {
  const accessory = (heading: string): string =>
    `${heading}<div><p>Saucer</p><p>$7.50</p></div><div><p>Lid</p><p>$3.00</p></div>`;
  const named = ['<h2>Accessories</h2>', '<h3>Zubehör</h3>', '<h4>Příslušenství</h4>'];
  for (const heading of named) {
    assert.equal(prices('<b>$12.50</b>', 'en-US', accessory(heading)), '12.50 USD, null');
    assert.equal(prices('<p>Call for price</p>', 'en-US', accessory(heading)), 'unreadable');
  }
  // The same words also head parts lists and specifications.
  assert.equal(prices('', 'en-US', '<p>Accessories</p><p>$12.50</p>'), '12.50 USD, null');
  const next = '<h3>Accessories</h3><p>Lid included</p><h3>Your price</h3><p>$12.50</p>';
  assert.equal(prices('', 'en-US', next), '12.50 USD, null');
});

test('what stands below such a heading is of other goods where the product shows no amount of its own, too', () => {
  const battery = '<p>Battery NP-7</p><p class="price">€49.00</p><button>Add to cart</button>';
  const page = (above: string): string => {
    const head = ld(mug({ offers: { '@type': 'Offer', availability: 'InStock' } }));
    const body = `<h1>Blue Mug</h1><p>Price on request</p>${above}${battery}${PROSE}`;
    const out = readGenericPage(pageOf(html(head, body)), new UnknownWords());
    return out.kind === 'read' ? (textOf(out.value.price) ?? 'none') : out.kind;
  };
  assert.equal(page('<h2>Accessories</h2>'), 'none');
  assert.equal(page('<h2>Zubehör</h2>'), 'none');
  assert.equal(page('<h2>Accessories</h2><p>Lid</p><h2>Your choice</h2>'), '49.00 EUR');
});

test('what stands after a box to tick comes on top for those who want it', () => {
  const tick = (words: string): string => `<label><input type="checkbox"> ${words}</label>`;
  const services: readonly (readonly [string, string])[] = [
    ['de-DE', 'Rundum-Paket 3 Jahre 79,00 €'],
    ['pl-PL', 'Ochrona sprzętu 79,00 €'],
    ['fi-FI', 'Kotiinkanto 190,00 €'],
  ];
  for (const [lang, words] of services) {
    assert.equal(prices(`<p>129,00 €</p>${tick(words)}`, lang), '129.00 EUR, null', words);
    const row = `<ul><li><input type="checkbox"><div>${words}</div></li></ul>`;
    assert.equal(prices(`<p>129,00 €</p>${row}`, lang), '129.00 EUR, null', words);
  }
  // Radio buttons select one of several, and a single price counts, whatever box precedes it.
  const choice = '<label><input type="radio"> Rundum 79,00 €</label>';
  assert.equal(prices(`<p>129,00 €</p>${choice}`, 'de-DE'), 'null, null');
  assert.equal(prices(tick('129,00 €'), 'de-DE'), '129.00 EUR, null');
});

test('a box to tick before the price itself takes nothing from it', () => {
  const fee = '<p>Porto 12,00 €</p>';
  const compare = '<label><input type="checkbox"> Vergleichen</label>';
  assert.equal(prices(`${compare}<p>129,00 €</p>${fee}`, 'de-DE'), '129.00 EUR, null');
  assert.equal(prices(`<input type="checkbox"><p>129,00 €</p>${fee}`, 'de-DE'), '129.00 EUR, null');
  // More evidence supports the amount after the checkbox than the other one: either may be the price.
  const set = '<div><input type="checkbox"> Rundum-Paket <b class="price">90,00 €</b></div>';
  assert.equal(prices(`<p>129,00 €</p>${set}`, 'de-DE'), 'null, null');
});

test('what can be done with a product above its price does not make that the former one', () => {
  const controls = [
    '<a href="/compare?id=1">Compare</a>',
    '<button>Compare</button>',
    '<p>Compare</p>',
    '<label><input type="checkbox"> Compare</label>',
    '<a href="/lists/add?id=1">Add to Wish List</a>',
    '<button>Add to list</button>',
  ];
  for (const control of controls) {
    const below = `${control}<p>$249.00</p><p>Spare wick set $24.00</p>`;
    assert.equal(prices(below), '249.00 USD, null', control);
  }
  for (const label of ['Compare at', 'Was', 'List price']) {
    const below = `<p>${label}</p><p>$249.00</p><p>Now</p><p>$199.00</p>`;
    assert.equal(prices(below), '199.00 USD, 249.00 USD', label);
  }
});

test('where only the line above calls the foremost amount a charge, no other amount is read in its place', () => {
  for (const line of ['Delivery tomorrow', 'Earn reward points', 'Two-year warranty']) {
    const below = `<p>${line}</p><p class="price">$249.00</p><p>Set of two from the outlet $199.00</p>`;
    assert.equal(prices(below), 'null, null', line);
  }
  const charge = '<p>Shipping</p><p>$9.00</p><p class="price">$249.00</p>';
  assert.equal(prices(charge), '249.00 USD, null');
});

test('what one sheet or one wash costs is not a price next to that of the pack, by whatever word', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['de-DE', '0,01 € pro Blatt'],
    ['de-DE', '(0,25 € je Waschladung)'],
    ['fr-FR', '0,31 € par dosette'],
  ];
  for (const [lang, text] of texts) {
    assert.equal(prices(`<p>${text}</p><p>4,95 €</p>`, lang), '4.95 EUR, null', text);
    assert.equal(prices(`<p>4,95 €</p><p>${text}</p>`, lang), '4.95 EUR, null', text);
  }
  assert.equal(prices('<p>4,95 € je Kanne</p>', 'de-DE'), '4.95 EUR, null', 'alone it is');
});

test('cents stand after a colon where crowns are paid and the element is named after a price', () => {
  assert.equal(prices('<div class="price">15:90</div>', 'sv-SE'), '15.90 SEK, null');
  assert.equal(prices('<div class="price">16:50/st</div>', 'sv-SE'), '16.50 SEK, null');
  assert.equal(prices('<b class="pris">1295:00 kr</b>', 'nb-NO'), '1295.00 NOK, null');
  assert.equal(prices('<div class="hours">15:90</div>', 'sv-SE'), 'unreadable', 'perhaps an hour');
  assert.equal(prices('<div class="price">15:90</div>', 'de-DE'), 'unreadable');
  assert.equal(prices('<div class="price">15:90 – 18:00</div>', 'sv-SE'), 'unreadable');
});

test('an element that is named after what is struck through has the former price, in the languages of shops', () => {
  for (const name of ['skrtnuta', 'preskrtnuta', 'doorgestreept', 'overstruken', 'riscado'])
    assert.equal(
      prices(`<p>89,90 € <span class="${name}">129,90 €</span></p>`, 'de-DE'),
      '89.90 EUR, 129.90 EUR',
      name,
    );
  const unnamed = '<p>89,90 € <span class="second">129,90 €</span></p>';
  assert.equal(prices(unnamed, 'de-DE'), 'null, null');
});

test('what costs less than the metre or the kilogram and has a name of its own is a sample or a service', () => {
  assert.equal(
    prices('<p><del>€ 19,95</del> <b>€ 14,95</b> per m²</p><p>Staal: € 1,00</p>', 'nl-NL'),
    'null, null',
  );
  assert.equal(prices('<p>24,95 €/m²</p><p>Muster: 2,00 €</p>', 'de-DE'), 'null, null');
  assert.equal(
    prices('<p>24,95 €/m²</p><p>Paket (2,2 m²): 54,89 €</p>', 'de-DE'),
    '54.89 EUR, null',
    'a pack of it',
  );
});

test('a price by the metre, the ton or the square metre is not one in any language, also where words before it say so', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['ru-RU', '<p>Цена: 890 ₽ за метр</p>'],
    ['ru-RU', '<p>Цена за тонну: 62 500 руб.</p>'],
    ['pl-PL', '<p>Cena za metr: 19,90 zł</p>'],
    ['da-DK', '<p>Kg-pris: 27,44 kr.</p>'],
    ['de-DE', '<p>Literpreis 17,20 €</p>'],
    ['nl-NL', '<p>Vierkante meterprijs: € 24,95</p>'],
    ['fi-FI', '<p>Kilohinta 13,30 €</p>'],
    ['hu-HU', '<p>4 990 Ft / fm</p>'],
    ['lt-LT', '<p>Kaina už m²: 24,00 €</p>'],
    ['he-IL', '<p>14.90 ₪ / ק"ג</p>'],
  ];
  for (const [lang, below] of texts) assert.equal(prices(below, lang), 'unreadable', below);
  const several = '<p>Цена: 890 ₽ за метр</p><p>От 10 м — 790 ₽</p>';
  assert.equal(prices(several, 'ru-RU'), 'null, null', 'from ten metres on');
  assert.equal(prices('<p>Rolle 5 m: 12,00 €</p>', 'de-DE'), '12.00 EUR, null', 'what is sold');
});

test('"Preis pro Stück" after an amount says what one costs', () => {
  assert.equal(prices('<p>47,35 € <small>Preis pro Stück</small></p>', 'de-DE'), '47.35 EUR, null');
  assert.equal(prices('<p>12.50 € <i>price per unit</i></p>', 'en-IE'), '12.50 EUR, null');
  assert.equal(
    prices('<p>12,50 € <i>Preis pro Liter</i></p>', 'de-DE'),
    'unreadable',
    'by the litre',
  );
});

test('a lower amount after a price without a name says nothing against it when it has a name and is less than half of it', () => {
  assert.equal(prices('<p>$248.00</p><p>Resoling service $95</p>'), '248.00 USD, null');
  assert.equal(prices('<p>1 499 €</p><p>Retoma até 300 €</p>', 'pt-PT'), '1499.00 EUR, null');
  assert.equal(prices('<p>$248.00</p><p>Outlet corner $199</p>'), 'null, null', 'may be a sale');
  assert.equal(prices('<p>Large $248.00</p><p>Small $95</p>'), 'null, null', 'both have names');
});

test('what is paid once is the price next to what subscribers pay, and none next to a plan', () => {
  const pair = '<label>Einmalig</label><b>54,99 €</b><br><label>Im Abo</label><b>49,49 €</b>';
  assert.equal(prices(pair, 'de-DE'), '54.99 EUR, null');
  assert.equal(
    prices('<p>Eenmalige aankoop € 21,95</p><p>Abonneer en bespaar 10% € 19,76</p>', 'nl-NL'),
    '21.95 EUR, null',
  );
  assert.equal(
    prices('<p>Zakup jednorazowy 189,00 zł</p><p>Subskrypcja 170,10 zł</p>', 'pl-PL'),
    '189.00 PLN, null',
  );
  const lines =
    '<div>Einmaliger Kauf</div><div>17,90 €</div><div>Spar-Abo (15 % Rabatt)</div><div>15,22 €</div>';
  assert.equal(prices(lines, 'de-DE'), '17.90 EUR, null', 'names in lines of their own');
  assert.equal(prices('<p>Einmalig 1,00 €</p><p>39,99 € mtl.</p>', 'de-DE'), 'unreadable');
});

test('what is asked by the night or for each person is not a price by the words before it, too', () => {
  const sold: readonly (readonly [string, string])[] = [
    ['pl-PL', '<p>Cena za osobę: 180 zł</p>'],
    ['tr-TR', '<p>Gecelik 4.500 TL</p>'],
    ['de-DE', '<p>Preis pro Nacht: 89,00 €</p>'],
  ];
  for (const [lang, below] of sold) assert.equal(prices(below, lang), 'not_a_product', below);
});

test('a percentage says by how much a price was reduced where its sign stands first, too', () => {
  assert.equal(
    prices('<p>4.200,00 TL</p><p class="price">3.450,00 TL</p><p>%18 indirim</p>', 'tr-TR'),
    '3450.00 TRY, 4200.00 TRY',
  );
});

test('what the first month costs is not a price', () => {
  const plan = prices('<p>$9.00 first month</p><p>then $24.00 every 3 months</p>');
  assert.equal(plan, 'not_a_product');
  assert.notEqual(prices('<p>9,00 € im ersten Monat</p>', 'de-DE'), '9.00 EUR, null');
});

test('who is not a member pays what everybody does', () => {
  const sum = '<p>Members: $15.00</p><p>Non-members: $20.00</p>';
  assert.equal(prices(sum), '20.00 USD, null');
  assert.equal(
    prices('<p>Sócio: R$ 59,90</p><p>Não sócio: R$ 79,90</p>', 'pt-BR'),
    '79.90 BRL, null',
  );
});

test('a page whose amounts are called tickets, or are asked of adults and of others, sells no goods', () => {
  const sold: readonly (readonly [string, string])[] = [
    ['en-GB', '<p>Tickets from £25</p>'],
    ['cs-CZ', '<p>Vstupenky od 350 Kč</p>'],
    ['th-TH', '<p>ราคาบัตร 1,500 / 2,500 / 4,000 บาท</p>'],
    ['fr-FR', '<p>Adulte : 42,00 €</p><p>Enfant : 34,00 €</p>'],
    ['it-IT', '<p>Intero 18,00 €</p><p>Ridotto 9,00 €</p>'],
  ];
  for (const [lang, below] of sold) assert.equal(prices(below, lang), 'not_a_product', below);
  assert.equal(prices('<p>Ticket to the coast $25.00</p>'), '25.00 USD, null', 'a name');
  assert.equal(prices('<p>Adult size $25.00</p>'), '25.00 USD, null', 'a size');
});

test('an amount with its tax in brackets after it is the one with tax, and "+税" is without', () => {
  assert.equal(prices('<p>2,200円（税抜2,000円）</p>', 'ja-JP'), '2200 JPY, null');
  assert.notEqual(prices('<p>¥9,800<small>+税</small></p>', 'ja-JP'), '9800 JPY, null');
});

test('the price that is struck through is the list price, and not the lowest one of thirty days', () => {
  assert.equal(
    prices('<del>2 999,00 zł</del> <ins>2 399,00 zł</ins><p>Najniższa cena: 2 499,00 zł</p>', 'pl'),
    '2399.00 PLN, 2999.00 PLN',
  );
});

test('what an element of its own names after the current price is so in whatever it stands', () => {
  const both =
    '<div class="price-list"><span class="market-price">2.940,00 TL</span> <span class="sale-price">2.499,00 TL</span></div><p>%15</p>';
  assert.equal(prices(both, 'tr-TR'), '2499.00 TRY, 2940.00 TRY');
  const regular = '<div class="old-price"><span class="price">$20.00</span></div>';
  assert.equal(prices(`${regular}<b class="price">$12.50</b>`), '12.50 USD, 20.00 USD');
});

test('raised cents are cents with blanks in their element, too', () => {
  assert.equal(
    prices('<span class="new"> 2.559 <sup> 99 </sup> Lei</span>', 'ro-RO'),
    '2559.99 RON, null',
  );
});

test('a heading that is an amount is none of the product', () => {
  const body = `<div>Blue Mug 350 ml</div><h1>Rp 336.000</h1>${BUY}${PROSE}`;
  const page = html('', body, 'Blue Mug 350 ml').replace('lang="en"', 'lang="id"');
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  const listing = verdict.kind === 'read' ? verdict.value : null;
  assert.equal(listing?.title, 'Blue Mug 350 ml');
  assert.equal(listing?.price?.cents, 33_600_000);
});

test('an amount with a name before the heading is of other goods where the price stands between heading and button', () => {
  const page = (before: string, price: string): string => {
    const body = `${before}<h1>Blue Mug</h1>${price}${BUY}${PROSE}`;
    const out = readGenericPage(pageOf(html('', body, 'Blue Mug')), new UnknownWords());
    return out.kind === 'read' ? String(out.value.price?.cents ?? null) : out.kind;
  };
  const deal = '<div><p>Walnut tray</p><p class="price">€9.00</p></div>';
  assert.equal(page(deal, '<p>€12.50</p>'), '1250');
  assert.equal(page('<p class="price">€12.50</p>', ''), '1250', 'one without a name is the price');
});

test('an element is a button by the end of its name', () => {
  const page = (name: string): string => {
    const out = shown('<p class="price">129,00 kr</p>', {
      lang: 'sv-SE',
      button: `<div class="${name}">KÖP</div>`,
    });
    return out.kind;
  };
  assert.equal(page('kop-stor a-btn'), 'read');
  assert.notEqual(page('btn-group'), 'read');
});

test('"regular price" in Estonian, Latvian, Lithuanian, Hebrew and Arabic is what it was', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['et-EE', '<p>Tavahind 199,00 €</p><p>Soodushind 149,00 €</p>'],
    ['lv-LV', '<p>149,00 €</p><p>Parastā cena 199,00 €</p>'],
    ['lt-LT', '<p>149,00 €</p><p>Įprasta kaina 199,00 €</p>'],
  ];
  for (const [lang, below] of texts) assert.equal(prices(below, lang), '149.00 EUR, 199.00 EUR');
  assert.equal(
    prices('<p>מחיר רגיל: ₪650</p><p>מחיר מבצע: ₪489</p>', 'he-IL'),
    '489.00 ILS, 650.00 ILS',
  );
});

test('words between two amounts that may be of either leave the price open, where another amount would take its place', () => {
  const bonus = '<p>Späť na kartu <b class="price">0,27 €</b></p>';
  for (const words of ['s kódem SAVE', 'Z kodem SAVE', 'mit Code SAVE nur', 'Con el código SAVE']) {
    const line = `<p class="price">13,40 € ${words} 11,78 €</p>`;
    assert.equal(prices(line + bonus, 'sk-SK'), 'null, null', words);
  }
});

test('a former price is not that of what several pay, or of a service, between it and the price', () => {
  const page = (between: string): string => {
    const head = ld(mug({ offers: { '@type': 'Offer', price: '219.99', priceCurrency: 'EUR' } }));
    const body = `<h1>Blue Mug</h1><div><del>€219.99</del><p>${between}</p><b class="sale-price">€110.00</b></div>`;
    const out = readGenericPage(pageOf(html(head, body + BUY + PROSE)), new UnknownWords());
    if (out.kind !== 'read') return out.kind;
    return `${textOf(out.value.price)}, ${textOf(out.value.listPrice)}`;
  };
  for (const between of ['From 10 pieces €99.00', 'Mounting €52.00', '3-pack: €290.00'])
    assert.equal(page(between), '110.00 EUR, 219.99 EUR', between);
  assert.equal(page('€99.00'), '219.99 EUR, null');
});
