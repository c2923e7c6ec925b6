// Finds the language of the words that only one of two titles has. Shops in two countries use different names for one
// product ("Toothpaste", "Zahnpasta"). Other words in the same place therefore show two products only if both are in one
// language.

type Language = {
  /** Without accents; excludes words that are also words of an English title or names. */
  readonly words: ReadonlySet<string>;
  /** Letters, beginnings and endings that are rare in English words; matched against the word with its accents. */
  readonly shape: RegExp;
};

function language(shape: RegExp, ...lines: readonly string[]): Language {
  return { words: new Set(lines.join(' ').split(' ')), shape };
}

/** Function words, colours, wearers and product words. */
const ENGLISH = language(
  /oo|ee|ea(?!u)|sh|wh|ck|tch|ight|(?:ing|less|wn|[^aeiou](?:ed|y))$/u,
  'and with for of the black white red blue green gold silver brown pink men women kids years pack pieces size set',
  'lens oil pan knife case cover bag cream lotion soap water milk juice ground sugar salt powder sauce jam glue tape pen pencil',
  'eraser drum mouse printer monitor screen speaker charger adapter power cable drill saw hammer hose lamp bulb light shirt',
  'pants jacket trainers tights bike tyre tire helmet tent cat dog toys game puzzle balls racket blender mixer cups vacuum tin',
);

/**
 * The languages other than English. Names may be English in a title of any language, so English words in both titles prove
 * nothing.
 */
const LANGUAGES: readonly Language[] = [
  language(
    /[äöüß]|\p{L}{5}ung$|\p{L}{3}(?:keits|heits|ungs|schafts)\p{L}{4}|\p{L}{3}(?:keit|heit|creme|milch|salbe|seife|isch(?:e[nrs]?)?|zeug|kopf|schuhe?|messer|tasche|maschine|lampe|pflege|spitze|stift|halter|futter|spiel|teile|wasser|kleber|schraube[nr]?|reiniger|trockner|drucker|koffer|rucksack|hose|jacke|pfanne|topf|becher|flasche|deckel|beutel|schere|bohrer|akku|pumpe|leuchte|schlauch|reifen|netzteil|kabel|dose|schirm|decke|kissen|matratze|schrank|regal|tisch|stuhl|uhr|buch|rasierer|roboter|sauger)$|^(?:akku|zahn|staub|wasser|kaffee|schlag|haar|fuss|herren|damen|lauf|wander|schnell|ersatz|elektro|sicherheits?|schutz|reise)\p{L}{4}/u,
    'und mit fur ohne von zum zur der das den auf bei nach vom oder stk packung schwarz weiss rot blau grun grau gelb silber',
    'herren damen kinder jungen madchen maus tastatur drucker lautsprecher bildschirm fernseher objektiv gehause netzteil hulle',
    'ladegerat kabellos kabellose kabelloser tinte patrone uhr schuhe jacke hemd tasche rucksack koffer birne akku messer pfanne',
    'topf kaffee bohnen gemahlen ganze milch saft wasser seife zahnpasta zahncreme zahnburste rasierer staubsauger spielzeug',
    'buch heft stift bleistift kugelschreiber fuller fullhalter radiergummi feder klebestift kleber montageband reifen schlauch',
    'schraube schrauben bohrer sage hund katze matratze kissen decke schrank tisch stuhl neu innen aussen',
  ),
  language(
    /[éèêëàâçœûîô]|\p{L}{3}(?:eaux|euses?|oires?)$|^[dl]'\p{L}{3}/u,
    'du des les et avec sans sur noir noire blanc blanche rouge bleu vert verte gris jaune argent homme femme enfant casque',
    'enceinte souris clavier ecran imprimante cartouche encre montre chaussures veste sac ampoule chargeur etui coque housse',
    'robinet perceuse visseuse scie poele casserole couteau cafetiere lait jus huile savon brosse dentifrice rasoir aspirateur',
    'jeu jouet livre cahier stylo crayon boite fil filaire moulu grains confiture fraises moutarde shampoing shampooing lessive',
    'couches croquettes chien pneu pneus fauteuil etagere lit matelas oreiller',
  ),
  language(
    /[ñáíóú¿¡]|ci[oó]n$/u,
    'del las con sin para por negro negra blanco blanca rojo azul amarillo plata hombre mujer nino ninos auriculares altavoz',
    'raton teclado pantalla impresora cartucho tinta reloj zapatillas zapatos botas chaqueta mochila bombilla pilas cargador',
    'funda grifo taladro sierra sarten cuchillo cafetera leche zumo aceite jabon cepillo maquinilla aspiradora juego juguete',
    'libro cuaderno boligrafo lapiz inalambrico inalambrica inalambricos piel perro gato colchon almohada',
  ),
  language(
    /zion[ei]$|\p{L}{3}trice$|^(?:dell|all|nell)'/u,
    'del della dei delle gli con senza nero nera bianco bianca rosso rossa grigio giallo argento uomo donna bambino cuffie',
    'altoparlante tastiera schermo stampante cartuccia inchiostro orologio scarpe giacca zaino lampadina batterie caricatore',
    'custodia rubinetto trapano padella coltello caffettiera tazze succo olio sapone spazzolino elettrico dentifricio rasoio',
    'aspirapolvere gioco giocattolo libro quaderno penna matita macinato grani caffe gatto',
  ),
  language(
    /\p{L}{3}(?:heid|lijke?|schoenen|tje)$/u,
    'het een met zonder voor zwart wit rood blauw groen grijs geel zilver heren dames kinderen koptelefoon luidspreker muis',
    'toetsenbord scherm inkt horloge schoenen jas rugzak batterijen oplader kraan boor zaag mes koffie thee melk zeep',
    'borstel tandpasta tandenborstel scheerapparaat stofzuiger waterkoker speelgoed boek stuks draadloze bekabeld',
  ),
  language(
    /[łżźśćąęń]|szcz|\p{L}{3}(?:ow[aey]|czn[aye])$/u,
    'dla bez czarny czarna czarne bialy biala czerwony niebieski zielony szary srebrny zloty meski damski dzieciece',
    'sluchawki mysz klawiatura drukarka tusz zegarek buty kurtka plecak ladowarka etui noz patelnia kawa herbata mleko mydlo',
  ),
  language(/[åøæ]|\p{L}{3}ningen$/u, 'och utan uten uden og svart vit hvid bla gron'),
  language(/[čěřšžůýťď]/u, 'cerna cerny bila bily cervena modra zelena'),
  language(/\p{Script=Cyrillic}/u),
  language(/\p{Script=Greek}/u),
  language(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u),
];

