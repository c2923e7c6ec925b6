// Which answers are worth reading. Pure. A page of another type comes back with an empty body, so that a
// reader can say "not a product" without a byte of a film or an archive having been downloaded.

const HTML_TYPES = ['text/html', 'application/xhtml+xml'];
const JSON_TYPES = ['application/json', 'application/ld+json', 'text/json'];
/** Hosted stores answer `/products/<handle>.js` with these. */
const SCRIPT_TYPES = ['text/javascript', 'application/javascript', 'application/x-javascript'];

/** Is this a type that the readers parse? A missing or malformed type is read and judged by content. */
export function isReadableType(header: string, asked: 'html' | 'json'): boolean {
  const essence = (header.split(/[;,]/)[0] ?? '').trim().toLowerCase();
  if (!/^[^/\s]+\/[^/\s]+$/.test(essence)) return true;
  if (HTML_TYPES.includes(essence) || JSON_TYPES.includes(essence)) return true;
  return asked === 'json' && (SCRIPT_TYPES.includes(essence) || essence.endsWith('+json'));
}
