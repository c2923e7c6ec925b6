// What a language file may hold: each meaning that words on a page have for a reader, and how the words are written.

/**
 * A language with no words yet: each file begins with it and says what it has.
 *
 * The words of a meaning stand in one text, parted by a comma and a blank. They are lower case; patterns ignore the case. A word is as
 * long as it needs to be: where a meaning looks anywhere in a text, `dostaw` is also found in "dostawa" and "dostawy". It may be a
 * small pattern: `_app_` has no letter before and behind it; `mitglied*` has any letters behind it, and `akcij+` at least one;
 * `(waren|einkaufs)korb` is one of two words, and `rat[ay]` has one of two letters. Anything else of a regular expression means
 * here what it means there.
 */
export const NO_WORDS = {
  // The words next to an amount that make it something else than what everybody pays for one of the product. Anywhere in the text.

  /** What subscribers pay: "Abonnement". */
  subscription: '',
  /** Delivery, a saving, a part of a payment, points, a deposit, a threshold, what others sell: "shipping", "Ersparnis". */
  charge: '',
  /** What is taken off: "Rabatt". With a word for a price next to it, it is what is left. */
  discount: '',
  /** A word for a price, or what all of its forms begin with: "precio", "cen[aęyu]". */
  priceName: '',
  /** What only some pay: members, traders, who has a code, who pays in one way; bids; what a shop pays for a used one. */
  ofSome: '',
  /** The condition of another offer, before `usedFrom` at the end of a text: "used from". */
  usedOffer: '',
  /** "From" after `usedOffer`. */
  usedFrom: '',
  /** Days, after 30: the lowest price of thirty days. */
  days: '',
  /** "With" before `code`. */
  withCode: '',
  /** A code or a contract, after `withCode`: it is the price of who has one. */
  code: '',
  /** A deposit on bottles, after a word that it comes on top. */
  deposit: '',
  /** Free of charge; the English phrases are of delivery. */
  free: '',
  /** The last word before the amount from which on something is free: "over", "ab". */
  freeFrom: '',
  /** What is in a price or on top of it, as the first word after an amount: "zzgl.", "plus". */
  includedOrMore: '',
  /** "By" or "with" before `payment`. */
  paidBy: '',
  /** One way of paying that has a price of its own, after `paidBy`: "Vorkasse". */
  payment: '',
  /** "With" before `contract`. */
  withContract: '',
  /** A contract, after `withContract`. */
  contract: '',
  /** "With", "for" or "when" before what some have, after an amount. */
  forSome: '',
  /** What some have: a card, a code, a membership. After `forSome`. */
  someHave: '',
  /** In the cart: the amount of who has put it there. First word of the name. */
  inCart: '',
  /** "Not" before `member`. */
  notMember: '',
  /** A member; who is none pays what everybody pays. */
  member: '',
  /** "Or", "and" before `thresholdMore`, right after an amount: "99 $ and more: free". */
  thresholdOr: '',
  /** "More", "above" after `thresholdOr`. */
  thresholdMore: '',
  /** The two in one word. */
  thresholdAlone: '',
  /** "Away from", "until", "for", between an amount and `free`: what is missing for delivery to be free. */
  untilFree: '',

  // A price by measure, by time, by the piece and for several. Whole words.

  /** "By", "per" before a unit or a piece. */
  by: '',
  /** A unit of weight, volume, length or area, after `by`. */
  unit: '',
  /** A month, cut short, after `by`. */
  monthUnit: '',
  /** A unit in one word with `unitPrice`: "Kilopreis". */
  unitName: '',
  /** "Price" at the end of such a word. */
  unitPrice: '',
  /** A piece, after `by`: what one costs. */
  piece: '',
  /** "Price" before `by` and `piece`: "Preis pro Stück". */
  priceBefore: '',
  /** "By", "per" before a time or a person. */
  per: '',
  /** A span of time, after `per`. */
  time: '',
  /** A person, after `per`. */
  person: '',
  /** By the month or the year, without `per`, after an amount. */
  paidByTime: '',
  /** The same before an amount. */
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

  // The names of prices.

  /** What the label of a price is made of: "sale price", "jetzt nur". Whole words. */
  priceWords: '',
  /** The same in languages that set no blanks between words. */
  priceWordParts: '',
  /** A word for a price that makes the line above an amount its label. Anywhere. */
  priceAbove: '',
  /** A way of paying that begins the line above an amount, which is its label then. */
  paymentName: '',
  /** What it cost before, or what somebody recommends: "was", "statt". Whole words at the end of the label. */
  former: '',
  /** The regular price, which alone is what everybody pays. */
  regular: '',
  /** "From", "between" before the lower end of a range. */
  between: '',
  /** What is saved: "save", "oszcz". Anywhere, with any ending. */
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
  /** With tax, the same. */
  grossParts: '',

  // Stock. In availability.ts, which takes off the diacritics: these words stand without them, and `#` is a number.

  /** Can be bought online now. */
  inStock: '',
  /** Cannot be bought now, and may be again. */
  outOfStock: '',
  /** Not sold any more. */
  gone: '',
  /** Before "sold out": some are left. */
  nearly: '',
  /** Turns a phrase of stock into its opposite. Words of Latin letters. */
  stockNegation: '',
  /** The same in other alphabets, between blanks. */
  stockNegationElsewhere: '',
  /** The same anywhere in a text. */
  stockNegationParts: '',
  /** Turns a phrase of stock into a question, a promise or an offer to write: "notify", "wenn". */
  stockOpen: '',
  /** "From" before a number: a date of delivery. */
  stockFrom: '',

  // Buttons and headings. The whole text.

  /** The label of a button that buys. */
  buy: '',
  /** The heading above other goods. */
  related: '',
  /** The heading above what fits the product. */
  accessories: '',
  /** "My", "your" before the name of a service page. */
  my: '',
  /** Shared or saved, said of a list. */
  shared: '',
  /** The cart and the checkout. */
  cart: '',
  /** Saved, viewed or compared products. */
  savedLists: '',
  /** What the heading above search results begins with. */
  results: '',
  /** A gift card. */
  giftMoney: '',
  /** A ticket, as the name of an amount. */
  ticket: '',
  /** Adults, as the name of an amount. */
  adults: '',
  /** Children and who else pays less, as the name of an amount. */
  otherVisitors: '',

  // Labels next to values. The whole label.

  barcode: '',
  brand: '',
  maker: '',
  /** A word that stands in no name of a maker that is shown alone: "by", "von", "more". */
  nameParticle: '',
  /** What stands next to such a label when there is no maker. */
  noMaker: '',
  shopNumber: '',
  makerNumber: '',
  conditionLabel: '',
  /** A condition as a badge: words that can mean nothing else. */
  conditionBadge: '',

  // What takes place on a day.

  /** A domain name. Anywhere. */
  domain: '',
  weekday: '',
  month: '',
  /** "Until", "before" as the first word: the day is an end. */
  until: '',
  /** What gives a day another meaning: opening, release, order, delivery. Anywhere. */
  ofGoods: '',

  // The names that shops give to the elements of a page, as one lower case word of ASCII letters each; some are of the language that
  // the shop's people speak. visible-marks.ts has those that are English everywhere.

  /** A price. Anywhere in the word. */
  namePrice: '',
  /** A former price, or that something is struck through. */
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

  // Addresses: the words of a path.

  /** The last part of a service page: the cart, the imprint, the search. */
  servicePath: '',
  /** A folder of texts. */
  textFolder: '',
  /** The last part of the reviews of a product. */
  reviewPath: '',
  /** A folder or a host that sells tickets. */
  ticketPath: '',
  /** The last part of search results. */
  searchPath: '',
  /** A folder of categories or brands. */
  listPath: '',

  // The data of a page.

  /** A former price, before an amount in one field. */
  formerBefore: '',
  /** An auction, in the texts of an offer. */
  auction: '',
  /** A price, as the whole label of a card. */
  cardPrice: '',
  /** A maker before a colon, in the field of the maker. */
  brandBefore: '',
  /** The first crumb of a trail, which is no category. */
  homeCrumb: '',
  /** A review, in the heading of an article. */
  reviewWord: '',
  /** Availability, before a colon. */
  stockLabel: '',
  /** Products or results, after the number 1: a list with a single one. */
  countNoun: '',

  // Walls and error pages.

  /** A robot, a check, a refusal. Anywhere. */
  wall: '',
  /** A human, with up to three letters more. */
  visitor: '',
  /** A page or a product, by its beginning. Here and in the next four without diacritics. */
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

  // Conditions, letters only, without diacritics: condition.ts takes off both, and has the English ones among the values of feeds.

  isNew: '',
  isRefurbished: '',
  isLikeNew: '',
  isVeryGood: '',
  /** Used, without saying how well it has kept, or good. */
  isUsed: '',
  isAcceptable: '',
  isForParts: '',

  // Conditions in titles, without diacritics. Whole words anywhere, that can mean nothing else.

  titleForParts: '',
  titleRefurbished: '',
  titleOpenBox: '',
  titleUsed: '',

  // Packs in titles (docs/quantities.md): single words, as a title has them.

  pallet: '',
  /** A case or carton, which holds boxes. */
  crate: '',
  box: '',
  bundle: '',
  pack: '',
  set: '',
  ream: '',
  /** What makes a pack of the number in front of it: "12 pack". */
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
} as const;

/** What words on a page mean. */
export type Meaning = keyof typeof NO_WORDS;

/** The words of one language by their meaning. */
export type LanguageWords = Readonly<Record<Meaning, string>>;
