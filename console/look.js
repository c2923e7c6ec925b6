// The lookup page: paste one identifier for a card, or many lines for a table.

import { isSheet, readLines } from './amounts.js';
import { currencyChoice } from './currency.js';
import { byId, el, fill } from './dom.js';
import { counted } from './format.js';
import { createPlaces } from './places.js';
import { askProduct } from './product-call.js';

/** Above this many characters, a browser takes seconds to paste a text as if it were typed. */
const LONG_PASTE = 4_000;

/**
 * @param {ClipboardEvent} event
 * @param {HTMLTextAreaElement} input
 */
function pasteAtOnce(event, input) {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (text.length < LONG_PASTE) return;
  event.preventDefault();
  input.setRangeText(text, input.selectionStart, input.selectionEnd, 'end');
  input.dispatchEvent(new Event('input'));
}

/**
 * Inserts a pasted text. A sheet is then read as a file, unless there was something in the box already.
 * @param {ClipboardEvent} event
 * @param {HTMLTextAreaElement} input
 * @param {HTMLElement} report
 */
function paste(event, input, report) {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const isWhole = input.value.trim() === '';
  pasteAtOnce(event, input);
  if (isWhole && isSheet(text)) void open(new File([text], 'The pasted text'), input, report);
}

/**
 * @param {HTMLElement} page
 * @param {AbortSignal} signal ends with the session
 */
export function show(page, signal) {
  const result = el('div', { id: 'result' });
  const sheet = el('div', { id: 'sheet' });
  const hint = el('p', { class: 'soft hint', id: 'hint' });
  const input = el('textarea', {
    id: 'query',
    name: 'q',
    rows: 1,
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    placeholder: 'Barcode, ASIN or address',
    'aria-describedby': 'hint',
    oninput: () => {
      sized(input, hint);
      void import('./card.js');
    },
    onpaste: (/** @type {ClipboardEvent} */ event) => paste(event, input, sheet),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const form = el(
    'form',
    {
      class: 'look',
      role: 'search',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        look(input.value, places);
      },
    },
    el('label', { for: 'query' }, 'What are you looking for?'),
    el(
      'div',
      { class: 'row' },
      input,
      el('button', { class: 'primary', type: 'submit' }, 'Look up'),
    ),
    el(
      'div',
      { class: 'below' },
      hint,
      currencyChoice(() => input.value.trim() !== '' && form.requestSubmit()),
      fileButton((file) => void open(file, input, sheet)),
    ),
    sheet,
  );
  takeDrops((file) => void open(file, input, sheet), signal);
  page.append(form, result);
  listenForSlash(signal);
  const watched = watchedOnce(signal);
  const arrived = (/** @type {string} */ query) => {
    awaited = '';
    input.value = query;
    sized(input, hint);
    if (query === '') welcome(result, { input, form, watched: watched() });
  };
  const places = createPlaces(result, {
    arrived,
    lookUp: (query) => look(query, places, true),
    signal,
  });
  places.start();
  if (input.value === '') input.focus();
}

/**
 * @param {File} file
 * @param {HTMLTextAreaElement} input
 * @param {HTMLElement} report
 */
async function open(file, input, report) {
  if (/\.(?:html?|xhtml)$/i.test(file.name)) {
    const { readPageFile } = await import('./page-file.js');
    await readPageFile(file, report);
    return;
  }
  const { readSheetFile } = await import('./sheet-file.js');
  await readSheetFile(file, { input, report, done: (read) => (fromSheet = read) });
}

/**
 * What the box was last filled with from a sheet.
 * @type {import('./sheet-file.js').ReadSheet | null}
 */
let fromSheet = null;

/** @param {(file: File) => void} take */
function fileButton(take) {
  const chooser = el('input', {
    type: 'file',
    id: 'sheet-file',
    hidden: true,
    accept: '.csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,.html,.htm,.xhtml',
    onchange: () => {
      const [file] = chooser.files ?? [];
      if (file !== undefined) take(file);
      // Cleared, so that the same file can be chosen again after it was corrected.
      chooser.value = '';
    },
  });
  const choose = () => chooser.click();
  return [
    el(
      'button',
      { class: 'link', type: 'button', onclick: choose },
      'Open a sheet or a saved page',
    ),
    chooser,
  ];
}

/**
 * Lets the key `/` focus the box, unless somebody is typing elsewhere.
 * @param {AbortSignal} signal
 */
function listenForSlash(signal) {
  document.addEventListener(
    'keydown',
    (event) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      byId('query').focus();
    },
    { signal },
  );
}

/**
 * Accepts files dropped anywhere on the page. Otherwise the browser would leave the page and show the file.
 * @param {(file: File) => void} take
 * @param {AbortSignal} signal
 */
function takeDrops(take, signal) {
  document.addEventListener(
    'dragover',
    (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    },
    { signal },
  );
  document.addEventListener(
    'drop',
    (event) => {
      const [file] = event.dataTransfer?.files ?? [];
      if (file === undefined) return;
      event.preventDefault();
      take(file);
    },
    { signal },
  );
}

/**
 * The text of the lookup in progress. Submitting the same text again, as by a second Enter, does not start another lookup.
 */
let awaited = '';

