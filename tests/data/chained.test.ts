import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chained, rowAfter } from '../../src/data/chained.ts';

test('a chain counts the parameters of its parts again, in their order', () => {
  const first = { text: 'select $2, $1', params: [1, 2] };
  const parts = {
    first,
    second: { text: `insert into t ${rowAfter('first', '$1, $10')}`, params: [3, 4] },
    third: { text: 'select 5' },
    fourth: { text: 'select $1', params: ['six'] },
  };
  const { text, params, mustReturn, name } = chained(parts, { select: 'table second', name: 'n' });
  assert.equal(
    text,
    'with first as (select $2, $1), second as (insert into t select $3, $12 from first), third as (select 5), fourth as (select $5) table second',
  );
  assert.deepEqual([params, mustReturn, name], [[1, 2, 3, 4, 'six'], true, 'n']);
  const renamed = chained({ other: first }, { select: 'table other', name: 'n' });
  assert.equal(renamed.text, 'with other as (select $2, $1) table other');
  const again = chained({ first }, { select: 'table first', name: 'n' });
  assert.equal(again.text, 'with first as (select $2, $1) table first');
});

test('a row that stands after no part is a row of values', () => {
  assert.equal(rowAfter(null, '$1, 2'), 'values ($1, 2)');
});
