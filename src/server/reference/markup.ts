// HTML as a value: text becomes markup only through `html`, which escapes it.

/** Markup with escaped texts. */
export type Html = { readonly markup: string };

type Part = Html | string | number | null | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** A template that escapes its values, in text and in quoted attributes; null writes nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const rest = parts.map((part, at) => markupOf(part) + (texts[at + 1] ?? ''));
  return { markup: (texts[0] ?? '') + rest.join('') };
}

/**
 * Renders one line of text. A part between backticks becomes code, a part between two asterisks on each side is emphasized.
 */
export function line(text: string): Html {
  const pieces = text.split('`').map((piece, at) => {
    return at % 2 === 0 ? html`${strong(piece)}` : html`<code>${piece}</code>`;
  });
  return html`${pieces}`;
}

function strong(text: string): readonly Html[] {
  return text.split('**').map((piece, at) => {
    return at % 2 === 0 ? html`${piece}` : html`<strong>${piece}</strong>`;
  });
}

/** Renders paragraphs, separated by empty lines in the text. */
export function prose(text: string): Html {
  return html`${text.split('\n\n').map((each) => html`<p>${line(each)}</p>`)}`;
}

/** Renders a value as indented JSON. */
export function jsonBlock(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
