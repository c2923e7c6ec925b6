// Reads opposites in a title, of which a product can be only one: left or right, paperback or hardcover, for dogs or for cats.
// Two titles that state different ones are of two products, however alike they are otherwise.

type Opposites = {
  readonly name: string;
  /** One group per value, in the languages of the shops; matched against `plainText`. */
  readonly pattern: RegExp;
  /** What a title must mention, if the words for the values have other meanings elsewhere. */
  readonly among?: RegExp;
  /** What a title must not mention: a thing that goes with either. */
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

export const GRILLS = /\b(?:grills?|smoker|griddle|barbecue|bbq)\b/;

/** For phones, bags and washers, "front" and "rear" refer to a camera, a pocket or a door. */
const OF_VEHICLES =
  /\b(?:brakes?|rotors?|shocks?|struts?|tires?|tyres?|bumpers?|axle|hub|calipers?|coil|springs?|sway bar|(?:head|tail|bike|turn signal) ?lights?|headlamp|fenders?|mudguards?|floor mats?|derailleur|wipers?|brems\p{L}*|stossdampfer|stossstange|reifen|scheinwerfer|freins?|plaquettes|amortisseurs?|frenos?|pastillas|amortiguador(?:es)?|freni|pastiglie|ammortizzator[ei])\b/u;

const AGED =
  /\b(?:dogs?|cats?|dry food|wet food|futter|croquettes|pienso|crocchette|toothbrush|toothpaste|zahnburste|zahnpasta|multivitamins?|vitamins?|life jacket)\b/;

const PLAYERS =
  /\b(?:player|recorder|drives?|burner|writer|laufwerk|brenner|graveur|turntable|stereo|boombox|plattenspieler|radio|system)\b/;

/** At the end or in brackets; elsewhere it means a piece, or what a thing works with. */
const PC = String.raw`pc(?=\s*(?:$|[)\]]))`;

/** Accessories for a console also work with others; a game does not. */
const OF_CONSOLES =
  /\b(?:headsets?|headphones?|earbuds|controllers?|gamepad|wheel|keyboard|mouse|microphone|monitor|ssd|hdd|hard drive|game drive|\d+ ?[tg]b|cable|charger|charging|dock|stand|adapter|pc(?!\s*(?:$|[)\]]))|mac)\b/;

/** Coffee, also if a title only mentions its beans, but nothing that makes coffee from either. */
const COFFEE =
  /^(?!.*\b(?:machine|maker|grinder|brewer|mill|muhle|maschine|vollautomat)\b).*\b(?:coffee|kaffee|cafe|caffe|espresso|whole beans?|ganze bohnen)\b/;

/** Products applied to the skin by day or by night. */
const CARE = 'cream|fluid|lotion|serum|moisturi[sz]er|balm|care';

const WORN_FOR = 'trainings|jogging|lauf|rad|wander|ski|regen|winter|sport|arbeits|jeans|kapuzen';

/** In English a hose is not a garment, and a tee may be part of one. */
const HOSES =
  /\b(?:garden|water|air|vacuum|hydraulic|pvc|fittings?|connectors?|adapters?|splitters?|barb\p{L}*|golf)\b/u;

const ADULT = 'adults?|adulto|adulte|erwachsene';

/** An electric ignition is not the fuel. */
const ELECTRIC = 'electric(?! (?:ignition|igniter|start))';

const BATTERIES = /\b(?:batter(?:y|ies|ien?|ia)|baterie|akkus?|piles?|pilas?)\b/;

/** Products with a stated dose: a bath powder and a skin cream have none. */
const DOSED = /\d ?(?:mg|mcg|[mµμ]g|i\.?u|i\.?e)\b/;

/** What a tablet or a watch has in addition to its wireless network. */
const MOBILE = ' ?(?:[+&]|and|und) ?(?:cellular|lte|[345]g)';

