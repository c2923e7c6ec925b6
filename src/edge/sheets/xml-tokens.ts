// Reads the XML of a workbook's parts in pieces, in bounded memory: start tags, end tags and text. Pure.

/** `name` is the local one: a part may give any prefix to a namespace. */
export type XmlToken =
  | { readonly kind: 'start'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** A document type is missing on purpose: a part must not have one (ECMA-376 part 2). */
const TOKEN =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<\/(?:[^\s<>/:]+:)?([^\s<>/:]+)\s*>|<(?:[^\s<>/:"'=]+:)?([^\s<>/:"'=]+)((?:[^<>"']|"[^<"]*"|'[^<']*')*)>|([^<]+)(?=<)/y;

/** No comment, tag or text of a cell is longer. */
const MAX_TOKEN = 1_048_576;

/**
 * Yields the tokens of one piece after the other, to be read before the next piece. Throws if the text is not XML, or a token
 * is too long.
 */
export async function* xmlTokens(bytes: AsyncIterable<Uint8Array>): XmlTokens {
  let rest = '';
  const tokensIn = function* tokens(text: string): Generator<XmlToken> {
    let at = 0;
    TOKEN.lastIndex = 0;
    for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
      at = TOKEN.lastIndex;
      const [, raw, end, start, attributes = '', between] = found;
      if (start !== undefined) {
        yield { kind: 'start', name: start, attributes };
        if (attributes.endsWith('/')) yield { kind: 'end', name: start };
      } else if (end !== undefined) yield { kind: 'end', name: end };
      else if (between !== undefined) yield { kind: 'text', text: withoutReferences(between) };
      else if (raw !== undefined) yield { kind: 'text', text: raw };
      TOKEN.lastIndex = at;
    }
    rest = text.slice(at);
  };
  for await (const piece of xmlText(bytes)) {
    yield tokensIn(rest + piece);
    if (rest.length > MAX_TOKEN) throw new Error(NOT_XML);
  }
  if (rest.trim() !== '') throw new Error(NOT_XML);
}

export type XmlTokens = AsyncGenerator<Iterable<XmlToken>>;

const NOT_XML = 'its XML is damaged';

/** Decodes UTF-8 or UTF-16, the encodings that a part may have. */
async function* xmlText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece));
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff || second === 0) return 'utf-16le';
  return first === 0xfe || first === 0 ? 'utf-16be' : 'utf-8';
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

const ATTRIBUTE = /(?:^|\s)(?:[^\s:="']+:)?([^\s:="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Returns the attributes of a start tag by their local names. */
export function attributesOf(text: string): Readonly<Record<string, string | undefined>> {
  const attributes: Record<string, string> = {};
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const [, name = '', double, single = ''] = found;
    attributes[name] = withoutReferences(double ?? single);
  }
  return attributes;
}

function withoutReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex, decimal, sign) => {
      if (sign !== undefined) return SIGNS.get(String(sign)) ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
    },
  );
}
