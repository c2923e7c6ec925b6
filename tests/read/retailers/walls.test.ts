// Walls with status 200: checks and waiting rooms that shops show in place of a page, and products that are named like one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { readStatus } from '../../../src/read/retailers/page-status.ts';
import { PROSE, textOf } from '../page-data/shown-page.ts';
import { html, ld, metas, pageOf } from './page-fixtures.ts';

function readOf(page: string): string {
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  return verdict.kind === 'read' ? (textOf(verdict.value.price) ?? 'no price') : verdict.kind;
}

/** What visitors read in place of the page, after a heading if a line separates them. */
const SAID = [
  'Are you human?|Please tick the box to go on.',
  'Press & Hold to confirm that you are a human (and not a bot).',
  'Press and hold the button',
  'Unusual traffic|We noticed unusual traffic from your network.',
  'Bot or not?|Let us check your browser.',
  'You are in line|Your estimated wait time is 4 minutes.',
  'Many people want in|You have been placed in a virtual queue.',
  'Our waiting room|Please keep this page open.',
  'Sie sind in der Warteschlange|Bitte laden Sie die Seite nicht neu.',
  'Virtueller Warteraum|Gleich geht es weiter.',
  'Ungewöhnliche Aktivität|Wir prüfen Ihren Browser.',
  'Vous êtes dans la file d’attente|Merci de patienter.',
  'Trafic inhabituel|Merci de patienter.',
  'Estás en la cola|No cierres esta página.',
  'Sei in coda|Non chiudere la pagina.',
  'Je staat in de wachtrij|Sluit deze pagina niet.',
  'Você está na fila|Não feche esta página.',
  'Jesteś w kolejce|Nie zamykaj strony.',
  'Jste ve frontě|Nezavírejte stránku.',
  'Du står i kö|Stäng inte sidan.',
  'Du er i kø|Luk ikke siden.',
  'Olet jonossa|Älä sulje sivua.',
  'Вы в очереди|Не закрывайте страницу.',
  'İnsan olduğunuzu doğrulayın|Lütfen bekleyin.',
  '待ち時間：約4分|順番にご案内しております。',
  '正在排队|请不要关闭此页面',
  '대기열에 있습니다|페이지를 닫지 마세요.',
];

describe('a check or a waiting room in place of a page is a wall in any language', () => {
  for (const said of SAID) {
    test(said, () => {
      const [first = '', second] = said.split('|');
      const lines = second === undefined ? `<p>${first}</p>` : `<h1>${first}</h1><p>${second}</p>`;
      assert.equal(readOf(html('', lines, 'Example Shop')), 'blocked');
    });
  }

  test('a waiting room has metadata and help, too', () => {
    const head = metas({ 'og:site_name': 'Example Shop', 'og:title': 'Example Shop' });
    const help = '<p>Your place is kept while this page stays open.</p>'.repeat(20);
    for (const heading of ['You are now in line', 'Sie sind in der Warteschlange', 'Sei in coda'])
      assert.equal(readOf(html(head, `<h1>${heading}</h1>${help}`)), 'blocked', heading);
    const links = '<a href="/c">Chairs</a>'.repeat(20);
    assert.equal(readOf(html(head, `<h1>Waiting room chairs</h1>${links}`)), 'not_a_product');
  });

  test('and is one though the template of the product page left its type', () => {
    const head = metas({ 'og:type': 'product', 'og:title': 'Are you human?' });
    assert.equal(readOf(html(head, '<h1>Are you human?</h1>', 'Are you human?')), 'blocked');
  });

  test('or though its status says that the page is gone', () => {
    const wall = pageOf('<h1>Access Denied</h1><p>Reference #18.2f</p>', { status: 404 });
    assert.equal(readStatus(wall)?.kind, 'blocked');
    const gone = pageOf(html('', '<h1>Not here</h1>'), { status: 404 });
    assert.equal(readStatus(gone)?.kind, 'not_found');
  });
});

describe('what has a price is a product, though it is named like a wall', () => {
  const names = [
    'Are You Human?',
    'Robot or Human? A Card Game',
    'Waiting Room Chair',
    'The Waiting Room',
    'Captcha T-Shirt',
    'Forbidden Island',
    'Unusual Traffic',
    'Just a Moment',
    'Security Check Seals',
    'You Are Now in Line: the Queue Game',
    'Press and Hold',
    'Êtes-vous un robot ?',
    'Sind Sie ein Mensch?',
  ];
  for (const name of names) {
    test(name, () => {
      const shown = `<h1>${name}</h1><p class="price">$14.00</p><button>Add to cart</button>${PROSE}`;
      const usual = html('', shown, `${name} | Books`).replace('lang="en"', 'lang="en-US"');
      assert.equal(readOf(usual), '14.00 USD', 'shown');
      const tags = metas({
        'og:type': 'product',
        'og:title': name,
        'product:price:amount': '14.00',
        'product:price:currency': 'USD',
      });
      assert.equal(readOf(html(tags, `<h1>${name}</h1>`, name)), '14.00 USD', 'tagged');
      const offers = { '@type': 'Offer', price: '14.00', priceCurrency: 'USD' };
      const data = ld({ '@context': 'https://schema.org', '@type': 'Product', name, offers });
      assert.equal(readOf(html(data, `<h1>${name}</h1>`, name)), '14.00 USD', 'described');
    });
  }

  test('as is one with a check in its review form', () => {
    const check = '<form><h1>Verify you are a human</h1><div class="g-recaptcha"></div></form>';
    const shown = `<h1>Blue Mug</h1><p class="price">$14.00</p><button>Add to cart</button>${PROSE}${check}`;
    const page = html('', shown).replace('lang="en"', 'lang="en-US"');
    assert.equal(readOf(page), '14.00 USD');
  });
});
