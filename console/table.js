// Shows many identifiers as a table with one line per identifier and the retailers as columns. It can be sorted by any column
// and saved as a file.

import { amountOf } from './amounts.js';
import { call, slept } from './api.js';

import { columnsOf } from './columns.js';
import { el, fill, oneAtATime } from './dom.js';
import { counted, whole } from './format.js';

import { tokensOf } from './prices.js';
import { isIndexing, lookPath } from './product-call.js';
import { costPerChoice } from './profit.js';
import { commonWarnings } from './rows.js';
import { saveCsv, saveWorkbook } from './table-file.js';
import { head, sortBy, sortSelect } from './table-order.js';
import { watchButton } from './watch-button.js';

/** @typedef {import('./words.js').ProductRecord} ProductRecord */
/** @typedef {import('./amounts.js').PastedLine} PastedLine */
/**
 * @typedef {PastedLine & {
 *   at: number,
 *   state: 'waiting' | 'asking' | 'done' | 'failed',
 *   record: ProductRecord | null,
 *   problem: import('./api.js').Problem | null,
 *   isSettled: boolean,
 *   isChosen: boolean,
 *   element: HTMLTableRowElement, }} Line `isSettled`: no further lookup follows automatically
 */
/** @typedef {import('./columns.js').Column} Column */

/** Simultaneous lookups: more would only wait for the same shops. */
const AT_ONCE = 6;
/** From this many lines on, the page states the cost of the run before it begins. */
const ASK_FROM = 100;
/** Seconds between repeated lookups of lines whose shops are still being asked. */
const LOOKS = [3, 6, 12, 30];

/**
 * A table on a page.
 * @typedef {{
 *   lines: readonly Line[], columns: readonly Column[], nothing: () => void, signal: AbortSignal,
 *   heads: readonly HTMLElement[], sortSelect: HTMLSelectElement, body: HTMLElement, status: HTMLElement, note: HTMLElement,
 *   progress: HTMLProgressElement, rows: HTMLElement,
 *   sorted: { key: string, isDown: boolean }, spent: number, changed: Set<Line>, empty: Set<string>,
 *   ordered: readonly Line[], costs: import('./columns.js').Costs, own: import('./sheet-file.js').OwnCells | null,
 *   clicked: number,
 * }} Table `clicked`: place of the line whose box was last clicked; `ordered`: the lines as they are shown; `own`: the cells of
 * the sheet that they came from
 */

/**
 * Shows the lines, and looks them up unless it must ask first. Resolves when each has been looked up once.
 * @param {HTMLElement} result
 * @param {{
 *   lines: readonly PastedLine[], nothing: () => void, sheet: import('./sheet-file.js').ReadSheet | null,
 * }} asked `nothing` is called if no line has a product; the lines came from `sheet`
 * @param {AbortSignal} signal
 */
export async function showTable(result, { lines: pasted, nothing, sheet }, signal) {
  const lines = pasted.map((each, at) => newLine(each, at));
  /** @type {import('./columns.js').Costs} */
  const costs = {
    everywhere: null,
    per: sheet?.costPer ?? 'code',
    hasProfits: false,
    common: new Set(),
  };
  const columns = columnsOf(costs);
  /** @type {Table} */
  const table = {
    lines,
    columns,
    nothing,
    signal,
    heads: columns.map((column) => head(column, () => sortBy(table, column))),
    sortSelect: sortSelect(columns, (column) => sortBy(table, column, true)),
    body: el(
      'tbody',
      { role: 'rowgroup', onclick: (/** @type {MouseEvent} */ event) => chooseRange(table, event) },
      lines.map(({ element }) => element),
    ),
    status: el('p', { class: 'soft', role: 'status' }),
    note: el('p', { class: 'soft' }),
    progress: el('progress', { max: lines.length, value: 0, 'aria-label': 'Lines looked up' }),
    rows: el('div', {
      class: 'scroll wide',
      tabindex: 0,
      role: 'region',
      'aria-label': 'Table of products',
    }),
    sorted: { key: '', isDown: false },
    spent: 0,
    changed: new Set(),
    ordered: lines,
    clicked: -1,
    costs,
    own: sheet?.own ?? null,
    empty: new Set(columns.filter(({ isRare }) => isRare).map(({ key }) => key)),
  };
  table.heads.forEach((each, at) => (each.hidden = columns[at]?.isRare === true));
  lines.forEach((line) => showLine(table, line));
  fill(
    result,
    el(
      'section',
      { class: 'table-page', 'aria-label': 'Products' },
      el(
        'div',
        { class: 'section-head' },
        el('h1', {}, counted(lines.length, 'product')),
        actionsOf(table),
      ),
      table.progress,
      table.status,
      table.note,
      fill(
        table.rows,
        el(
          'table',
          { class: 'lines', role: 'table' },
          el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, table.heads)),
          table.body,
        ),
      ),
    ),
  );
  if (lines.length >= ASK_FROM) askFirst(table);
  else await run(table);
}

