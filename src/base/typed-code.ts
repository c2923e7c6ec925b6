// Codes that people type, such as `7QK2-M0XD`: letters and digits that cannot be mistaken for each other, in groups of four.
// Each letter is worth five bits.

/** Crockford's alphabet: without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = new RegExp(`^[${ALPHABET}]+$`);
const GROUP = /.{4}(?=.)/g;

/** Makes a code of as many letters as there are bytes, which are random or derived. */
export function codeFrom(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.replaceAll(GROUP, '$&-');
}

/** Reads a code as people type it; null if it is none of that many letters. */
export function readCode(written: string, length: number): string | null {
  const letters = written
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return letters.length === length && LETTERS.test(letters)
    ? letters.replaceAll(GROUP, '$&-')
    : null;
}
