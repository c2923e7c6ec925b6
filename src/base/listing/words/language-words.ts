// Defines the contents of a language file: each meaning that words on a page have for a reader, and how the words are
// written.

/**
 * A language without words: each file starts from it and adds its own.
 *
 * The words of a meaning are one text, separated by a comma and a blank. They are lower case; patterns ignore case. A word is
 * only as long as necessary: for a meaning that is searched anywhere in a text, `dostaw` also matches "dostawa" and "dostawy".
 * It may be a small pattern: `_app_` has no letter before or after it; `mitglied*` may be followed by any letters, and `akcij+`
 * by at least one; `(waren|einkaufs)korb` is one of two words, and `rat[ay]` has one of two letters. Other regular expression
 * syntax has its usual meaning.
 */
export const NO_WORDS = {
  // Words next to an amount that make it something other than the regular price of one product. Anywhere in the text.

  /** Words for the price of subscribers: "Abonnement". */
  subscription: '',
  /**
   * Delivery, a saving, a part of a payment, points, a deposit, a threshold, other sellers' offers: "shipping",
   * "Ersparnis".
   */
  charge: '',
  /** A reduction: "Rabatt". With a word for a price next to it, it is the reduced price. */
  discount: '',
  /** A word for a price, or the common stem of its forms: "precio", "cen[aęyu]". */
  priceName: '',
  /**
   * A price only for some: members, traders, holders of a code, users of one payment method; bids; a shop's purchase price
   * for a used product.
   */
  ofSome: '',
  /** The condition of another offer, before `usedFrom` at the end of a text: "used from". */
  usedOffer: '',
  /** "From" after `usedOffer`. */
  usedFrom: '',
  /** Days, after 30: the lowest price of thirty days. */
  days: '',
  /** "With" before `code`. */
  withCode: '',
  /** A code or a contract, after `withCode`: the price requires it. */
  code: '',
  /** A bottle deposit, after a word that says it is added. */
  deposit: '',
  /** Free of charge; the English phrases refer to delivery. */
  free: '',
  /** The last word before the amount above which something is free: "over", "ab". */
  freeFrom: '',
  /** Words for included or additional charges, as the first word after an amount: "zzgl.", "plus". */
  includedOrMore: '',
  /** "By" or "with" before `payment`. */
  paidBy: '',
  /** A payment method with a price of its own, after `paidBy`: "Vorkasse". */
  payment: '',
  /** "With" before `contract`. */
  withContract: '',
  /** A contract, after `withContract`. */
  contract: '',
  /** "With", "for" or "when" before a requirement that only some meet, after an amount. */
  forSome: '',
  /** The requirement: a card, a code, a membership. After `forSome`. */
  someHave: '',
  /** In the cart: the amount applies after adding the product to it. First word of the name. */
  inCart: '',
  /** "Not" before `member`. */
  notMember: '',
  /** A member; non-members pay the regular price. */
  member: '',
  /** "Or", "and" before `thresholdMore`, right after an amount: "99 $ and more: free". */
  thresholdOr: '',
  /** "More", "above" after `thresholdOr`. */
  thresholdMore: '',
  /** Both in one word. */
  thresholdAlone: '',
  /** "Away from", "until", "for", between an amount and `free`: the amount still missing for free delivery. */
  untilFree: '',

  // Prices by measure, by time, per piece and for several. Whole words.

  /** "By", "per" before a unit or a piece. */
  by: '',
  /** A unit of weight, volume, length or area, after `by`. */
  unit: '',
  /** A month, abbreviated, after `by`. */
  monthUnit: '',
  /** A unit compounded with `unitPrice`: "Kilopreis". */
  unitName: '',
  /** "Price" at the end of such a compound. */
  unitPrice: '',
  /** A piece, after `by`: the price of one. */
  piece: '',
  /** "Price" before `by` and `piece`: "Preis pro Stück". */
  priceBefore: '',
  /**
   * The unit in which goods are sold, after `priceBefore` and `by`: "Preis pro Karton". For languages where `charge` has
   * the two.
   */
  soldBy: '',
  /** "By", "per" before a time or a person. */
  per: '',
  /** A period of time, after `per`. */
  time: '',
  /** A person, after `per`. */
  person: '',
  /** By the month or the year, without `per`, after an amount. */
  paidByTime: '',
  /** Same, before an amount. */
  timeName: '',
  /** Pieces, after a number: "10 Stück". */
  pieces: '',
  /** "From", "buy" before a number of pieces. */
  fromPieces: '',
  /** "Or", "and" before `severalMore`, after a number. */
  severalOr: '',
  /** "More" after `severalOr`: "5 or more". */
  severalMore: '',
  /** "For" after a number: "3 for". */
  together: '',
  /** "If", "from" before a number of pieces, after an amount. */
  severalIf: '',
  /** A piece after an ordinal number: "2nd item". */
  nthPiece: '',

  // The labels of prices.

  /** The words that make up a price label: "sale price", "jetzt nur". Whole words. */
  priceWords: '',
  /** Same, in languages without blanks between words. */
  priceWordParts: '',
  /** A word for a price that makes the line above an amount its label. Anywhere. */
  priceAbove: '',
  /** A payment method that begins the line above an amount, which is then its label. */
  paymentName: '',
  /** A previous or recommended price: "was", "statt". Whole words at the end of the label. */
  former: '',
  /** The regular price, which everybody pays if it appears alone. */
  regular: '',
  /** "From", "between" before the lower end of a range. */
  between: '',
  /** A saving: "save", "oszcz". Anywhere, with any ending. */
  saving: '',
  /** A tax on sales. */
  tax: '',
  /** "Without" before `tax`. */
  withoutTax: '',
  /** "With" before `tax`. */
  withTax: '',
  /** "Excluded" after `tax`. */
  taxExcluded: '',
  /** "Included" after `tax`. */
  taxIncluded: '',
  /** Without tax, in one word. */
  net: '',
  /** With tax, in one word. */
  gross: '',
  /** Without tax, anywhere in a text: languages without blanks. */
  netParts: '',
  /** With tax, same. */
  grossParts: '',

  // Stock. For availability.ts, which strips diacritics: these words are written without them, and `#` is a number.

  /** Can be bought online now. */
  inStock: '',
  /** Cannot be bought now, and may be again. */
  outOfStock: '',
  /** Can only be ordered or looked at: a back order, a pre-order, a special order, a display piece. */
  onlyToOrder: '',
  /** No longer sold. */
  gone: '',
  /** Before "sold out": some are left. */
  nearly: '',
  /** Negates a stock phrase. Words in Latin letters. */
  stockNegation: '',
  /** Same, in other alphabets, between blanks. */
  stockNegationElsewhere: '',
  /** Same, anywhere in a text. */
  stockNegationParts: '',
  /** Turns a stock phrase into a question, a promise or an invitation to contact the shop: "notify", "wenn". */
  stockOpen: '',
  /** "From" before a number: a delivery date. */
  stockFrom: '',

  // Buttons and headings. The whole text.

  /** The label of a buy button. */
  buy: '',
  /** The heading above other products. */
  related: '',
  /** The heading above accessories for the product. */
  accessories: '',
  /** "My", "your" before the name of a service page. */
  my: '',
  /** Shared or saved, of a list. */
  shared: '',
  /** The cart and the checkout. */
  cart: '',
  /** Saved, viewed or compared products. */
  savedLists: '',
  /** The beginning of a heading above search results. */
  results: '',
  /** A gift card. */
  giftMoney: '',
  /** A ticket, as the label of an amount. */
  ticket: '',
  /** Adults, as the label of an amount. */
  adults: '',
  /** Children and other visitors with a reduced price, as the label of an amount. */
  otherVisitors: '',

  // Labels next to values. The whole label.

  barcode: '',
  brand: '',
  maker: '',
  /** A word that never occurs in a maker's name that is shown alone: "by", "von", "more". */
  nameParticle: '',
  /** The value next to such a label if there is no maker. */
  noMaker: '',
  shopNumber: '',
  makerNumber: '',
  conditionLabel: '',
  /** A condition as a badge: unambiguous words. */
  conditionBadge: '',

  // Events on a date.

  /** A domain name. Anywhere. */
  domain: '',
  weekday: '',
  month: '',
  /** "Until", "before" as the first word: the date is an end date. */
  until: '',
  /** Gives a date another meaning: opening, release, order, delivery. Anywhere. */
  ofGoods: '',

  // The names that shops give to page elements, each as one word of lower-case ASCII letters; some are in the developers'
  // language. visible-marks.ts has those that are English everywhere.

  /** A price. Anywhere in the word. */
  namePrice: '',
  /** A former price, or a struck-through one. */
  nameFormer: '',
  /** A current price. */
  nameCurrent: '',
  /** A charge, a rate, a saving, points. */
  nameCharge: '',
  nameNet: '',
  nameGross: '',
  nameStock: '',
  nameCents: '',
  nameCart: '',
  nameMaker: '',
  /** A number of things. */
  nameCount: '',
  nameButton: '',

  // Addresses: the words in a path.

  /** The last part of a service page's path: the cart, the imprint, the search. */
  servicePath: '',
  /** A folder of texts. */
  textFolder: '',
  /** The last part of a product's review page. */
  reviewPath: '',
  /** A folder or a host for tickets. */
  ticketPath: '',
  /** The last part of a search results page. */
  searchPath: '',
  /** A folder of categories or brands. */
  listPath: '',

  // Page data.

  /** Words for a former price that precede an amount within one field: "was", "before". */
  formerBefore: '',
  /** Words for an auction in the texts of an offer. */
  auction: '',
  /** Words for a price that are the whole label of a card. */
  cardPrice: '',
  /** Words for a maker that precede a colon in the field for the maker. */
  brandBefore: '',
  /** The first breadcrumb, which is not a category. */
  homeCrumb: '',
  /** A review, in an article's heading. */
  reviewWord: '',
  /** Availability, before a colon. */
  stockLabel: '',
  /** Products or results, after the number 1: a list with a single item. */
  countNoun: '',

  // Bot walls and error pages.

  /** A robot, a check, a refusal. Anywhere. */
  wall: '',
  /** A human, with up to three more letters. */
  visitor: '',
  /** A queue or a waiting time in front of a shop, a button to hold. Anywhere. */
  queue: '',
  /** The beginning of a word for a page or a product. Here and in the next four without diacritics. */
  pageOrProduct: '',
  /** "Not found", after `pageOrProduct`. */
  goneAfter: '',
  /** "Cannot find", before it. */
  goneBefore: '',
  /** Only now, or only for this visitor. */
  forNow: '',
  /** Closed for maintenance. */
  closedForNow: '',
  /** A page or product that is not found, in scripts without blanks or with words in this order. Anywhere. */
  goneUnspaced: '',

  // Pages about their visitor, without diacritics.

  /** A cart, checkout, order or account page: a whole part of its title, or of its path with blanks for hyphens. */
  privatePage: '',
  /** The label of an order's number. Anywhere, like the next one. */
  orderNumber: '',
  /** The label of a buyer's address: "shipping address". */
  postalAddress: '',

  // Conditions, letters only, without diacritics: condition.ts strips everything else, and has the English ones among the feed
  // values.

  isNew: '',
  isRefurbished: '',
  isLikeNew: '',
  isVeryGood: '',
  /** Used, with no condition stated or in good condition. */
  isUsed: '',
  isAcceptable: '',
  isForParts: '',

  // Conditions in titles, without diacritics. Unambiguous whole words, anywhere.

  titleForParts: '',
  titleRefurbished: '',
  titleOpenBox: '',
  titleUsed: '',

  // Packs in titles: single words, as they appear in titles.

  pallet: '',
  /** A case or carton that contains boxes. */
  crate: '',
  box: '',
  bundle: '',
  pack: '',
  set: '',
  ream: '',
  /** Turns the number before it into a pack: "12 pack". */
  packOf: '',
  /** Containers in the plural: "6 boxes of 50". */
  containers: '',
  /** Between a container and its number: "pack of 6". */
  ofPack: '',
  /** Pieces, after a number without a container. */
  pieceOf: '',
  dozen: '',
  /** Pieces in the plural, after their number. Without diacritics. */
  countedPieces: '',

  // Headings of suppliers' sheets. Whole words; heading-words.ts ignores diacritics, in the headings and here.

  /** A package in which products are sold to shops, in the heading of its code or cost. */
  headsPackage: '',
  /** A single piece. */
  headsPiece: '',
  /** Words for the cost of a product to a shop. */
  headsCost: '',
  /** Former: a code or a cost that no longer holds. */
  headsFormer: '',
  /** Turns a cost into another one, or into something that is not an amount: freight, a sale, a centre, a date. */
  headsOther: '',
  /** A number of pieces, next to a word for a package. */
  headsCount: '',
} as const;

/** Meanings of words on a page. */
export type Meaning = keyof typeof NO_WORDS;

/** The words of one language by their meaning. */
export type LanguageWords = Readonly<Record<Meaning, string>>;
