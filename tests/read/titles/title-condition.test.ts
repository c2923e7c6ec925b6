import assert from 'node:assert/strict';
import { test } from 'node:test';

import { settledCondition, titleCondition } from '../../../src/read/titles/title-condition.ts';

const TITLES: readonly (readonly [string | null, string | null])[] = [
  ['Restored Phone 64GB', 'refurbished'],
  ['Phone 64GB (Renewed)', 'refurbished'],
  ['Phone (Certified Refurbished), Blue', 'refurbished'],
  ['Manufacturer Refurbished Phone', 'refurbished'],
  ['Phone - Refurbished', 'refurbished'],
  ['Open Box: Phone', 'open_box'],
  ['[Open-Box] Phone', 'open_box'],
  ['Pre-Owned Phone', 'used_good'],
  ['Phone (Certified Pre-Owned)', 'used_good'],
  ['Used: Phone', 'used_good'],
  ['Phone 64GB - Used', 'used_good'],
  ['Handy 64 GB generalüberholt', 'refurbished'],
  ['Téléphone 64 Go reconditionné', 'refurbished'],
  ['Móvil 64 GB reacondicionado', 'refurbished'],
  ['Telefono 64 GB ricondizionato', 'refurbished'],
  ['Telefon 64 GB (Yenilenmiş)', 'refurbished'],
  ['スマホ 64GB (整備済み品)', 'refurbished'],
  ['自転車 整備済み工具', null],
  ['Handy gebraucht', 'used_good'],
  ['Appareil d’occasion', 'used_good'],
  ['Móvil segunda mano', 'used_good'],
  ['Telefono usato', 'used_good'],
  ['Camera tweedehands', 'used_good'],
  ['Bohrschrauber 18V B-Ware', 'open_box'],
  ['Kamera Vorführgerät', 'open_box'],
  ['Camera Body Ex-Display', 'open_box'],
  ['Vacuum Scratch and Dent', 'open_box'],
  ['Phone For Parts Not Working', 'for_parts'],
  ['Kamera defekt', 'for_parts'],
  ['Used-Car Guide', null],
  ['Funnel for Used Oil', null],
  ['Special Occasion Dress', null],
  ['Watch with Sweep Second Hand', null],
  ['Storage Box for Parts', null],
  ['Hardware-Set', null],
  ['Open box of chocolates', null],
  ['Renewedly Fresh Soap', null],
  ['A Restored Heart: a Novel', null],
  ['Phone', null],
  [null, null],
];

for (const [title, expected] of TITLES) {
  test(`the title ${JSON.stringify(title)} says ${expected}`, () => {
    assert.equal(titleCondition(title), expected);
  });
}

test('a title wins over silence and over "new", never over another condition', () => {
  assert.equal(settledCondition('new', 'Restored Phone'), 'refurbished');
  assert.equal(settledCondition(null, 'Restored Phone'), 'refurbished');
  assert.equal(settledCondition('used_good', 'Restored Phone'), 'used_good');
  assert.equal(settledCondition('new', 'Phone'), 'new');
});
