// Assigns small numbers to common element names, looked up by a hash of the letters. A tag with such a name allocates no
// string, and the facts about its element come from tables indexed by number.

/** Elements whose content is text, not markup. */
const RAW_TEXT = ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'];

/** The most common names on pages. */
const KNOWN_NAMES = namesOnce([
  ...RAW_TEXT,
  ...(
    'div span a li p img path button svg ul i input td br meta link label option tr h3 h2 strong source use picture g ' +
    'section b h4 h1 form th small em article ol dt dd table tbody dl sup select noscript rect figure template h5 ' +
    'header nav main footer html head body h6 del s ins circle aside hr thead bdi u base time video data polygon line ' +
    'defs symbol fieldset'
  ).split(' '),
]);

/**
 * The names as interned strings: the engine keeps a single copy of each string used as a key. Comparing one with a word of the
 * source is then a pointer comparison.
 */
function namesOnce(names: readonly string[]): readonly string[] {
  return Object.keys(Object.fromEntries(names.map((name) => [name, true])));
}

/** The number shared by all names without a number of their own. */
export const RARE = 0;
/** Exclusive upper bound of name numbers. */
export const NUMBERS = KNOWN_NAMES.length + 1;

/** Each hash maps to a slot; a name that collides with an earlier one gets no number. */
const SLOT_BITS = 11;
const { numbers: SLOT_NUMBERS, hashes: SLOT_HASHES } = slotsOf(KNOWN_NAMES);
const NAMES = ['', ...KNOWN_NAMES];
const LENGTHS = Uint8Array.from(NAMES, (name) => name.length);

/** Extends the hash by one letter. Names of up to four ASCII letters have unique hashes. */
export function hashWith(hash: number, code: number): number {
  return ((hash << 8) | (hash >>> 24)) ^ (code | 32);
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - SLOT_BITS);
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = hashWith(hash, name.charCodeAt(at));
  return hash;
}

type Slots = { readonly numbers: Uint8Array; readonly hashes: Int32Array };

function slotsOf(known: readonly string[]): Slots {
  const numbers = new Uint8Array(1 << SLOT_BITS);
  const hashes = new Int32Array(1 << SLOT_BITS);
  for (const [index, name] of known.entries()) {
    const hash = hashOf(name);
    const slot = slotOf(hash);
    if (numbers[slot] !== 0) continue;
    numbers[slot] = index + 1;
    hashes[slot] = hash;
  }
  return { numbers, hashes };
}

/** Returns the only possible number for a name with this hash; `RARE` if there is none. */
export function numberOfHash(hash: number): number {
  const slot = slotOf(hash);
  return SLOT_HASHES[slot] === hash ? (SLOT_NUMBERS[slot] ?? RARE) : RARE;
}

/** Returns the number of a known name. */
export function numberOf(name: string): number {
  return numberOfHash(hashOf(name));
}

/** Returns the length of the name with this number. */
export function nameLength(number: number): number {
  return LENGTHS[number] ?? 0;
}

/** Returns the name with this number. */
export function nameOf(number: number): string {
  return NAMES[number] ?? '';
}

/** Returns a predicate for elements with one of these names. */
export function namesIn(names: Iterable<string>): (number: number, name: string) => boolean {
  const wanted = new Set(names);
  const table = Uint8Array.from(NAMES, (name) => (wanted.has(name) ? 1 : 0));
  return (number, name) => (number === RARE ? wanted.has(name) : table[number] === 1);
}

/** Whether the content of an element is text, not markup. Their names come first, so all of them have numbers. */
export function isRawText(number: number): boolean {
  return number !== RARE && number <= RAW_TEXT.length;
}
