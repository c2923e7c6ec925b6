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
