// French words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const FRENCH: LanguageWords = {
  ...NO_WORDS,
  subscription: 'abonn?ement',
  charge:
    'livraison, expédition, transport, économi, mensu, prix au, prix/, consigne, garantie\\b, éco[- ]?part, éco[- ]?taxe',
  discount: 'remis',
  priceName: 'prix',
  ofSome:
    'adhérent, abonné, code promo, virement, acompte, enchère, mise à prix, _reprise_, échantillon, prix le plus bas, ' +
    'plus bas prix',
  usedOffer: 'occasions?, reconditionné*',
  usedFrom: 'dès, à partir de',
  days: 'jours',
  withCode: 'avec',
  code: 'code, forfait, abonnement',
  free: 'gratuit, offert',
  freeFrom: 'dès, à partir de',
  includedOrMore: 'hors, avec livraison',
  withContract: 'avec',
  contract: 'abonnement, forfait',
  forSome: 'avec, pour',
  someHave: 'carte, adhérents, abonnés',
  notMember: 'non',
  member: 'adhérents?, abonnés?',
  thresholdOr: 'et, ou',
  thresholdMore: 'plus',
  untilFree: 'pour',
  by: "par, à l['’ae], l['’], le, la",
  unit: 'lit(er|re|ro|r), m[eèé]t(er|re|ro)',
  monthUnit: 'mois',
  piece: 'unit[àé], pi[eè]ce',
  priceBefore: 'prix',
  soldBy: 'boîte, paquet, paire, rouleau, lot, carton, sac, sachet, bouteille, botte',
  per: 'par, à la, la, le, a',
  time: 'journée, jour, nuit, semaine, mois, an, année',
  person: 'personne, participant',
  pieces: 'pièces, bouteilles, pneus',
  fromPieces: 'à partir de, dès, par, les, lot de',
  severalOr: 'et, ou',
  severalMore: 'plus',
  together: 'pour',
  severalIf: 'par, les, dès, à partir de',
  nthPiece: 'article',
  priceWords:
    'prix, notre, votre, maintenant, seulement, soldé?s?, remisé, réduit, actuel, vente, de, du, jour, spéciale?, offre, ' +
    'exclusif, à partir, dès, pour, achat immédiat',
  priceAbove: 'prix',
  paymentName: 'virement',
  former:
    "au lieu de, prix ((public |de vente )?conseillé|barré|d'origine|initial|public), " +
    'prix (de référence|habituel|catalogue), avant',
  regular: 'prix habituel',
  between: 'de, entre',
  saving: 'écono, remise',
  tax: 'tva, taxes?',
  withoutTax: 'hors, sans',
  withTax: 'avec',
  net: 'h\\.?t\\.?',
  gross: 't\\.?t\\.?c\\.?, toutes taxes',
  inStock: 'habituellement expedie, en stock, disponible',
  outOfStock:
    'en rupture de stock, rupture de stock, en rupture, epuise, pas en stock, non disponible, indisponible, ' +
    'n est pas disponible, victime de son succes, plus en stock, plus disponible, plus de stock, aucun stock, epuisee, epuises',
  onlyToOrder:
    'precommande, en precommande, precommander, disponible en precommande, sur commande, disponible sur commande, ' +
    'sur commande uniquement, commande speciale, en reapprovisionnement, en cours de reapprovisionnement',
  gone:
    'n est plus disponible, n est plus vendu, n est plus vendue, n est plus commercialise, n est plus commercialisee, ' +
    'n est plus fabrique, n est plus en vente, supprime du catalogue',
  nearly: 'presque',
  stockNegation: 'pas, non, aucun\\w*',
  stockOpen: 'avisez, quand, bientot',
  buy:
    '(ajouter|mettre) (au|à mon|à votre|dans (le|mon)) (panier|sac), (acheter|j.achète)( maintenant| en ligne)?, ' +
    '(je )?commander?',
  related:
    '(produits|articles) (similaires|associés|liés|apparentés|complémentaires|recommandés|connexes), ' +
    'vous (aimerez|pourriez|aimeriez|pouvez|allez)\\b.{0,20}(aussi|aimer|également).*, ' +
    '(les |nos )?clients (ayant|ont|qui ont) .*, récemment (vus|consultés), vus récemment, dans la même catégorie',
  accessories: '(nos )?accessoires( compatibles| associés)?',
  my: 'mon, mes, votre, vos, ta, ma',
  shared: 'partagée?, enregistrée?',
  cart: 'panier, commande, récapitulatif( de commande)?',
  savedLists:
    'liste (d envies?|de souhaits), favoris, (produits )?(récemment|derniers) (vus|consultés|produits consultés), ' +
    'comparateur, comparaison (de|des) produits, comparer les produits',
  results: 'résultats? (de (la |votre )?recherche|pour), recherche pour',
  giftMoney: '(cartes?|bons?|chèques?) cadeaux?',
  ticket: 'billets?',
  adults: 'adultes?, plein tarif',
  otherVisitors: 'enfants?, étudiants?, tarif réduit',
  barcode: 'code[- ]barres?, code ean',
  brand: 'marque',
  maker: 'fabricant',
  nameParticle: 'de, du, des',
  noMaker: 'sans marque, générique',
  shopNumber: 'r[ée]f(\\.|érence)?( (produit|article))?',
  makerNumber: 'r[ée]f(\\.|érence)? (du )?fabri[cq]ant',
  conditionLabel: '[ée]tat( du produit| cosmétique)?',
  conditionBadge: 'neuf, occasion, reconditionné',
  domain: 'domaine',
  weekday: 'lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche',
  month:
    'février, avril, mai, juin, juillet, août, décembre, janvier, mars, septembre, o[ck]tobre, novembre',
  until: 'jusqu*, avant',
  ofGoods: 'ouvert, sort(ie|ira), disponib, livr, expédi, command, prix',
  nameFormer: 'barre',
  nameCharge: 'livraison',
  nameNet: 'ht',
  nameGross: 'ttc',
  nameStock: 'disponibilite',
  nameCents: 'centimes',
  nameCart: 'panier',
  nameMaker: 'marque, fabricant',
  nameCount: 'quantite, qte',
  nameButton: 'bouton',
  servicePath: 'aide, panier, livraison, recherche',
  textFolder: 'recettes?',
  reviewPath: 'avis',
  ticketPath: 'billets?, billetterie',
  searchPath: 'recherche',
  listPath: 'categorie, marques?',
  formerBefore: 'au lieu de, prix conseillé',
  auction: 'ench[eè]res?',
  cardPrice: 'prix',
  brandBefore: 'marque',
  homeCrumb: 'accueil',
  stockLabel: 'disponib*',
  countNoun: 'produits?, résultats?',
  wall: 'accès (refusé|interdit), (trafic|activité) (inhabituel|suspect)',
  visitor: 'humain',
  queue: '(file|salle) d.attente, temps d.attente, maintenez .{0,30}(appuyé|enfoncé)',
  pageOrProduct: 'produit, annonce',
  goneAfter: 'introuvable, non trouve*, n existe (pas|plus), n est plus',
  forNow: 'momentanement, temporairement, actuellement, pour le moment',
  closedForNow: '(site )?en maintenance, maintenance en cours',
  isNew: 'neuf',
  isRefurbished: 'reconditionne',
  isLikeNew: 'commeneuf',
  isVeryGood: 'tresbonetat',
  isUsed: 'occasion, doccasion, bonetat',
  isAcceptable: 'acceptableetat',
  isForParts: 'pourpieces',
  titleForParts: 'hors service',
  titleRefurbished: 'reconditionn?ee?s?',
  titleUsed: "d'occasion",
  pallet: 'palette',
  box: 'boîte, boite, boîtes, boites',
  bundle: 'lot',
  pack: 'paquet, paquets',
  set: 'jeu',
  packOf: 'paquets',
  containers: 'boîtes, boites',
  ofPack: 'de, à',
  pieceOf: 'pièces, unités',
  dozen: 'douzaine',
  countedPieces: 'comprimes, gelules',
  headsPackage:
    'colis(age)?, caisses?, cartons?, palettes?, (sous|sur)?-?emballages?, emb, lots?, packs?, ' +
    'conditionnement, conditionnements?, unit(é|e) logistique, bo[iî]tes?, douzaines?, pcb, spcb, ' +
    'barquettes?, suremballage, multipack',
  headsPiece: 'unit(é|e|aire)s?, pi(è|e)ces?, pce, consommateur, individuel\\w*, article, uvc',
  headsCost:
    "co[uû]ts?, prix d['’ ]?achats?( net)?( ht)?, pa( net| ht)?, " +
    'prix (de )?(revient|gros|cession|net|unitaire)( ht| net)?, achat( ht)?, pu( ht| net)?, ' +
    'prix fournisseur, tarif',
  headsFormer: 'ancien(ne)?s?, pr(é|e)c(é|e)dent\\w*, remplacé',
  headsOther:
    'fret, port, transport, livraison, exp(é|e)dition, centres?, centre de co[uû]ts?, codes?, m(é|e)thodes?, ' +
    'types?, dates?, pourcent\\w*, taux, marge, conseill(é|e)s?, pvc, pvp, ppc, public, vente, total\\w*, ' +
    'montant, devise, groupe, remise, poids, douane, frais, stockage, cat(é|e)gorie, nature, (é|e)co-?\\w*',
  headsCount: 'qt(é|e)s?, quantit(é|e)s?, nombre, nb, contenu, pi(è|e)ces, unit(é|e)s',
  privatePage:
    "(((mon|votre|le) )?panier)( d'achat)?, ((mon|votre) )?compte( client)?, " +
    '(mes|vos) (commandes|adresses|achats), ' +
    '(ma |votre |passer (la |une )?|finaliser (la |ma |votre )?|validation de (la |ma )?|confirmation de (la |votre )?|details? de (la |votre )?|suivi de (la |votre )?|historique des )?commandes?( (confirmee|recue|terminee))?, ' +
    '(caisse|paiement)( securise)?, merci pour votre (commande|achat), historique (de |des )?commandes, ' +
    'suivi commande, mentions de livraison',
  orderNumber: '(numero|n°|no|reference) (de |de la |de votre )?commande, commande (n°|no|numero)',
  postalAddress: 'adresse de (livraison|facturation), livre[er]? a',
};
