// Reads a file that somebody gives to the page. The service reports its content, and its products are put into the box, where
// they can be checked before the lookup.

import { call } from './api.js';
import { el, fill, problemLine } from './dom.js';
import { counted, plain, whole } from './format.js';

/** @typedef {import('../src/answer/wire/sheet.ts').SheetAnswer} Sheet */
/** @typedef {import('../src/answer/wire/sheet.ts').TellingLine} TellingLine */

const MIB = 1_048_576;
const MOST_BYTES = 4 * MIB;

/**
 * A sheet that is in the box: the text, and what is shown if no product is found by it, null if there is nothing else.
 * @typedef {{ text: string, otherwise: HTMLElement | null }} ReadSheet
 */

/**
 * Fills the box with the products of the file, and shows below it what was read. `chosen` are the sheet of a workbook and the
 * column that somebody chose; `done` is called whenever the box was filled.
 * @param {File} file
 * @param {{ input: HTMLTextAreaElement, report: HTMLElement, done: (read: ReadSheet) => void }} box
 * @param {{ tab?: string | null, column?: string | null }} [chosen]
 */
export async function readSheetFile(file, box, { tab = null, column = null } = {}) {
  const { input, report, done } = box;
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
  });
  const path = `/console/sheet?${asked}`;
  const answer = /** @type {import('./api.js').Answer<Sheet>} */ (
    await call(path, { method: 'POST', file })
  );
  const chooseTab = (/** @type {string} */ name) => void readSheetFile(file, box, { tab: name });
  if (!answer.ok) {
    const { detail, allowed = [] } = answer.problem;
    refuse(report, file, detail);
    if (allowed.length > 0) report.append(choice('sheet', allowed, tab, chooseTab));
    return;
  }
  input.value = answer.body.products.map(lineOf).join('\n');
  input.dispatchEvent(new Event('input'));
  show(report, file, answer.body);
  const { sheets, sheet, identifier_column: used, other_columns: others } = answer.body;
  if (sheets.length > 1) report.append(choice('sheet', sheets, sheet, chooseTab));
  const chooseColumn = (/** @type {string} */ name) =>
    void readSheetFile(file, box, { tab: sheet, column: name });
  if (others.length > 0) report.append(choice('column', [used, ...others], used, chooseColumn));
  done({ text: input.value, otherwise: otherColumns(used, others, chooseColumn) });
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
 * Lets a person choose which sheet of a workbook, or which column of codes, is read.
 * @param {'sheet' | 'column'} what
 * @param {readonly string[]} names
 * @param {string | null} read
 * @param {(name: string) => void} choose
 */
function choice(what, names, read, choose) {
  const id = `choose-${what}`;
  const select = el(
    'select',
    { id, onchange: () => choose(names[select.selectedIndex - 1] ?? '') },
    el('option', { disabled: true, selected: read === null }, 'choose'),
    names.map((name) => el('option', { selected: name === read }, plain(name, 80))),
  );
  return el(
    'p',
    {},
    el('label', { for: id, class: 'soft' }, what === 'sheet' ? 'Sheet ' : 'Column '),
    select,
  );
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
