// The names that elements of pages usually have, each with a slot that is found by a hash of its letters: a tag with one of
// them makes no text of its own, and a table by slot says at once what is known of its element.

/** Elements whose content is text, not markup. */
const RAW_TEXT = ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'];

/** Names that pages use most. */
const KNOWN_NAMES = namesOnce([
  ...RAW_TEXT,
  ...(
    'div span a li p img path button svg ul i input td br meta link label option tr h3 h2 strong source use picture g ' +
    'section b h4 h1 form th small em article ol dt dd table tbody dl sup select noscript rect figure template h5 ' +
    'header nav main footer html head body h6 del s ins circle aside hr thead bdi u base time video data polygon line ' +
    'defs symbol fieldset'
  ).split(' '),
]);

/** Texts that are keys are kept once by the engine: comparing one with a word of the source is comparing two addresses. */
function namesOnce(names: readonly string[]): readonly string[] {
  return Object.keys(Object.fromEntries(names.map((name) => [name, true])));
}

/** A slot for each hash of a name; a name that shares one with an earlier name is read as an unknown one. */
const SLOT_BITS = 11;
/** The slot of all names that have none of their own. */
export const NO_SLOT = 1 << SLOT_BITS;
const { names: NAME_OF_SLOT, hashes: HASH_OF_SLOT } = slotsOf(KNOWN_NAMES);

/** The hash with one more letter: of up to four letters of ASCII no other name has the same one. */
export function hashWith(hash: number, code: number): number {
  return ((hash << 8) | (hash >>> 24)) ^ (code | 32);
}

/** The only slot that a name with this hash can have. */
export function slotOfHash(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - SLOT_BITS);
}

/** The name of a slot; '' where there is none. */
export function nameOfSlot(slot: number): string {
  return NAME_OF_SLOT[slot] ?? '';
}

/** The hash of the name of a slot. */
export function hashOfSlot(slot: number): number {
  return HASH_OF_SLOT[slot] ?? 0;
}

type Slots = { readonly names: readonly string[]; readonly hashes: Int32Array };

function slotsOf(known: readonly string[]): Slots {
  const names = Array.from({ length: NO_SLOT }, () => '');
  const hashes = new Int32Array(NO_SLOT);
  for (const name of known) {
    const hash = hashOf(name);
    const slot = slotOfHash(hash);
    if (names[slot] !== '') continue;
    names[slot] = name;
    hashes[slot] = hash;
  }
  return { names, hashes };
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = hashWith(hash, name.charCodeAt(at));
  return hash;
}

/** A table by slot: of each name that has one, `value` as a bit; names without a slot must be looked up by name. */
export function slotTable(rows: ReadonlyMap<number, readonly string[]>): Uint8Array {
  const table = new Uint8Array(NO_SLOT + 1);
  for (const [bit, names] of rows) {
    for (const name of names) {
      const slot = slotOfHash(hashOf(name));
      if (nameOfSlot(slot) === name) table[slot] = (table[slot] ?? 0) | bit;
    }
  }
  return table;
}

const IS_RAW = slotTable(new Map([[1, RAW_TEXT]]));
const RAW_NAMES = new Set(RAW_TEXT);

/** Whether the content of an element is text, not markup. */
export function isRawText(slot: number, name: string): boolean {
  return slot === NO_SLOT ? RAW_NAMES.has(name) : IS_RAW[slot] === 1;
}
