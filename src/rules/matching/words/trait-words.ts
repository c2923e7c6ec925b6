// Words that distinguish a product from its siblings (color, platform, edition and so on), in the languages of the
// shops: the class of a trait, then each value with its spellings. A number with a unit is not a trait word.

export const TRAIT_CLASSES = [
  'colour',
  'platform',
  'edition',
  'variant',
  'state',
  'accessory',
  'audience',
  'kind',
] as const;
export type TraitClass = (typeof TRAIT_CLASSES)[number];

type Trait = {
  readonly class: TraitClass;
  readonly value: string;
  /** Index among the values of its class, 0 to 31. */
  readonly bit: number;
};

/** In the spelling of `plainText`, which has no accents and no voicing marks: `フラック` is ブラック. */
const COLOURS: readonly string[] = [
  'black nero noir schwarz negro zwart czarny preto svart sort crna nera noire negra schwarze blk bk siyah negru neagra fekete cerny musta черныи черная черное フラック 黒',
  'white bianco blanc weiss blanco wit bialy branco vit hvid bianca blanche blanca wht beyaz alba feher bily bila valkoinen белыи белая белое ホワイト 白',
  'red rosso rouge rot rojo rood czerwony vermelho rod rossa roja kirmizi rosu piros voros cerveny cervena punainen красныи красная красное レット 赤',
  'blue blu bleu blau azul blauw niebieski bla bleue navy kobalt cobalt royal blaue lacivert albastru albastra kek modry modra sininen синии синяя синее голубои フルー 青',
  'green verde vert grun groen zielony gron gruen verte grune yesil zold zeleny zelena vihrea зеленыи зеленая зеленое クリーン 緑',
  'yellow giallo jaune gelb amarillo geel zolty amarelo galben galbena sarga zluty zluta gul keltainen желтыи желтая желтое',
  'grey gray grigio gris grau grijs szary cinza gra graphite grafito anthracite grise graue gri antrasit szurke sedy harmaa серыи серая серое クレー',
  'orange arancione naranja oranje pomaranczowy laranja rancione mango turuncu portocaliu narancs oranzovy oranzova oranssi оранжевыи оранжевая オレンシ',
  'pink rosa rose roze rozowy fuchsia magenta pembe roz rozsaszin ruzovy ruzova розовыи розовая розовое ヒンク',
  'brown marrone marron braun marrom bruin brazowy brun brown coffee tan bronze kahverengi maro barna hnedy hneda ruskea коричневыи коричневая フラウン',
  'purple viola violet lila purpura paars fioletowy violett mov fialovy fialova фиолетовыи фиолетовая',
  'silver argento argent silber plata zilver srebrny prata stainless gumus argintiu argintie ezust stribrny stribrna hopea серебристыи серебристая シルハー',
  'gold oro or dorado goud zloty golden guld dore auriu aurie arany zlaty zlata золотои золотистыи золотая コールト',
  'beige cream ivory sand khaki bej ヘーシュ',
  'cyan turquoise teal',
  'clear transparent',
  'volt',
  'obsidian ossidiana obsidienne',
  'platinum platino platine',
  'crimson cremise carmin',
  'multicolor tricolor multi-color colour color',
];

const PLATFORMS: readonly string[] = [
  'mac macintosh macos osx',
  'win windows',
  'linux',
  'ps2',
  'ps3',
  'ps4',
  'ps5',
  'psp',
  'xbox',
  'xbox360',
  'wii',
  'nds ds',
  'gamecube',
  'nikon',
  'canon',
  'sony',
  'pentax',
  'android',
  'iphone',
  'ipad',
  'ipod',
];

const EDITIONS: readonly string[] = [
  'professional pro prof',
  'standard std',
  'premium',
  'ultimate',
  'home',
  'student stdnt',
  'academic acad edu education educational',
  'enterprise ent',
  'deluxe dlx',
  'basic',
  'upgrade upg upgr upsell',
  'full',
  'oem',
  'suite',
  'server',
  'premier',
  'elite',
  'essentials essential',
  'business',
  'extended',
  'design',
  'web',
  'production',
  'master',
  'collection',
  'express',
  'teacher',
  'family',
  'renewal',
  'maintenance',
  'license licence lic',
];