/** Items placed between a lens and a camera, or on the lens. */
const OF_LENSES = /\b(?:adapters?|caps?|hood|filters?|rings?|tubes?|converters?)\b/;

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
  opposites('part of a course', [
    "student'?s'? book|sb|kursbuch|schulerbuch",
    'workbook|activity book|arbeitsbuch|ubungsbuch',
    "teacher'?s'? (?:book|guide)|lehrerhandbuch",
    'solutions? manual|answer key|losungsbuch|losungsheft',
  ]),
  opposites('tyre', ['clincher', 'tubeless|tlr', 'tubular'], {
    among: /\b(?:tyres?|tires?|reifen|pneus?)\b/,
  }),
  opposites('voltage', ['1[12]0 ?v(?:olts?|ac)?', '2[234]0 ?v(?:olts?|ac)?']),
  opposites('current', ['gleichstrom|dc', 'wechselstrom|ac'], {
    among: /\b(?:lok|\p{L}+lok|loco\p{L}*|spur|h0)\b/u,
  }),
  opposites(
    'battery',
    [String.raw`(?:\d{1,2}x)?aa|mignon|lr0?6`, String.raw`(?:\d{1,2}x)?aaa|lr0?3`],
    {
      among: BATTERIES,
    },
  ),
  opposites('layout', ['qwertz', 'qwerty', 'azerty']),
  // "With SD adapter" states both.
  opposites('card', ['micro(?: secure digital)?[ -]?sd(?:hc|xc)?', 'sd(?:hc|xc)?'], {
    among: /\b\d+ ?[gt]b\b/,
    unless: /\b(?:readers?|cameras?|camcorder|drone|players?|phone|tablet)\b/,
  }),
  opposites(
    'mount',
    [
      'sony f?e|e[ -]mount',
      'fuji(?:film)? x|x[ -]mount',
      'canon rf|rf[ -]mount',
      'canon ef(?:-s)?|ef[ -]mount',
      'nikon z|z[ -]mount',
      'nikon (?:f|af-?s)|f[ -]mount',
      'micro four thirds|mft',
      'leica l|l[ -]mount',
    ],
    { among: /\d ?mm\b/, unless: OF_LENSES },
  ),
  opposites('connection', [`(?:wi-?fi|wlan|gps)(?!${MOBILE})`, `(?:wi-?fi|wlan|gps)${MOBILE}`]),
  opposites('disc', ['dvd', 'blu-?ray'], { unless: PLAYERS }),
  opposites('record', ['vinyl|lp|schallplatte', 'cd|compact disc'], { unless: PLAYERS }),
  opposites('scent', [
    'eau de toilette|edt',
    'eau de parfum|edp',
    'eau de cologne|edc',
    'after ?shave|aftershave balm',
  ]),
  opposites('deodorant', ['(?:deo)?spray|aerosol', 'roll[ -]?on', 'stick'], {
    among: /\b(?:deo\p{L}*|anti-?[pt]erspirant\p{L}*|antitranspirant)\b/u,
  }),
  opposites('shave', [
    'shav(?:e|ing) gel|rasiergel|gel a raser|gel de afeitar|gel da barba',
    'shav(?:e|ing) foam|rasierschaum|mousse a raser|espuma de afeitar|schiuma da barba',
    'shav(?:e|ing) cream|rasiercreme|creme a raser|crema de afeitar|crema da barba',
  ]),
  opposites(
    'form',
    [
      'tablets|tabs|caplets|(?:film)?tabletten|compresse|comprim(?:es|idos|ate)',
      'capsules|caps|softgels|gel ?caps|(?:weich)?kapseln|gelules|capsulas|capsule',
      'syrup|suspension|oral solution|hustensaft|sirup|sirop|jarabe|sciroppo',
      'gummies|gommes|gominolas',
    ],
    { among: DOSED },
  ),
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
    'shampoo|shampooing|champu|sampon|sampuan|szampon',
    'conditioner|spulung|apres-shampooing|acondicionador|balsam|balsamo|balzsam|sac kremi|odzywka',
  ]),
  opposites(
    'time of day',
    [
      `day ?(?:${CARE})|tages(?:creme|pflege|fluid)|(?:creme|soin) de jour|crema (?:de dia|(?:da )?giorno)|creme de dia|krem na dzien|dagcreme|gunduz kremi`,
      `night ?(?:${CARE})|nacht(?:creme|pflege|serum)|(?:creme|soin) de nuit|crema (?:de noche|(?:da )?notte)|creme de noite|krem na noc|gece kremi`,
    ],
    {
      unless:
        /\b(?:day|tag|tages|jour|dia|giorno|dzien|dag)-? ?(?:and|und|et|y|e|i|en|&|\+|\/)? ?(?:na )?(?:night|nacht|nuit|noche|noite|notte|noc)/,
    },
  ),
  // The same upper garment may be called a hoodie, a hooded jacket or a tee.
  opposites(
    'garment',
    [
      `tees?|t-?shirts?|trikots?|maglietta|camiseta|hood(?:ie|y)s?|kapuzenpullover|sudadera|jackets?|(?:${WORN_FOR})?jacken?|giacca|chaqueta`,
      `pants|trousers|leggings|tights|(?:${WORN_FOR})?hosen?|pantalon(?:es|i)?`,
    ],
    { unless: HOSES },
  ),
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
    ['ps ?4|playstation ?4', 'ps ?5|playstation ?5', 'xbox', 'nintendo switch', PC],
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

