// Decides which of a page's variants its address names, by the variants' numbers, option values and labels. Pure comparison:
// the readers of JSON-LD, shop forms and store JSON bring their variants into one shape.

import { stepsIn } from './asked-address.ts';
import type { AskedAddress, AskedOption } from './asked-address.ts';
import { exactValue, optionName, valueForms } from './option-names.ts';

/** An option of a variant. The name is empty when only a label states the value; an empty value stands for any. */
export type VariantOption = {
  readonly name: string;
  readonly value: string;
  /** Whether it is only a parameter of the variant's own address, which may mean something else. */
  readonly isInAddress?: boolean;
};

/** A variant as the address may name it. */
export type NameableVariant<T> = {
  readonly item: T;
  /** SKU, barcode and other numbers, as written. */
  readonly numbers: readonly string[];
  readonly options: readonly VariantOption[];
  /** Anything that is equal for variants at one price; null without a price. */
  readonly price: string | null;
};

/** The variants that an address names: none, some of these variants, or one that is not among them. */
type Naming<T> =
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'named'; readonly items: readonly T[] }
  | { readonly kind: 'unclear' };

const UNNAMED = { kind: 'unnamed' } as const;

/** The minimum length of a number in a parameter with any name. */
const NUMBER_LENGTH = 3;

type Prepared = {
  readonly numbers: ReadonlySet<string>;
  readonly options: readonly {
    readonly name: string;
    readonly value: string;
    readonly exact: string;
    readonly isInAddress: boolean;
  }[];
};

function prepared({ numbers, options }: NameableVariant<unknown>): Prepared {
  return {
    numbers: new Set(numbers.map(numberForm)),
    options: options.map(({ name, value, isInAddress = false }) => ({
      name: name === '' ? '' : optionName(name).name,
      value,
      exact: exactValue(value),
      isInAddress,
    })),
  };
}

/** Barcodes are compared with all 14 digits. */
function numberForm(number: string): string {
  const text = number.trim().toLowerCase();
  return /^\d{8,13}$/.test(text) ? text.padStart(14, '0') : text;
}

type Matching = {
  readonly matching: ReadonlySet<number>;
  /** Those among them that take any value. */
  readonly any: ReadonlySet<number>;
};

/** The comparison of one address with the variants. */
class Comparison {
  readonly #variants: readonly Prepared[];
  /** Forms of values already compared: variants repeat them. */
  readonly #forms = new Map<string, readonly string[]>();

  constructor(variants: readonly NameableVariant<unknown>[]) {
    this.#variants = variants.map(prepared);
  }

  /** Returns the variants that a parameter names; null when it says nothing about them; none when no variant has its value. */
  named({ name: written, value }: AskedOption): Matching | null {
    const name = optionName(written);
    if (name.name === '') return null;
    const numbered = this.numbered(value, name.isNumber ? 1 : NUMBER_LENGTH);
    if (numbered !== null) return numbered;
    const own = this.#valued(value, (each) => each === name.name);
    if (own !== null) return own;
    if (name.isAny) return this.valued(value);
    const isTheirs = this.#variants.some(({ options }) =>
      options.some((option) => option.name === name.name && !option.isInAddress),
    );
    if (isTheirs) return { matching: new Set(), any: new Set() };
    return name.isOption ? this.#valued(value, (each) => each === '') : null;
  }

  /** Returns the variants with this number. */
  numbered(value: string, minimum: number): Matching | null {
    if (value.length < minimum) return null;
    const number = numberForm(value);
    return found(this.#indexes(({ numbers }) => numbers.has(number)));
  }

  /** Returns the variants that have this value for any of their options. */
  valued(value: string): Matching | null {
    return this.#valued(value, () => true, true);
  }

  /** Exactly written values come first. Variants that take any value are added. */
  #valued(value: string, isName: (name: string) => boolean, isStated = false): Matching | null {
    const exact = exactValue(value);
    const forms = valueForms(value).filter((form) => form !== '');
    const matching = (test: (option: Prepared['options'][number]) => boolean): number[] =>
      this.#indexes(({ options }) =>
        options.some(
          (option) => isName(option.name) && !(isStated && option.isInAddress) && test(option),
        ),
      );
    const equal = matching((option) => option.exact === exact);
    const alike =
      equal.length > 0
        ? equal
        : matching(({ value: own }) => this.#formsOf(own).some((form) => forms.includes(form)));
    const any = isStated ? [] : matching((option) => option.exact === '');
    return found([...alike, ...any], any);
  }

  #formsOf(value: string): readonly string[] {
    const before = this.#forms.get(value);
    if (before !== undefined) return before;
    const forms = valueForms(value);
    this.#forms.set(value, forms);
    return forms;
  }

  #indexes(test: (variant: Prepared) => boolean): number[] {
    return this.#variants.flatMap((variant, index) => (test(variant) ? [index] : []));
  }
}

function found(matching: readonly number[], any: readonly number[] = []): Matching | null {
  return matching.length === 0 ? null : { matching: new Set(matching), any: new Set(any) };
}

/** Returns the names in the parts of the path: a number anywhere, an option's value only at the end. */
function namedByPath(parts: readonly string[], comparison: Comparison): readonly Matching[] {
  const numbered = parts.map((part) => comparison.numbered(part, NUMBER_LENGTH));
  const steps = stepsIn(parts).map((step) => comparison.named(step));
  const last: Matching[] = [];
  for (const part of parts) {
    const matching = comparison.valued(part);
    if (matching === null) break;
    last.push(matching);
  }
  return [...numbered, ...steps, ...last]
    .filter((each) => each !== null)
    .filter(({ matching }) => matching.size > 0);
}

/**
 * Returns the variants that an address names. Parameters that are not an option of theirs are ignored. Unclear when its options
 * contradict each other or name a value that no variant has, unless all variants have one price.
 */
export function namedVariants<T>(
  variants: readonly NameableVariant<T>[],
  { options, parts }: Pick<AskedAddress, 'options' | 'parts'>,
): Naming<T> {
  if (variants.length < 2 || (options.length === 0 && parts.length === 0)) return UNNAMED;
  const comparison = new Comparison(variants);
  const told = options.map((option) => comparison.named(option)).filter((each) => each !== null);
  const namings = [
    ...told.filter(({ matching }) => matching.size > 0),
    ...namedByPath(parts, comparison),
  ];
  const left = variants.flatMap((variant, index) => {
    if (!namings.every(({ matching }) => matching.has(index))) return [];
    return [{ variant, wild: namings.filter(({ any }) => any.has(index)).length }];
  });
  const least = Math.min(...left.map(({ wild }) => wild));
  const named = left.filter(({ wild }) => wild === least).map(({ variant }) => variant);
  const isUnlisted = told.some(({ matching }) => matching.size === 0);
  if (named.length === 0 || (isUnlisted && haveSeveralPrices(named))) {
    return haveSeveralPrices(variants) ? { kind: 'unclear' } : UNNAMED;
  }
  if (named.length === variants.length) return UNNAMED;
  return { kind: 'named', items: named.map(({ item }) => item) };
}

const haveSeveralPrices = (variants: readonly NameableVariant<unknown>[]): boolean =>
  new Set(variants.map(({ price }) => price)).size > 1;
