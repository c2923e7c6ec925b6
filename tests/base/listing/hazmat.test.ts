// Dangerous goods: declared words, fields and numbers; no statement and unknown words give null.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  declaredHazmat,
  hazmatCode,
  hazmatInSpecs,
  isDangerousGood,
  namesUnNumber,
} from '../../../src/base/listing/vocabularies/hazmat.ts';

test('a supplier’s regulation is a yes, "not applicable" a no, anything else nothing', () => {
  for (const word of ['ghs', 'storage', 'transportation', 'waste', 'other', 'GHS', ' Storage ']) {
    assert.equal(declaredHazmat([word]).meaning, true, word);
  }
  for (const word of ['not_applicable', 'Not Applicable', 'not-applicable']) {
    assert.equal(declaredHazmat([word]).meaning, false, word);
  }
  for (const word of ['unknown', '', 'maybe', 'none of your concern', 'constructor']) {
    assert.equal(declaredHazmat([word]).meaning, null, word);
  }
  assert.equal(declaredHazmat([]).meaning, null);
  assert.equal(declaredHazmat(['unknown', 'not_applicable']).meaning, false);
  assert.equal(declaredHazmat(['not_applicable', 'ghs']).meaning, true, 'one that holds is enough');
});

test('the numbers of lithium cells, aerosols, paint, acids, gases and cartridges are signs', () => {
  const numbers = '0012 0014 1013 1075 1263 1266 1791 1950 1993 2037 3082 3090 3091 3480 3481';
  for (const number of numbers.split(' ')) {
    for (const text of [`UN${number}`, `UN ${number}`, `class 9, UN-${number}.`, `un${number}`]) {
      assert.ok(namesUnNumber(text), text);
    }
  }
  for (const text of ['', 'UN', 'UN 9999', 'UN34800', 'FUN3480', 'SUN 1950', '3480', 'UN 195 0']) {
    assert.ok(!namesUnNumber(text), text);
  }
});

test('a field that asks the question is answered by yes and no only', () => {
  for (const name of [
    'Hazmat',
    'Hazardous Material',
    'Hazardous Materials?',
    'Is Hazmat',
    'Dangerous Goods',
  ]) {
    assert.equal(hazmatInSpecs([{ name, value: 'Yes' }]).meaning, true, name);
    assert.equal(hazmatInSpecs([{ name, value: 'No' }]).meaning, false, name);
    assert.equal(hazmatInSpecs([{ name, value: 'see label' }]).meaning, null, name);
  }
  for (const name of ['Hazard Warnings', 'Material', 'California Proposition 65', 'Batteries']) {
    assert.equal(hazmatInSpecs([{ name, value: 'Yes' }]).meaning, null, name);
  }
});

test('schema.org’s word for dangerous goods is understood in every spelling, others are none', () => {
  for (const word of [
    'DangerousGoodConsideration',
    'https://schema.org/DangerousGoodConsideration',
    'http://schema.org/DangerousGoodConsideration/',
    'schema:DangerousGoodConsideration',
  ]) {
    assert.ok(isDangerousGood(word), word);
  }
  for (const word of [
    '',
    'AlcoholConsideration',
    'https://schema.org/WeaponConsideration',
    'NotADangerousGoodConsideration',
  ]) {
    assert.ok(!isDangerousGood(word), word);
  }
});

test('a code is a yes or a no by its letter, other letters say nothing', () => {
  for (const code of ['N', 'n', ' NO ']) assert.equal(hazmatCode(code).meaning, false, code);
  for (const code of ['Y', 'yes']) assert.equal(hazmatCode(code).meaning, true, code);
  for (const code of ['H', '', '9', 'Nope']) assert.equal(hazmatCode(code).meaning, null, code);
});

test('details declare by a field, a UN number or a rule of carriage, in that order; a warning is not one', () => {
  const of = (...rows: readonly (readonly [string, string])[]) =>
    hazmatInSpecs(rows.map(([name, value]) => ({ name, value }))).meaning;
  assert.equal(of(['Hazmat', 'No'], ['Transport', 'UN 1950']), false);
  assert.equal(of(['Transport', 'UN1950, aerosols']), true);
  for (const text of [
    'ORM-D',
    'Ships ground only',
    'Cannot ship by air',
    'cannot be shipped by air',
  ]) {
    assert.equal(of(['Shipping restrictions', text]), true, text);
  }
  for (const text of ['Limited quantity', 'Ships by air', 'ground coffee only', 'formd', 'Yes']) {
    assert.equal(of(['Proposition 65 Warning', text]), null, text);
  }
  assert.equal(of(), null);
});