/**
 * Matches if a title states any of these at all: most titles do not, and this one check takes a tenth of the time of all of
 * them.
 */
const ANY = new RegExp(ALL.map(({ pattern }) => pattern.source).join('|'), 'u');

const NONE: StatedSides = new Map();

/** The values that a title states, by the name of the opposites. */
export type StatedSides = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** Reads a title in `plainText`. */
export function statedSides(plain: string): StatedSides {
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

/** Returns the opposites in which two titles differ, and the words of each; null if there are none. */
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
const BREWED = String.raw`(?=.*\b(?:beers?|biere?|cervezas?|birra|lager|pils\p{L}*|ale|ipa|stout|radler|weissbier|wines?|wein|vin|vino|sekt|gin|spritz)\b)`;
const SODA = String.raw`(?=.*\b(?:cola|coke|pepsi|fanta|sprite|soda|limonade|energy drink)\b)`;
const OF_WHEAT = String.raw`(?=.*\b(?:pasta|spaghetti|penne|fusilli|noodles?|nudeln|flour|mehl|farine|bread|brot|pain|pizza|crackers?|cookies?|biscuits?|kekse)\b)`;
/** For products naturally without caffeine, the claim is just praise. */
const HERBAL = String.raw`(?!.*\b(?:herbal|herbs?|rooibos|chamomile|kamille\p{L}*|peppermint|fruit|krauter\p{L}*|infusion|tisane)\b)`;
/** Blades and cartridges are refills whether a title says so or not. */
const REFILLS = String.raw`(?!.*\b(?:blades?|klingen|rasierklingen|lames|cartridges?|kartuschen?|patronen?|pads?|ink|toner|tape|film|paper|notebook|planner|inserts?)\b)`;

/**
 * Words that shops rarely omit from a title, because they indicate another product. Marks that shops do omit (waterproof,
 * cellular, kids) cause more errors than they find.
 */
const MARKS: readonly RegExp[] = [
  // "Voltage tester" is a name.
  new RegExp(
    String.raw`^${SCENTED}.*\b(?:tester|sample|echantillon|muestra|probe|gift set|geschenkset|coffret|estuche)\b`,
    'u',
  ),
  /\b(?:signed|autographed|signiert)\b(?! distance)/,
  /\blarge print\b|\bgrossdruck\b/,
  /\bpolari[sz]ed\b|\bpolarisiert\p{L}*|\bpolarizad[oa]s?\b|\bpolarizzat[oaie]\b/u,
  new RegExp(
    String.raw`\bdecaf\p{L}*|\bentkoffeiniert\p{L}*|\bdescafeinado\b|\bdek\b|^${HERBAL}.*\b(?:caffeine[ -]free|koffeinfrei\p{L}*|sans cafeine|sin cafeina|senza caffeina)\b`,
    'u',
  ),
  /\b(?:unsalted|low[ -]sodium|no salt|salt[ -]free|ungesalzen)\b/,
  /\b(?:organics?|bio(?!-)|biologique|biologic[oa]|ecologic[oa])\b/,
  // A glove for the left hand is worn by a right-handed player.
  /^(?!.*\b(?:gloves?|handschuhe?)\b).*(?:\bleft[ -]?hand(?:ed)?\b(?! (?:throw|golfer|player|drive|side))|\blefty\b|\blinkshand\p{L}*|\bgauchers?\b|\bzurdos?\b|\bmancin[oi]\b)/u,
  /\bplayer extension\b|\bdlc\b|\bseason pass\b/,
  // The 4K disc and the steelbook are sold alongside the regular edition.
  /^(?!.*\b(?:player|drive|burner|recorder|laufwerk|brenner|tv|projector)\b)(?=.*\bblu-?ray\b).*\b(?:4k|uhd|ultra hd|steelbook)\b/,
  /\btori(?:c|que|co|ca|sch\p{L}*)\b|\bastigmati\p{L}+/u,
  /\bmulti-?[fv]o[ck]al\p{L}*|\bpresbyop\p{L}*/u,
  new RegExp(String.raw`^${REFILLS}.*\b(?:refills?|nachfull\p{L}*|navulling|eco-?recharge)\b`, 'u'),
  new RegExp(
    String.raw`\b(?:sugar[ -]?free|zero sugar|no sugar(?! added)|zuckerfrei\p{L}*|ohne zucker|sans sucres?(?! ajoute)|sin azucar(?:es)?(?! anadid)|senza zuccher[oi](?! aggiunt)|suikervrij)\b|^${SODA}.*\b(?:zero|diet|light)\b`,
    'u',
  ),
  /\b(?:unsweetened|ungesusst\p{L}*|non sucree?)\b/u,
  new RegExp(
    String.raw`^${BREWED}.*(?:\balcohol[ -]free\b|\bnon[ -]?alcoholic\b|\b(?:alkohol|alcohol)(?:frei|vrij)\p{L}*|\bsans alcool\b|\bsin alcohol\b|\banalcolic[oa]\b|\b0[.,]0\b)`,
    'u',
  ),
  /\b(?:lactose[ -]free|laktosefrei\p{L}*|sans lactose|sin lactosa|senza lattosio)\b/u,
  /\b(?:(?:reduced|low)[ -]fat|non-?fat|fettarm\p{L}*|fettreduziert\p{L}*)\b/u,
  new RegExp(
    String.raw`^${OF_WHEAT}.*\b(?:gluten[ -]?free|glutenfrei\p{L}*|sans gluten|sin gluten|senza glutine)\b`,
    'u',
  ),
  /\b(?:whole[ -]?wheat|vollkorn\p{L}*)\b/u,
];

const INK = String.raw`(?=.*\b(?:inks?|toners?|cartridges?|(?:drucker|tinten)?patronen?|tinte|cartouches?|encre|cartuch[oe]s?|tinta|cartucc(?:ia|e)|inchiostro|cartuse?)\b)`;

/**
 * Marks that a common model number does not outweigh: goods from another country or maker, and things that are not the
 * product at all.
 */
const SURE_MARKS: readonly RegExp[] = [
  // Another maker's ink carries the printer maker's number; "compatible with" states the printer for either.
  new RegExp(
    String.raw`^${INK}.*\b(?:compatib(?:les?|ilni?|ile?)|kompatib(?:el|le[nr]?|ilni|ilis))\b(?! (?:with|to|mit|avec|con|para|pour))`,
    'u',
  ),
  /\b(?:international version|global version|importversion|(?:gr[ea]y|parallel|japan(?:ese)?|jpn?|us|korean?|asian?|chin(?:a|ese)) import|(?:japanese|jpn?|korean|chinese|asian) version)\b/,
  /\bempty (?:retail )?box\b|\b(?:box|case|lid|remote|ear(?:bud|piece)|manual|dongle|receiver|cable|battery|charger|strap) only\b|\b(?:dummy (?:phone|model|display)|leerkarton|attrappe)\b|\bnur (?:verpackung|ovp|karton|ladecase)\b/,
];

/** The bits of the marks that a common model number outweighs. */
export const WEAK_MARKS = 2 ** MARKS.length - 1;

const ANY_MARK =
  /\b(?:tester|sample|echantillon|muestra|probe|gift set|geschenkset|coffret|estuche|signed|autographed|signiert|large print|grossdruck|polari|decaf|entkoff|descaf|dek|unsalted|low[ -]|no s|salt[ -]free|ungesalzen|organic|bio|ecologic|left|linkshand|gaucher|zurdo|mancin|player ext|dlc|season pass|blu-?ray|tori|astig|multi|presby|refill|nachfull|navull|eco-?rech|sugar|zero|zucker|sans|sin|senza|suiker|diet|light|unsweet|ungesuss|non|alcohol|alkohol|analcol|0[.,]0|lactose|laktose|reduced|fett|gluten|caffeine|koffein|ohne|whole|vollkorn|international|global|import|gr[ea]y|parallel|japan|jp|us|korea|asia|chin|compatib|kompatib|empty|dummy|leerk|attrappe|nur)|\bonly\b/;

/** Returns a listing's marks of another edition, as bits; reads a title and a brand in `plainText`. */
export function marksOf(plain: string): number {
  if (!ANY_MARK.test(plain)) return 0;
  return [...MARKS, ...SURE_MARKS].reduce(
    (found, mark, at) => (mark.test(plain) ? found | (1 << at) : found),
    0,
  );
}