/**
 * Returns whether the words that only one title has are in two languages. A common word shows the language of both: with
 * "Zahnpasta" in each, the other words are in one language.
 */
export function areInTwoLanguages(one: string, two: string, brands: readonly string[]): boolean {
  const [words, others] = [spelledWords(one, brands), spelledWords(two, brands)];
  const [mine, theirs] = [languagesOf(words, others), languagesOf(others, words)];
  // Names are English in titles of any language: a common English word proves nothing.
  const [own, their] = [mine.alone & ~IS_ENGLISH, theirs.alone & ~IS_ENGLISH];
  const both = (mine.shared | theirs.shared) & ~IS_ENGLISH;
  if ((own & their) !== 0 || ((own | their) & both) !== 0) return false;
  return (own !== 0 && theirs.alone !== 0) || (their !== 0 && mine.alone !== 0);
}

const WORD = /[\p{L}']+/gu;
const MARKS = /\p{M}/gu;

/** Returns the words of a title except those of the brand, without accents and as written. */
function spelledWords(title: string, brands: readonly string[]): ReadonlyMap<string, string> {
  const said = title.toLowerCase().replaceAll('\u2019', "'").normalize('NFC').match(WORD) ?? [];
  const words = said.map((word) => [plainOf(word), word] as const);
  return new Map(
    words.filter(([plain]) => !brands.some((brand) => brand.includes(plain.replaceAll("'", '')))),
  );
}

function plainOf(word: string): string {
  return word.normalize('NFD').replaceAll(MARKS, '').replaceAll('ß', 'ss').replaceAll('ł', 'l');
}

const IS_ENGLISH = 1 << LANGUAGES.length;

/** A bit per language: for words that the other title also has, and for those it does not. */
type Found = { readonly shared: number; readonly alone: number };

/** Returns the languages that the words of a title indicate. */
function languagesOf(
  words: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): Found {
  const found = { shared: 0, alone: 0 };
  for (const [plain, said] of words)
    found[others.has(plain) ? 'shared' : 'alone'] |= signsOf(plain, said);
  return found;
}

/** English counts only if no other language is indicated. */
function signsOf(plain: string, said: string): number {
  const found = LANGUAGES.reduce(
    (bits, { words, shape }, at) =>
      words.has(plain) || shape.test(said) ? bits | (1 << at) : bits,
    0,
  );
  if (found !== 0) return found;
  return ENGLISH.words.has(plain) || ENGLISH.shape.test(said) ? IS_ENGLISH : 0;
}