/**
 * @param {PastedLine} pasted
 * @param {number} at
 * @returns {Line}
 */
function newLine(pasted, at) {
  const element = el('tr', { role: 'row' });
  return {
    ...pasted,
    at,
    state: 'waiting',
    record: null,
    problem: null,
    isSettled: false,
    isChosen: false,
    element,
  };
}

/** @param {Table} table */
function askFirst(table) {
  const { lines, status, progress } = table;
  const begin = () => {
    progress.hidden = false;
    void run(table);
  };
  progress.hidden = true;
  fill(
    status,
    `This costs ${whole(lines.length * tokensOf('line'))} tokens, and as much again for each further lookup ` +
      'of lines whose shops are still being queried. Products that are not known yet take some seconds each. ',
    el(
      'button',
      { class: 'primary', type: 'button', onclick: begin },
      `Look up ${counted(lines.length, 'line')}`,
    ),
  );
}

/**
 * Looks up all lines, and repeats those whose shops are still being asked.
 * @param {Table} table
 */
async function run(table) {
  const { lines, nothing, signal, rows } = table;
  rows.setAttribute('aria-busy', 'true');
  report(table);
  await inTurns(lines, (line) => look(table, line), signal);
  if (!signal.aborted && lines.every(({ state }) => state === 'failed')) nothing();
  void lookAgain(table).then(() => {
    rows.removeAttribute('aria-busy');
    showCommon(table);
  });
}

/**
 * Once everything is answered, warnings of all lines are said once, above the table. @param {Table} table
 */
function showCommon(table) {
  const { lines, columns, costs, empty, heads, note } = table;
  costs.common = commonWarnings(lines.flatMap(({ record }) => (record === null ? [] : [record])));
  if (costs.common.size === 0) return;
  note.textContent = `For every product: ${[...costs.common].join(', ')}.`;
  for (const { key, isRare, value } of columns) {
    if (isRare === true && lines.every((line) => value(line) === null)) empty.add(key);
  }
  heads.forEach((each, at) => (each.hidden = empty.has(columns[at]?.key ?? '')));
  lines.forEach((line) => showLine(table, line));
}

/** @param {Table} table */
async function lookAgain(table) {
  const { lines, signal } = table;
  for (const seconds of LOOKS) {
    const open = lines.filter(isOpen);
    if (open.length === 0 || signal.aborted) break;
    await slept(seconds * 1_000, signal);
    if (!signal.aborted) await inTurns(open, (line) => look(table, line), signal);
  }
  if (signal.aborted) return;
  for (const line of lines.filter(isOpen)) {
    line.isSettled = true;
    showSoon(table, line);
  }
}

/** Returns whether a shop has yet to answer for the line. @param {Line} line */
function isOpen({ record }) {
  return record !== null && isIndexing(record);
}

/**
 * @param {Table} table
 * @param {Line} line
 */
async function look(table, line) {
  const { signal, status } = table;
  if (line.record === null) {
    line.state = 'asking';
    showSoon(table, line);
  }
  const waiting = (/** @type {string | null} */ words) =>
    words === null ? report(table) : void (status.textContent = words);
  const answer = /** @type {import('./api.js').Answer<ProductRecord>} */ (
    await call(`${lookPath(line.id)}&barcode_databases=false`, { signal, waiting })
  );
  if (signal.aborted) return;
  if (answer.ok) {
    table.spent += answer.body.tokens_consumed;
    Object.assign(line, { state: 'done', record: answer.body, problem: null });
  } else if (line.record === null)
    Object.assign(line, { state: 'failed', problem: answer.problem });
  showSoon(table, line);
}

/**
 * Changed lines are shown together, and less often the more lines there are. Every change lays out all lines again, which takes
 * 0.4 s for 2,000 lines on a slow machine.
 */
const SHOW_MS = 250;

/**
 * @param {Table} table
 * @param {Line} line
 */
function showSoon(table, line) {
  if (table.changed.size === 0) {
    setTimeout(
      () => {
        const lines = [...table.changed];
        table.changed.clear();
        showColumns(table, lines);
        lines.forEach((each) => showLine(table, each));
        report(table);
      },
      Math.max(SHOW_MS, table.lines.length),
    );
  }
  table.changed.add(line);
}

/**
 * Shows a mostly empty column as soon as one line has a value in it.
 * @param {Table} table
 * @param {readonly Line[]} changed
 */
function showColumns(table, changed) {
  const { columns, empty, heads, lines } = table;
  const found = columns.filter(
    ({ key, value }) => empty.has(key) && changed.some((line) => value(line) !== null),
  );
  if (found.length === 0) return;
  for (const { key } of found) empty.delete(key);
  heads.forEach((each, at) => (each.hidden = empty.has(columns[at]?.key ?? '')));
  lines.forEach((each) => showLine(table, each));
}

/**
 * @param {Table} table
 * @param {Line} line
 */