const VARIANTS: readonly string[] = [
  'plus',
  'lite light',
  'mini',
  'max',
  'ultra',
  'small',
  'retail',
  'xl',
  'ii',
  'iii',
  'iv',
  'complete',
  'limited',
  'special',
  'additional',
  'wireless wifi',
  'bluetooth',
  'high',
  'low',
  'mid',
];

const KINDS: readonly string[] = [
  'shoes shoe scarpe schuhe chaussures zapatillas buty schoenen obuwie sneakers sneakersy trainers',
  'watch watches uhr reloj montre orologio horloge zegarek armbanduhr',
  'camera cameras camara kamera fotocamera digitalkamera',
  'leather pelle leder cuir piel',
  'ink tinte encre tinta inchiostro',
  'printer printers stampante drucker imprimante',
  'cartridge cartridges cartouche patrone cartuccia druckerpatrone',
  'automatic automatik automatico automatique',
  'chronograph chronograf cronografo chronographe chrono',
  'soccer fussball football calcio voetbal voetbalschoenen',
  'boots boot stiefel bottes botas',
  'hard',
  'disk disc disco festplatte disque dysk',
  'memory speicher memoire memoria',
  'card cards karte carte tarjeta',
  'notebook laptop portatil',
  'screen schermo bildschirm ecran pantalla',
  'steel stahl acier acero acciaio',
];

const STATES: readonly string[] = [
  'refurbished refurb renewed reconditioned remanufactured',
  'used',
  'bulk',
  'replica',
  'compatible',
  'replacement',
  'bundle bndl',
  'kit',
  'combo',
  'lot',
  'set',
  'body',
  'refill',
];

const ACCESSORIES: readonly string[] = [
  'case cases',
  'cover',
  'charger',
  'battery',
  'cable',
  'mount',
  'stand',
  'bag',
  'skin',
  'adapter',
  'strap',
  'bracket',
  'holder',
  'sleeve',
  'lens',
  'remote',
  'filter',
  'warranty',
  'dock',
  'keyboard',
  'mouse',
  'headset',
  'speaker',
  'stylus',
  'protector',
  'processor',
  'drive',
];

const AUDIENCES: readonly string[] = [
  'mens men uomo homme herren hombre heren meskie man man male miesten hommes gents',
  'womens women donna femme damen mujer dames damskie woman ladies lady female femmes wmns damenuhr',
  'kids kid junior jr youth bambino enfant kinder nino kinderen dzieciece boys girls gs ps td bg gg toddler',
];

function traits(name: TraitClass, lines: readonly string[]): readonly (readonly [string, Trait])[] {
  return lines.flatMap((line, bit) => {
    const spellings = line.split(' ');
    const value = spellings[0] ?? '';
    return spellings.map((spelling): [string, Trait] => [spelling, { class: name, value, bit }]);
  });
}

const TRAITS = new Map<string, Trait>([
  ...traits('audience', AUDIENCES),
  ...traits('accessory', ACCESSORIES),
  ...traits('state', STATES),
  ...traits('platform', PLATFORMS),
  ...traits('kind', KINDS),
  ...traits('variant', VARIANTS),
  ...traits('edition', EDITIONS),
  ...traits('colour', COLOURS),
]);

/** Returns the trait that a word names, or null. */
export function traitOf(word: string): Trait | null {
  return TRAITS.get(word) ?? null;
}

/** Returns the common spelling of a word that names a trait; any other word unchanged. */
export function canonicalWord(word: string): string {
  return TRAITS.get(word)?.value ?? word;
}

/** Words in the edition and variant classes that shops omit: they are not informative. */
export const QUALITIES = new Set(
  'full retail license small additional wireless bluetooth high low mid web production design maintenance'.split(
    ' ',
  ),
);

/** Suffixes by which shops distinguish models of one name. */
export const NAMED_MARKS = 'next|neo|se|fe|ti|super|evo|air|duo|trio|slim|turbo|elite|prime';
const NAMED_MARK = new RegExp(`^(?:${NAMED_MARKS})$`);

/** Returns whether a word is a mark of another model or edition. */
export function isMark(word: string): boolean {
  const trait = traitOf(word)?.class;
  const isNamed = trait === 'edition' || trait === 'variant' || NAMED_MARK.test(word);
  return isNamed && !QUALITIES.has(word) && word !== 'standard';
}
