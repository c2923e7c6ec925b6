// Splits the address of a page into the parts that may name a variant: the parameters of its query and fragment, and the
// parts of its path. Shop systems write `?color=red`, `#size=xl`, `#/12-colour-red`, `/lamp/AL-R`; named-variants.ts
// decides which variant they name.

import type { ChosenVariant } from '../../../base/listing/page.ts';

/** A parameter as written, decoded. */
export type AskedOption = { readonly name: string; readonly value: string };

/** The parts of an address that may name a variant, and the variant that counted at the last reading. */
export type AskedAddress = {
  readonly options: readonly AskedOption[];
  /** The parts of the fragment, and those of the path without file endings, last first. */
  readonly parts: readonly string[];
  readonly chosenBefore: ChosenVariant | null;
};

export const NOTHING_ASKED: AskedAddress = Object.freeze({
  options: [],
  parts: [],
  chosenBefore: null,
});

/** No shop's address has as many parameters or parts; each one is compared with every variant. */
const MOST = 40;
const LONGEST = 200;

/** Returns the decoded text; unchanged when its percent signs are invalid. */
export function decodedText(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function optionsIn(query: string): readonly AskedOption[] {
  return [...new URLSearchParams(query)]
    .map(([name, value]) => ({ name, value: value.trim() }))
    .filter(({ name, value }) => name !== '' && value !== '');
}

/** Splits a fragment: `#size=xl`, `#/12-colour-red/7-size-m`, `#red`. */
function fragmentIn(hash: string): Pick<AskedAddress, 'options' | 'parts'> {
  const text = hash.replace(/^#[!/?]*/, '');
  if (text.includes('=')) return { options: optionsIn(text), parts: [] };
  return { options: [], parts: decodedText(text).split('/').filter(Boolean).toReversed() };
}

/** Splits an address. The browser keeps the fragment of the requested address after a redirect. */
export function askedIn(
  url: URL,
  requested: URL | null = null,
  chosenBefore: ChosenVariant | null = null,
): AskedAddress {
  const fragment = fragmentIn(url.hash === '' ? (requested?.hash ?? '') : url.hash);
  const path = url.pathname
    .split('/')
    .map((part) => decodedText(part).replace(/\.(?:html?|php|aspx?|json|js)$/i, ''))
    .filter(Boolean)
    .toReversed();
  return {
    options: [...optionsIn(url.search), ...fragment.options]
      .filter(({ value }) => value.length <= LONGEST)
      .slice(0, MOST),
    parts: [...fragment.parts, ...path].filter((part) => part.length <= LONGEST).slice(0, MOST),
    chosenBefore,
  };
}

/** A step with an option's name, and the number that one shop system writes before it: `12-colour-red`. */
const STEP = /^(?:\d+[-,])?(\p{L}[\p{L}\p{N}_]*)[-,:](.+)$/u;

/** Returns the options that parts of a path or fragment may spell out: `color-red`. */
export function stepsIn(parts: readonly string[]): readonly AskedOption[] {
  return parts.flatMap((part) => {
    const [, name = '', value = ''] = STEP.exec(part) ?? [];
    return value === '' ? [] : [{ name, value }];
  });
}