function showLine({ columns, empty }, line) {
  fill(
    line.element,
    columns.map((column, at) =>
      el(
        at === 0 ? 'th' : 'td',
        {
          class: column.isNumber ? 'number' : null,
          scope: at === 0 ? 'row' : null,
          role: at === 0 ? 'rowheader' : 'cell',
          'data-column': column.key,
          // On a narrow page a line is a block of its values, each after its column name.
          'data-label': column.label,
          'data-none': column.value(line) === null,
          hidden: empty.has(column.key),
        },
        column.show(line),
      ),
    ),
  );
  line.element.dataset['state'] = line.state;
}

/** @param {Table} table */
function report({ lines, progress, status, spent }) {
  const done = lines.filter(({ state }) => state === 'done' || state === 'failed').length;
  const failed = lines.filter(({ state }) => state === 'failed').length;
  const open = lines.filter(isOpen);
  const unanswered = open.filter(({ isSettled }) => isSettled).length;
  const waiting = open.length - unanswered;
  progress.value = done;
  progress.hidden = done === lines.length;
  status.textContent = [
    `${whole(done)} of ${counted(lines.length, 'line')}`,
    failed === 0 ? null : `${counted(failed, 'line')} without a product`,
    waiting === 0 ? null : `shops are still being queried for ${counted(waiting, 'line')}`,
    unanswered === 0
      ? null
      : `some shops have not answered for ${counted(unanswered, 'line')}; look them up again in a minute`,
    `${whole(spent)} tokens spent`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** @param {Table} table */
function actionsOf(table) {
  const { lines, costs } = table;
  const typed = (/** @type {any} */ event) => {
    const amount = amountOf(event.target.value);
    event.target.setAttribute('aria-invalid', String(amount === null));
    costs.everywhere = amount === null || amount === '' ? null : Number(amount);
    lines.forEach((line) => showLine(table, line));
  };
  const showAll = () => {
    showColumns(table, lines);
    lines.forEach((line) => showLine(table, line));
  };
  const per = costPerChoice(
    'cost-per',
    (chosen) => {
      costs.per = chosen;
      showAll();
    },
    costs.per,
  );
  const profits = el('input', {
    type: 'checkbox',
    id: 'profits',
    onchange: () => {
      costs.hasProfits = profits.checked;
      if (!profits.checked) hideProfits(table);
      showAll();
    },
  });
  const workbook = oneAtATime(async () => {
    const problem = await saveWorkbook(table);
    if (problem !== null) table.status.textContent = problem;
  });
  const watched = () => {
    const chosen = table.ordered.filter(({ isChosen }) => isChosen);
    const all = table.ordered.filter(({ state }) => state !== 'failed');
    return (chosen.length > 0 ? chosen : all).map(({ id }) => id);
  };
  return el(
    'div',
    { class: 'table-actions' },
    el(
      'p',
      {},
      el('label', { for: 'cost-everywhere' }, 'Cost for lines without one'),
      el('input', {
        id: 'cost-everywhere',
        inputmode: 'decimal',
        autocomplete: 'off',
        placeholder: 'e.g. 5.00',
        class: 'number',
        oninput: typed,
      }),
    ),
    per.element,
    el('p', { class: 'check' }, profits, el('label', { for: 'profits' }, 'Profit at each shop')),
    el('p', { class: 'narrow-only' }, el('label', { for: 'sort-by' }, 'Sort by'), table.sortSelect),
    el('button', { type: 'button', onclick: workbook }, 'Download for Excel'),
    el('button', { type: 'button', onclick: () => saveCsv(table) }, 'Download as CSV'),
    watchButton(watched),
  );
}

/**
 * With Shift, a click chooses all lines from the last one that was clicked, in the order on the page.
 * @param {Table} table
 * @param {MouseEvent} event
 */
function chooseRange(table, { target, shiftKey }) {
  if (!(target instanceof HTMLInputElement) || !target.matches('.choose-line')) return;
  const at = table.ordered.findIndex(({ element }) => element.contains(target));
  const from = table.ordered.findIndex(({ at: place }) => place === table.clicked);
  table.clicked = table.ordered[at]?.at ?? -1;
  if (!shiftKey || from === -1) return;
  for (const line of table.ordered.slice(Math.min(at, from), Math.max(at, from) + 1)) {
    line.isChosen = target.checked;
    const box = line.element.querySelector('.choose-line');
    if (box instanceof HTMLInputElement) box.checked = target.checked;
  }
}

/** @param {Table} table */
function hideProfits({ columns, empty, heads }) {
  columns.forEach(({ key }, at) => {
    if (!key.endsWith('_profit')) return;
    empty.add(key);
    heads[at]?.toggleAttribute('hidden', true);
  });
}

/**
 * @param {readonly Line[]} lines
 * @param {(line: Line) => Promise<void>} work
 * @param {AbortSignal} signal
 */
async function inTurns(lines, work, signal) {
  const rest = lines.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const line of rest) {
        if (signal.aborted) return;
        await work(line);
      }
    }),
  );
}
