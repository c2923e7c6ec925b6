// The order of the table's lines: as pasted, or by any column, ascending or descending.

import { el } from './dom.js';

/** @typedef {import('./columns.js').Column} Column */
/** @typedef {import('./columns.js').Value} Value */
/** @typedef {import('./table.js').Table} Table */

/**
 * Sorts by a column, starting with the largest number or with A, or in the opposite direction if the table was already sorted
 * by this column.
 * @param {Table} table
 * @param {Column | null} column null: as pasted
 * @param {boolean} [isAnew] regardless of the current sorting
 */
export function sortBy(table, column, isAnew = false) {
  const { sorted, heads, columns, lines, body } = table;
  const key = column?.key ?? '';
  const isAgain = sorted.key === key && !isAnew;
  sorted.isDown = isAgain ? !sorted.isDown : column?.isNumber === true;
  sorted.key = key;
  table.sortSelect.value = key;
  const direction = sorted.isDown ? 'descending' : 'ascending';
  heads.forEach((each, at) => {
    const isSorted = column !== null && columns[at]?.key === key;
    each.setAttribute('aria-sort', isSorted ? direction : 'none');
  });
  const order =
    column === null
      ? lines
      : lines.toSorted(
          (a, b) => compare(column.value(a), column.value(b), sorted.isDown) || a.at - b.at,
        );
  table.ordered = order;
  body.append(...order.map(({ element }) => element));
}

/**
 * Creates the list for choosing the sort column if there is no room for the heads.
 * @param {readonly Column[]} columns
 * @param {(column: Column | null) => void} choose null: as pasted
 */
export function sortSelect(columns, choose) {
  return el(
    'select',
    {
      id: 'sort-by',
      onchange: (/** @type {any} */ event) =>
        choose(columns.find(({ key }) => key === event.target.value) ?? null),
    },
    el('option', { value: '' }, 'as pasted'),
    columns.map(({ key, label }) => el('option', { value: key }, label)),
  );
}

/**
 * Creates the head of a column, which sorts by that column.
 * @param {Column} column
 * @param {() => void} sort
 */
export function head({ label, isNumber, key }, sort) {
  return el(
    'th',
    {
      scope: 'col',
      role: 'columnheader',
      class: isNumber ? 'number' : null,
      'aria-sort': 'none',
      'data-column': key,
    },
    el('button', { type: 'button', class: 'sort', onclick: sort }, label),
  );
}

/**
 * Compares two values. Unknown values go last in either direction.
 * @param {Value} a
 * @param {Value} b
 * @param {boolean} isDown
 */
function compare(a, b, isDown) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : String(a).localeCompare(String(b), 'en', { numeric: true });
  return isDown ? -order : order;
}
