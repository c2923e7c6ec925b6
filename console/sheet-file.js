// Reads a file that somebody gives to the page. The service reports its content, and its products are put into the box, where
// they can be checked before the lookup.

import { call } from './api.js';
import { el, fill, problemLine, table } from './dom.js';
import { counted, NONE, plain, whole } from './format.js';
import { costPerChoice } from './profit.js';

/** @typedef {import('../src/answer/wire/sheet.ts').SheetAnswer} Sheet */
/** @typedef {import('../src/answer/wire/sheet.ts').TellingLine} TellingLine */

const MIB = 1_048_576;
const MOST_BYTES = 4 * MIB;

/**
 * The cells of the sheet, by what is looked up.
 * @typedef {{
 *   names: readonly string[], cells: ReadonlyMap<string, readonly import('../src/answer/wire/sheet.ts').OwnCell[]>,
 * }} OwnCells
 */
/** @typedef {import('./rows.js').CostPer} CostPer */
/**
 * A sheet that is in the box: the text, what is shown if no product is found by it, null if there is nothing else, its cells,
 * and what its costs apply to.
 * @typedef {{ text: string, otherwise: HTMLElement | null, own: OwnCells, costPer: CostPer }} ReadSheet
 */
/** @typedef {{ input: HTMLTextAreaElement, report: HTMLElement, done: (read: ReadSheet) => void }} SheetBox */
/** @typedef {{ tab?: string | null, column?: string | null, cost?: string | null, per?: CostPer }} Choice */

/** Chosen as the column of costs: there is none. */
const NO_COSTS = '';

/**
 * Fills the box with the products of the file, and shows below it what was read. `choice` are the sheet of a workbook and the
 * columns that somebody chose; `done` is called whenever the box was filled.
 * @param {File} file
 * @param {SheetBox} box
 * @param {Choice} [choice]
 */
export async function readSheetFile(file, box, choice = {}) {
  const { tab = null, column = null, cost = null, per = 'code' } = choice;
  const { report } = box;
  if (file.size > MOST_BYTES) {
    const size = (file.size / MIB).toFixed(1);
    return refuse(
      report,
      file,
      `It has ${size} MiB; the limit here is ${MOST_BYTES / MIB} MiB. In a terminal, openshelf lookup --file takes any size.`,
    );
  }
  fill(report, el('p', { class: 'soft' }, `Reading ${nameOf(file)} …`));
  const asked = new URLSearchParams({
    name: file.name,
    ...(tab === null ? {} : { sheet: tab }),
    ...(column === null ? {} : { column }),
    ...(cost === null || cost === NO_COSTS ? {} : { cost }),
  });
  const path = `/console/sheet?${asked}`;
  const answer = /** @type {import('./api.js').Answer<Sheet>} */ (
    await call(path, { method: 'POST', file })
  );
  const chooseTab = (/** @type {string} */ name) =>
    void readSheetFile(file, box, { tab: name, per });
  if (!answer.ok) {
    const { detail, allowed = [] } = answer.problem;
    refuse(report, file, detail);
    if (allowed.length > 0) report.append(select('Sheet', allowed, tab, chooseTab));
    return;
  }
  showSheet(file, box, cost === NO_COSTS ? withoutCosts(answer.body) : answer.body, choice);
}

/**
 * Fills the box with the products, and shows the first rows with what can be chosen instead.
 * @param {File} file
 * @param {SheetBox} box
 * @param {Sheet} sheet
 * @param {Choice} choice
 */
function showSheet(file, box, sheet, choice) {
  const { input, report, done } = box;
  input.value = sheet.products.map(lineOf).join('\n');
  input.dispatchEvent(new Event('input'));
  show(report, file, sheet);
  const { sheets, columns, identifier_column: used, other_columns: others } = sheet;
  const again = (/** @type {Choice} */ changed) =>
    void readSheetFile(file, box, { ...choice, ...changed });
  const chooseColumn = (/** @type {string} */ column) => again({ column });
  const read = {
    text: input.value,
    otherwise: otherColumns(used, others, chooseColumn),
    own: { names: columns, cells: new Map(sheet.products.map(({ id, cells }) => [id, cells])) },
    costPer: choice.per ?? 'code',
  };
  const costPer = costPerChoice(
    'sheet-cost-per',
    (per) => {
      read.costPer = per;
      choice.per = per;
    },
    read.costPer,
  );
  const codes = [used, ...others];
  const rest = columns.filter((name) => !codes.includes(name));
  const costs = [NO_COSTS, ...columns.filter((name) => name !== used)];
  const { cost_column: cost } = sheet;
  report.append(
    el(
      'div',
      { class: 'sheet-choices' },
      sheets.length > 1
        ? select('Sheet', sheets, sheet.sheet, (tab) => again({ tab, column: null, cost: null }))
        : null,
      columns.length > 1 ? select('Codes', [...codes, ...rest], used, chooseColumn) : null,
      costs.length > 1
        ? select('Costs', costs, cost ?? NO_COSTS, (name) => again({ cost: name }))
        : null,
      cost === null ? null : costPer.element,
    ),
    preview(sheet),
  );
  done(read);
}

