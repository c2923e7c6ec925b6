// What a title states of which a product is one or the other: left or right, paperback or hardcover, for dogs or for cats.
// Two titles that each state one, and not the same, are of two products, however alike they are in all else.

type Opposites = {
  readonly name: string;
  /** A group for each value, in the languages of the shops; read from `plainText`. */
  readonly pattern: RegExp;
  /** What a title must name, where those of the values mean other things elsewhere. */
  readonly among?: RegExp;
  /** What a title must not name: a thing that goes with either. */
  readonly unless?: RegExp;
};

function opposites(
  name: string,
  values: readonly string[],
  where: Pick<Opposites, 'among' | 'unless'> = {},
): Opposites {
  const groups = values.map((value) => String.raw`(\b(?:${value})\b)`);
  return { name, pattern: new RegExp(groups.join('|'), 'gu'), ...where };
}

const BEDDING =
  /\b(?:mattress|bed|sheets?|bedding|comforter|quilt|duvet|blanket|pillows?|pillowcases?|sham|topper|headboard|coverlet|encasement)\b/;

const GRILLS = /\b(?:grills?|smoker|griddle|barbecue|bbq)\b/;

/** Of phones, bags and washers "front" and "rear" name a camera, a pocket or a door. */
const OF_VEHICLES =
  /\b(?:brakes?|rotors?|shocks?|struts?|tires?|tyres?|bumpers?|axle|hub|calipers?|coil|springs?|sway bar|(?:head|tail|bike|turn signal) ?lights?|headlamp|fenders?|mudguards?|floor mats?|derailleur|wipers?|brems\p{L}*|stossdampfer|stossstange|reifen|scheinwerfer|freins?|plaquettes|amortisseurs?|frenos?|pastillas|amortiguador(?:es)?|freni|pastiglie|ammortizzator[ei])\b/u;

const AGED =
  /\b(?:dogs?|cats?|dry food|wet food|futter|croquettes|pienso|crocchette|toothbrush|toothpaste|zahnburste|zahnpasta|multivitamins?|vitamins?|life jacket)\b/;

const PLAYERS =
  /\b(?:player|recorder|drives?|burner|writer|laufwerk|brenner|graveur|turntable|stereo|boombox|plattenspieler|radio|system)\b/;

/** What one writes for a console works with others; a game does not. */
const OF_CONSOLES =
  /\b(?:headsets?|headphones?|earbuds|controllers?|gamepad|wheel|keyboard|mouse|microphone|monitor|ssd|hdd|hard drive|game drive|\d+ ?[tg]b|cable|charger|charging|dock|stand|adapter|pc|mac)\b/;

/** What makes coffee of either. */
const COFFEE =
  /^(?!.*\b(?:machine|maker|grinder|brewer|mill|muhle|maschine|vollautomat)\b).*\b(?:coffee|kaffee|cafe|caffe|espresso)\b/;

const ADULT = 'adults?|adulto|adulte|erwachsene';

/** A spark is not the fuel. */
const ELECTRIC = 'electric(?! (?:ignition|igniter|start))';

const ALL: readonly Opposites[] = [
  opposites('side', [
    "left(?![ -](?:angle|hand(?:ed)? (?:throw|golfer|player)))|lh|links|linker?|linkes|gauche|izquierd[oa]|sinistr[oa]|driver'?s? side",
    "(?<!all )right(?![ -](?:angled?|price|hand(?:ed)? (?:throw|golfer|player)))|rh|rechts|rechter?|rechtes|droite?|derech[oa]|destr[oa]|passenger'?s? side",
  ]),
  opposites(
    'end',
    [
      'front|vorne|vorder\\p{L}*|avant|delanter[oa]s?|anteriori?',
      'rear|hinten|hinter\\p{L}*|arriere|traser[oa]s?|posteriori?',
    ],
    { among: OF_VEHICLES },
  ),
  opposites(
    'part',
    ['upper|oberer?|superieure?|superiore?', 'lower|unterer?|inferieure?|inferiore?'],
    { among: /\b(?:control arms?|ball joints?|radiator hose|querlenker)\b/ },
  ),
  opposites('format', [
    'paperback|softcover|taschenbuch|tapa blanda|brossura',
    'hardcover|hardback|gebundene? (?:ausgabe|buch)|relie|tapa dura|copertina rigida',
    'e-?book(?! reader)|kindle (?:edition|ausgabe)',
    'audio-?book|audio cd|horbuch|livre audio',
  ]),
  opposites('disc', ['dvd', 'blu-?ray'], { unless: PLAYERS }),
  opposites('record', ['vinyl|lp|schallplatte', 'cd|compact disc'], { unless: PLAYERS }),
  opposites('scent', [
    'eau de toilette|edt',
    'eau de parfum|edp',
    'eau de cologne|edc',
    'after ?shave|aftershave balm',
  ]),
  opposites('animal', [
    'dogs?|puppy|puppies|hunde?|chiens?|perros?|cani',
    'cats?|kittens?|katzen?|gatos?|gatt[oi]',
  ]),
  opposites('throwing hand', ['left[ -]hand(?:ed)? throw|lht', 'right[ -]hand(?:ed)? throw|rht']),
  opposites('age', [ADULT, 'puppy|puppies|kittens?|welpen?|chiots?|chatons?|cachorro|cuccioli']),
  opposites(
    'age group',
    [ADULT, 'junior|kids?|children|kinder|enfants?|ninos|bambini|baby|infants?'],
    { among: AGED },
  ),
  opposites('wash', [
    'shampoo|shampooing|champu',
    'conditioner|spulung|apres-shampooing|acondicionador',
  ]),
  opposites('sleeve', [
    'long[ -]sleeves?|langarm\\p{L}*|manches longues|manga larga',
    'short[ -]sleeves?|kurzarm\\p{L}*|manches courtes|manga corta',
  ]),
  opposites('top', ['(?:high|hi)[ -]top', 'low[ -]top']),
  opposites('fuel', ['propane|lp gas', 'natural gas', ELECTRIC, 'charcoal'], { among: GRILLS }),
  opposites('power', [ELECTRIC, 'gas'], { among: /\b(?:dryer|range|stove|cooktop|oven)\b/ }),
  opposites(
    'coffee',
    ['ground|gemahlen(?:er)?|moulu|molido|macinato', 'beans?|bohnen|grains?|grano|grani'],
    { among: COFFEE },
  ),
  opposites(
    'platform',
    ['ps ?4|playstation ?4', 'ps ?5|playstation ?5', 'xbox', 'nintendo switch'],
    { unless: OF_CONSOLES },
  ),
  opposites('plug', [
    'us[ -](?:plug|version|stecker)',
    'uk[ -](?:plug|version|stecker)',
    'eu[ -](?:plug|version|stecker)',
  ]),
  opposites(
    'bed',
    [
      'twin(?![ -]packs?)',
      'full(?![ -](?:motion|set|pack|body|color|colour|length|cover|coverage|elastic|grain))',
      'queen',
      '(?<!california |cal )king',
      '(?:california|cal) king',
    ],
    { among: BEDDING },
  ),
];

