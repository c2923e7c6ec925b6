// The common form of option names and values, which shops spell differently in their data and in their addresses:
// `attribute_pa_farbe=gruen` is the option "Farbe" with the value "Grün".

import { decodedText } from './asked-address.ts';

/** Names of the two options that structured data has properties for, without accents. */
const COLOR = new Set(
  (
    'color colour colors colours colorname colourname colorway colourway colorcode farbe farben couleur coloris kleur cor ' +
    'colore farve farge farg vari kolor barva boja szin renk culoare spalva krasa varv litur warna mau mausac color1 ' +
    'цвет колір цвят боја χρωμα 颜色 顏色 色 カラー 색상 اللون لون צבע สี رنگ'
  ).split(' '),
);
const SIZE = new Set(
  (
    'size sizes sizename sizecode grosse groesse taille pointure talla tamano tamanho taglia misura storlek storrelse ' +
    'stoerrelse maat koko rozmiar velikost velkost velicina velikosti meret beden boyut marime dydis izmers suurus staerd ukuran ' +
    'kichthuoc размер розмір големина μεγεθος 尺码 尺寸 サイズ 사이즈 المقاس مقاس מידה ขนาด سایز'
  ).split(' '),
);
/** Other names that mean an option even where the variants state only a label: "Oak / 2 m". */
const OTHERS = new Set(
  (
    'material pattern style finish capacity storage flavor flavour scent length width height volume weight model type ' +
    'version format edition fit shade power diameter'
  ).split(' '),
);
/** Names that leave open which option is meant: `?variant=red`. */
const ANY = new Set('variant variation var option opt choice selected selection'.split(' '));
/** Names of parameters that are numbers of a variant, however short the number is. */
const NUMBER = new Set(
  (
    'variant variantid variation variationid var varid vid sku skuid skucode pid itemid itemno itemnumber article articleid ' +
    'articlenumber artnr art number productattribute idproductattribute attributeid ean gtin upc mpn'
  ).split(' '),
);

/** Prefixes that shop systems write before an option's name. */
const PREFIX =
  /^(?:attribute_pa_|attribute_|pa_|dwvar_[^_]+_|selected[_-]?|(?:options?|variant|variation|product|prop|attr|attributes)[_-])(?=.)/i;
/** The innermost brackets of `options[Color]`. */
const IN_BRACKETS = /\[([^[\]]+)\]$/;

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ł', 'l'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
]);
/** How German and Nordic addresses spell letters that others strip of their marks. */
const SPELLED: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['å', 'aa'],
  ['ø', 'oe'],
]);

const replaced = (text: string, table: ReadonlyMap<string, string>): string =>
  text.replaceAll(/[^\u0000-\u007f]/g, (letter) => table.get(letter) ?? letter);

const plainLetters = (text: string): string =>
  replaced(text.toLowerCase().normalize('NFKC'), LETTERS)
    .normalize('NFKD')
    .replaceAll(/(?<=\p{Script=Latin}|\p{Script=Greek})\p{M}+/gu, '')
    .normalize('NFKC');

const bare = (text: string): string => plainLetters(text).replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '');

type OptionName = {
  /** The common form: `color` for "Farbe". */
  readonly name: string;
  /** Whether it means an option regardless of the names of the variants' options. */
  readonly isOption: boolean;
  /** Whether any option may be meant. */
  readonly isAny: boolean;
  /** Whether it announces a number of a variant. */
  readonly isNumber: boolean;
};

const common = (name: string): string =>
  COLOR.has(name) ? 'color' : SIZE.has(name) ? 'size' : name;

/** Reads the name of an option, in an address or in the data of variants. */
export function optionName(written: string): OptionName {
  const inner = IN_BRACKETS.exec(written)?.[1] ?? written;
  const whole = bare(inner);
  const stripped = NUMBER.has(whole) ? inner : inner.replace(PREFIX, '');
  const name = common(bare(decodedText(stripped)));
  return {
    name,
    isOption:
      inner !== written ||
      stripped !== inner ||
      ['color', 'size'].includes(name) ||
      OTHERS.has(name),
    isAny: ANY.has(whole),
    isNumber: NUMBER.has(whole) || NUMBER.has(name),
  };
}

/** Joins words, and keeps digits apart: "1.5 m" is `1-5m` and not 15 m. */
const joined = (text: string): string =>
  plainLetters(text)
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .replaceAll(/(?<!\d)-|-(?!\d)/g, '');

/** Returns the text of an option's value as it is compared first: with its signs, so that +1.25 is not -1.25. */
export const exactValue = (value: string): string => decodedText(value).trim().toLowerCase();

/** Returns the common forms of an option's value: without case, accents and separators; "Grün" is `grun` or `gruen`. */
export function valueForms(value: string): readonly string[] {
  const text = decodedText(value);
  const plain = joined(text);
  const spelled = joined(replaced(text.toLowerCase().normalize('NFC'), SPELLED));
  return spelled === plain ? [plain] : [plain, spelled];
}