/**
 * @param {string} text
 * @param {import('./places.js').Places} places
 * @param {boolean} [isHere] it is in the address already
 */
function look(text, places, isHere) {
  const lines = readLines(text);
  const first = lines[0];
  if (first === undefined) {
    byId('query').focus();
    return;
  }
  const query = text.trim();
  if (query === awaited) return;
  awaited = query;
  const isCard = lines.length === 1 && first.cost === null;
  const end = new AbortController();
  const asked = isCard ? askProduct(first.id, end.signal) : null;
  const place = places.begin(query, end, isHere);
  const sheet = fromSheet?.text.trim() === query ? fromSheet : null;
  const otherwise = sheet?.otherwise ?? null;
  const nothing = () => otherwise !== null && place.view.prepend(otherwise);
  void showFound(place.view, { lines, asked, nothing, sheet }, end.signal).finally(() => {
    if (places.isCurrent(place)) awaited = '';
  });
}

/**
 * Shows the card or the table until the first answers have arrived. Their scripts are loaded when somebody begins to type,
 * because most pages of the console need neither.
 * @param {HTMLElement} result
 * @param {{
 *   lines: readonly import('./amounts.js').PastedLine[], asked: import('./product-call.js').AskedProduct | null,
 *   nothing: () => void, sheet: import('./sheet-file.js').ReadSheet | null,
 * }} found `asked`: there is one line, and its call has begun; `nothing` is called if no line names a product
 * @param {AbortSignal} signal
 */
async function showFound(result, { lines, asked, nothing, sheet }, signal) {
  const [first] = lines;
  if (first !== undefined && asked !== null) {
    const { showCard } = await import('./card.js');
    if (!signal.aborted) void showCard(result, first.id, signal, asked);
    if (!(await asked.answer).ok) nothing();
    return;
  }
  const { showTable } = await import('./table.js');
  if (!signal.aborted) await showTable(result, { lines, nothing, sheet }, signal);
}

/**
 * Resizes the box to fit its text, up to ten lines.
 * @param {HTMLTextAreaElement} input
 * @param {HTMLElement} hint
 */
function sized(input, hint) {
  const { length } = input.value.slice(0, 10_000).split('\n');
  input.rows = Math.min(10, Math.max(1, length));
  const lines = readLines(input.value);
  hint.textContent =
    lines.length > 1
      ? `${counted(lines.length, 'line')} will be looked up as a table. A number after a tab, comma or semicolon ` +
        'is your cost of the item.'
      : 'Press Enter to look it up. Paste several lines for a table; a number after a comma is your cost of the item.';
}

/**
 * Returns the list of watches. It is requested when first shown, and not again when somebody goes back.
 * @param {AbortSignal} signal
 */
function watchedOnce(signal) {
  /** @type {HTMLElement | null} */
  let section = null;
  return () => {
    if (section !== null) return section;
    const made = el('div', {});
    section = made;
    void import('./watched-list.js').then(({ showWatched }) => showWatched(made, signal));
    return made;
  };
}

/**
 * Shows the content below an empty box.
 * @param {HTMLElement} result
 * @param {{ input: HTMLTextAreaElement, form: HTMLFormElement, watched: HTMLElement }} page
 */
function welcome(result, { input, form, watched }) {
  const kinds = [
    ['A barcode', 'UPC, EAN, ISBN or GTIN, with or without leading zeros'],
    ['An ASIN or item number', 'of a retailer that this service knows'],
    ['The address of a product page', 'at any shop; the page is read once, politely'],
    [
      'A whole sheet',
      'CSV or Excel: drop the file here, or paste its column, with your cost in the next column',
    ],
  ];
  fill(
    result,
    el(
      'section',
      { class: 'welcome' },
      document.body.dataset['simulated'] === 'true' ? tryButtons(input, form) : null,
      watched,
      el('h2', {}, 'What you can enter'),
      el(
        'dl',
        {},
        kinds.map(([what, more]) => el('div', {}, el('dt', {}, what), el('dd', {}, more))),
      ),
      el(
        'p',
        { class: 'soft keys-hint' },
        'Keys: ',
        el('kbd', {}, '/'),
        ' goes to the box, ',
        el('kbd', {}, 'Enter'),
        ' looks up, ',
        el('kbd', {}, 'Shift Enter'),
        ' adds a line, arrows read the chart.',
      ),
    ),
  );
}

/** Examples for the simulated shops, whose products are public. */
const EXAMPLES = /** @type {const} */ ([
  ['614141000005', 'Look up 614141000005'],
  ['614141000005, 6\n614141600007, 7.50\n614141800001, 4', 'Look up a table of three'],
]);

/**
 * @param {HTMLTextAreaElement} input
 * @param {HTMLFormElement} form
 */
function tryButtons(input, form) {
  const fillIn = (/** @type {string} */ example) => {
    input.value = example;
    input.dispatchEvent(new Event('input'));
    form.requestSubmit();
  };
  return el(
    'p',
    { class: 'actions' },
    el('span', {}, 'These shops are simulated. Try one:'),
    EXAMPLES.map(([example, label]) =>
      el('button', { type: 'button', onclick: () => fillIn(example) }, label),
    ),
  );
}