/** Whether a title states anything of these at all: most titles do not, and one look is a tenth of all of them. */
const ANY = new RegExp(ALL.map(({ pattern }) => pattern.source).join('|'), 'u');

const NONE: StatedSides = new Map();

/** The values that a title states, by the name of what they are opposites in. */
export type StatedSides = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** Reads a title in `plainText`. */
export function sidesOf(plain: string): StatedSides {
  if (!ANY.test(plain)) return NONE;
  const found = new Map<string, Map<number, string>>();
  for (const { name, pattern, among, unless } of ALL) {
    if (among?.test(plain) === false || unless?.test(plain) === true) continue;
    for (const [said, ...groups] of plain.matchAll(pattern)) {
      const values = found.get(name) ?? new Map<number, string>();
      values.set(
        groups.findIndex((each) => each !== undefined),
        said,
      );
      found.set(name, values);
    }
  }
  return found;
}

/** In what two titles state opposites, and the words of either; null: in nothing. */
export function oppositeSides(
  a: StatedSides,
  b: StatedSides,
): { readonly name: string; readonly one: string; readonly two: string } | null {
  for (const [name, mine] of a) {
    const theirs = b.get(name);
    if (theirs === undefined || [...mine.keys()].some((value) => theirs.has(value))) continue;
    return { name, one: [...mine.values()].join(' '), two: [...theirs.values()].join(' ') };
  }
  return null;
}

const SCENTED = String.raw`(?=.*\b(?:eau de|ed[tpc]|perfume|parfum|cologne|fragrance|duft)\b)`;

/**
 * What shops hardly leave out of a title, because it is another product. Marks that shops do leave out (waterproof,
 * cellular, kids) lose more than they find.
 */
const MARKS: readonly RegExp[] = [
  // "Voltage tester" is a name.
  new RegExp(String.raw`^${SCENTED}.*\b(?:tester|sample|echantillon|muestra|probe)\b`, 'u'),
  /\b(?:signed|autographed|signiert)\b(?! distance)/,
  /\blarge print\b|\bgrossdruck\b/,
  /\bpolari[sz]ed\b|\bpolarisiert\p{L}*|\bpolarizad[oa]s?\b|\bpolarizzat[oaie]\b/u,
  /\bdecaf\p{L}*|\bentkoffeiniert\p{L}*|\bdescafeinado\b|\bdek\b/u,
  /\b(?:unsalted|low[ -]sodium|no salt|salt[ -]free|ungesalzen)\b/,
  /\b(?:organics?|bio(?!-)|biologique|biologic[oa]|ecologic[oa])\b/,
];

const ANY_MARK =
  /\b(?:tester|sample|echantillon|muestra|probe|signed|autographed|signiert|large print|grossdruck|polari|decaf|entkoff|descaf|dek|unsalted|low[ -]sodium|no salt|salt[ -]free|ungesalzen|organic|bio|ecologic)/;

/** The marks of another edition that a listing has, as bits; reads a title and a brand in `plainText`. */
export function marksOf(plain: string): number {
  if (!ANY_MARK.test(plain)) return 0;
  return MARKS.reduce((found, mark, at) => (mark.test(plain) ? found | (1 << at) : found), 0);
}
