// Elements from values. Texts become text nodes and never markup; attributes are set by name, and addresses are checked.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Readonly<Record<string, string | number | boolean | null | undefined | ((event: any) => void)>>} Attributes */

/**
 * An element. `on...` attributes are listeners, `class` and `data-...` are attributes like any other; false, null and
 * undefined leave one out.
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
 * Replaces what an element holds.
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
 * The element of this id, which the page has.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found;
}

/**
 * A link to another site when the address is one, else the text alone: `javascript:` is no address.
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
 * Something to open.
 * @param {string} summary
 * @param {...(Child | readonly Child[])} children
 */
export function folded(summary, ...children) {
  return el('details', { class: 'folded' }, el('summary', {}, summary), ...children);
}

/**
 * A table that scrolls by itself where the page is narrow.
 * @param {string} label
 * @param {readonly string[]} heads a leading `#` marks a column of numbers; an empty one has none
 * @param {readonly (readonly Child[] | HTMLTableRowElement)[]} rows cells, of which the first names the row; or rows as they are
 */
export function table(label, heads, rows) {
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
  return el(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, body)),
  );
}

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = el('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