/**
 * @param {Sheet} sheet
 * @returns {Sheet}
 */
function withoutCosts(sheet) {
  return {
    ...sheet,
    cost_column: null,
    without_cost: 0,
    products: sheet.products.map((each) => ({ ...each, cost: null })),
    preview: sheet.preview.map((each) => ({ ...each, cost: null })),
  };
}

/** Shows the first rows as they would be looked up, before anything is spent. @param {Sheet} sheet */
function preview({ preview: rows, columns }) {
  const heads = [
    'Line',
    'Looked up',
    '#Your cost',
    'Note',
    ...columns.map((name) => plain(name, 40)),
  ];
  const body = rows.map(({ line, id, cost, note, cells }) => [
    whole(line),
    id === null ? NONE : el('code', {}, plain(id, 40)),
    cost === null ? NONE : cost.toFixed(2),
    plain(note, 200),
    ...columns.map((_, at) =>
      el('bdi', { class: 'soft' }, plain(cells[at]?.replace(/T00:00:00\.000Z$/, ''), 40)),
    ),
  ]);
  return table('The first rows', heads, body);
}

/**
 * @param {string} used
 * @param {readonly string[]} others
 * @param {(name: string) => void} choose
 */
function otherColumns(used, others, choose) {
  if (others.length === 0) return null;
  return el(
    'p',
    { class: 'actions', role: 'status' },
    el('span', {}, `No product was found by “${plain(used, 80)}”.`),
    others.map((name) =>
      el('button', { type: 'button', onclick: () => choose(name) }, `Read “${plain(name, 80)}”`),
    ),
  );
}

/**
 * Lets a person choose which sheet of a workbook, or which column, is read.
 * @param {'Sheet' | 'Codes' | 'Costs'} label
 * @param {readonly string[]} names
 * @param {string | null} read
 * @param {(name: string) => void} choose
 */
function select(label, names, read, choose) {
  const id = `choose-${label.toLowerCase()}`;
  const list = el(
    'select',
    { id, onchange: () => choose(names[list.selectedIndex - 1] ?? '') },
    el('option', { disabled: true, selected: read === null }, 'choose'),
    names.map((name) => el('option', { selected: name === read }, plain(name, 80) || 'none')),
  );
  return el('p', {}, el('label', { for: id, class: 'soft' }, `${label} `), list);
}

/** Returns the name of the file, made safe to show. @param {File} file */
function nameOf({ name }) {
  return plain(name, 120);
}

/**
 * Formats a line for the box. The identifier is quoted, so that a number after a comma within an address is not taken for a
 * cost.
 * @param {{ id: string, cost: number | null }} product
 */
function lineOf({ id, cost }) {
  const text = /[\t,;]/.test(id) && !id.includes('"') ? `"${id}"` : id;
  return cost === null ? text : `${text}, ${cost.toFixed(2)}`;
}

/**
 * @param {HTMLElement} report
 * @param {File} file
 * @param {string} why
 */
function refuse(report, file, why) {
  fill(report, problemLine(`${nameOf(file)} was not read. ${why}`));
}

/**
 * @param {HTMLElement} report
 * @param {File} file
 * @param {Sheet} sheet
 */
function show(report, file, sheet) {
  const { products, rows, identifier_column: column, cost_column: cost, repeated } = sheet;
  const words = [
    `${nameOf(file)}: ${counted(products.length, 'product')} in ${counted(rows, 'row')}, from the column “${plain(column, 80)}”`,
    cost === null ? '; no column contains your costs' : `, cost from “${plain(cost, 80)}”`,
    '.',
    repeated === 0 ? '' : ` ${counted(repeated, 'row repeats', 'rows repeat')} a product.`,
    ...sheet.remarks.map((remark) => ` ${plain(remark)}`),
  ];
  fill(
    report,
    el('p', { class: 'soft', role: 'status' }, words.join('')),
    lines('left out', sheet.left_out, sheet.left_out_lines),
    lines('repaired', sheet.mended, sheet.mended_lines),
    lines('without a cost', sheet.without_cost, sheet.without_cost_lines),
  );
}

/**
 * @param {string} fate
 * @param {number} count
 * @param {readonly TellingLine[]} shown
 */
function lines(fate, count, shown) {
  if (count === 0) return null;
  const more = count - shown.length;
  return el(
    'details',
    { class: 'sheet-lines' },
    el('summary', {}, `${counted(count, 'row')} ${fate}`),
    el(
      'div',
      { class: 'scroll tall', tabindex: 0, role: 'region', 'aria-label': `Rows ${fate}` },
      el(
        'ul',
        {},
        shown.map(({ line, identifier, what }) =>
          el(
            'li',
            {},
            `Line ${whole(line)}: `,
            // The identifier is not repeated if the sentence contains it, as most do.
            identifier === '' || what.includes(identifier)
              ? null
              : [el('code', {}, plain(identifier)), ', '],
            plain(what, 600),
          ),
        ),
        more === 0 ? null : el('li', {}, `and ${whole(more)} more`),
      ),
    ),
  );
}
