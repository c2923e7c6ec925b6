// Creates elements from values. Texts become text nodes and never markup; attributes are set by name, and addresses are
// checked.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Readonly<Record<string, string | number | boolean | null | undefined | ((event: any) => void)>>} Attributes */

/**
 * Creates an element. `on...` attributes are listeners, `class` and `data-...` are attributes like any other; false, null
 * and undefined omit one.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | readonly Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  add(element, children);
  return element;
}

/**
 * Replaces the content of an element.
 * @template {Element} Parent
 * @param {Parent} parent
 * @param {...(Child | readonly Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
  return parent;
}

/**
 * @param {Element} parent
 * @param {readonly (Child | readonly Child[])[]} children
 */
function add(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Returns a listener that ignores events while its work is in progress, as when Enter is pressed twice.
 * @param {(event: any) => Promise<unknown>} work
 */
export function oneAtATime(work) {
  let isInProgress = false;
  return async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isInProgress) return;
    isInProgress = true;
    try {
      await work(event);
    } finally {
      isInProgress = false;
    }
  };
}

/**
 * Runs work that may recreate parts of a list, and returns the focus to the same control of the same part.
 * @param {HTMLElement} list
 * @param {string} attribute that identifies the parts, `data-watch`
 * @param {() => void} work
 */
export function keepFocus(list, attribute, work) {
  const focused = document.activeElement;
  const part = list.contains(focused) ? focused?.closest(`[${attribute}]`) : null;
  work();
  if (!focused || !part || focused.isConnected) return;
  const name = CSS.escape(part.getAttribute(attribute) ?? '');
  const controls = list.querySelectorAll(
    `[${attribute}="${name}"] :is(a, button, input, select, summary, textarea)`,
  );
  const again = [...controls].find((each) => controlOf(each) === controlOf(focused));
  if (again instanceof HTMLElement) again.focus();
}

/** Identifies a control within its part by its text, or by `data-act` if the text changes. @param {Element} control */
function controlOf(control) {
  return (
    control.getAttribute('data-act') ?? `${control.tagName} ${control.id || control.textContent}`
  );
}

/**
 * Returns the element with this id; the page must have it.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found;
}

/**
 * Returns a link to another site if the text is a web address, otherwise the text alone. `javascript:` is not a web
 * address.
 * @param {string | null | undefined} address
 * @param {...Child} children
 */
export function outward(address, ...children) {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return el('span', {}, ...children);
  const attributes = { href: url.href, target: '_blank', rel: 'noopener noreferrer' };
  return el('a', attributes, ...children);
}

/**
 * Creates a section that can be unfolded.
 * @param {string} summary
 * @param {...(Child | readonly Child[])} children
 */
export function folded(summary, ...children) {
  return el('details', { class: 'folded' }, el('summary', {}, summary), ...children);
}

/**
 * Creates a table that on a narrow page scrolls by itself, or whose rows become blocks there: each value after its column name
 * (`blocks`), or laid out like those of a card (`shops`).
 * @param {string} label
 * @param {readonly string[]} heads a leading `#` marks a numeric column; an empty string means no head
 * @param {readonly (readonly Child[] | HTMLTableRowElement)[]} rows cells, of which the first names the row; or rows as they are
 * @param {'scroll' | 'blocks' | 'shops'} [narrow]
 */
export function table(label, heads, rows, narrow = 'scroll') {
  const classOf = (/** @type {number} */ at) =>
    heads[at]?.startsWith('#') === true ? 'number' : null;
  const head = heads.map((name, at) =>
    name === ''
      ? el('td', {})
      : el('th', { scope: 'col', class: classOf(at) }, name.replace('#', '')),
  );
  const body = rows.map((row) =>
    row instanceof HTMLTableRowElement
      ? row
      : el(
          'tr',
          {},
          row.map((cell, at) =>
            at === 0 ? el('th', { scope: 'row' }, cell) : el('td', { class: classOf(at) }, cell),
          ),
        ),
  );
  const made = el(
    'table',
    { class: narrow === 'scroll' ? null : narrow },
    el('thead', {}, el('tr', {}, head)),
    el('tbody', {}, body),
  );
  if (narrow === 'blocks') nameCells(made, heads);
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, made);
}

/** What `format.js` writes for an unknown value. Rows shown as blocks omit such a value. */
const NOTHING = '–';

const ROLES = /** @type {Readonly<Record<string, string>>} */ ({
  TABLE: 'table',
  THEAD: 'rowgroup',
  TBODY: 'rowgroup',
  TR: 'row',
  TD: 'cell',
});

/**
 * Labels each cell with its column name. Also sets the roles, because browsers no longer treat a table that is laid out as
 * blocks as a table.
 * @param {HTMLTableElement} made
 * @param {readonly string[]} heads
 */
function nameCells(made, heads) {
  for (const element of [made, ...made.querySelectorAll('thead, tbody, tr, td')]) {
    element.setAttribute('role', ROLES[element.tagName] ?? '');
  }
  for (const { cells } of made.tBodies[0]?.rows ?? []) {
    [...cells].forEach((cell, at) => {
      const name = heads[at]?.replace('#', '') ?? '';
      if (name !== '') cell.dataset['label'] = name;
      if (cell.textContent === NOTHING) cell.dataset['none'] = '';
    });
  }
  made.querySelectorAll('th').forEach((cell) => {
    cell.setAttribute('role', cell.scope === 'row' ? 'rowheader' : 'columnheader');
  });
}

/**
 * Creates a button for an action that cannot be undone: it requires a second press.
 * @param {{ label: string, about: string, act: () => Promise<unknown> }} given `about`: the object of the action, for users
 * who only hear the button
 */
export function confirmButton({ label, about, act }) {
  let isAsked = false;
  const button = el(
    'button',
    {
      type: 'button',
      class: 'plain danger',
      'aria-label': `${label} ${about}`,
      onclick: oneAtATime(async () => {
        if (isAsked) {
          await act();
          return;
        }
        isAsked = true;
        button.textContent = `Really ${label.toLowerCase()}?`;
        button.setAttribute('aria-label', `Really ${label.toLowerCase()} ${about}?`);
      }),
      // Moving on without the second press cancels.
      onblur: () => {
        isAsked = false;
        button.textContent = label;
        button.setAttribute('aria-label', `${label} ${about}`);
      },
    },
    label,
  );
  return button;
}

/** Where people find what a route of the API returns. */
const PLACES = /** @type {const} */ ([
  [/\b(?:GET|POST) \/v1\/channels\S*?(?=[.,;]?(?:\s|$))/g, 'the channels page'],
  [/\b(?:GET|POST) \/v1\/watches\S*?(?=[.,;]?(?:\s|$))/g, 'the watches page'],
  [/\b(?:GET|POST) \/v1\/retailers\S*?(?=[.,;]?(?:\s|$))/g, 'the operator’s page'],
]);

/**
 * Shows an error message in red that screen readers announce.
 * @param {string} words
 */
export function problemLine(words) {
  const said = PLACES.reduce((text, [route, place]) => text.replaceAll(route, place), words);
  return el('p', { class: 'problem', role: 'alert' }, said);
}

/**
 * Offers a text or a file as a download.
 * @param {string} name
 * @param {string | Blob} content
 * @param {string} type
 */
export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = el('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has read the URL by then.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
