// English words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const ENGLISH: LanguageWords = {
  ...NO_WORDS,
  charge:
    'shipping, deliver, postage, freight, save, saving, you pay, per month, monthly, rate\\b, installment, instalment, ' +
    'payments?\\b, financ, klarna, affirm, afterpay, points, unit price, price per, per (kg|100|l\\b|litre|unit|piece|st\\b), ' +
    'estimate, deposit, gift ?card, coupon, voucher, \\bover\\b, \\babove\\b, minimum, starting (price|bid), reserve, ' +
    'current offers, member, club, with card, trade-?in, insurance, warranty, subtotal, total\\b, \\bships?\\b, approx, ' +
    'from other sellers, shop pay, insured, budget, credit, lowest price in, 30[- ]day, buyers? premium, subscribe, ' +
    'subscription, \\brent(al)?\\b, \\bhire\\b, up ?front, rebate, cash ?back',
  discount: 'discount',
  priceName: 'pri[cs]',
  ofSome:
    'insider, prime (price|deal|member), _vip_, rewards?, loyalty, students?, military, clubcard, nectar, ' +
    '_app([- ]?(price|preis|prijs|pris)|s|li|lication|licazione|licativo|likation)?_, auto[- ]?(ship|deliver|replenish), ' +
    'repeat deliver, promo[- ]?code, _wire_, e-?check, bank transfer, cash price, pay today, due today, wholesale, ' +
    'trade price, bulk, _bids?_, buy-?back, we buy, webuy, engraving, gift[- ]?wrap, assembly, installation, applecare, ' +
    'swatch',
  usedOffer: 'used, open[- ]box, pre-?owned, refurbished, renewed',
  usedFrom: 'from',
  withCode: 'with, use, using',
  code: 'code, contract',
  free: 'free (shipping|delivery|postage|returns|express|standard)',
  freeFrom: 'over, above, from, spend',
  includedOrMore: 'plus, incl, excl, without',
  paidBy: 'by, with, via',
  payment: 'bank transfer',
  withContract: 'with',
  contract: 'contract, plan, activation',
  forSome: 'with, w/, when, if, for, using, via',
  someHave: 'code, coupon, card, members?, rewards, subscri, autoship',
  notMember: 'non, not, no',
  member: 'members?',
  thresholdOr: 'or, and',
  thresholdMore: 'more, up, over, above',
  untilFree: 'away from, until, till, to, for',
  by: 'per, p(er|r)\\.?',
  unit: 'kg, kilo*, g, gr, l, lt, ltr, lit(er|re|ro|r)',
  piece: 'unit, pcs?',
  priceBefore: 'price',
  soldBy:
    'box, pack(age|et)?, pair, roll, reel, set, kit, case, carton, bundle, bag, bottle, tin, can, jar, tube, pallet',
  per: 'per, a',
  time: 'mth, month, mo, day, night, week, year',
  person: 'person, adult, guest, participant, seat, ticket',
  paidByTime:
    '(for )?(the )?first (\\d{1,2} )?(weeks?|months?|years?)_, billed (monthly|annually|yearly)',
  pieces: 'pcs?, pieces?, units?, items?, bottles?, packs?',
  fromPieces: 'buy, any, mix, (case|pack|box|bundle) of, from, take',
  severalOr: 'or, and',
  severalMore: 'more, up, over, above',
  together: 'for',
  severalIf: 'when, if, mix, from',
  nthPiece: 'unit, item, article',
  priceWords:
    'prices?, sales?, now, our, your, only, just, at, for, from, as low as, starting, special, offers?, deals?, of the, ' +
    'day, today, today.s, clearance, discount(ed)?, reduced, current, final, new, promo(tion(al)?)?, web, online, ' +
    'internet, exclusive, outlet, black friday, cyber monday, limited time, hot, best, flash, weekly, daily, the, is, ' +
    'each, buy it now, one[- ]time purchase, buy once, usd?',
  priceAbove: 'pri[cs]',
  former:
    'was, were, then, before, previously, formerly, reg(ular(ly)?)?\\.?( price)?, orig(inal(ly)?)?\\.?( price)?, ' +
    'list( price)?, old price, msrp, m\\.s\\.r\\.p\\., rrp, r\\.r\\.p\\.?, srp, u\\.p\\., usual price, ' +
    'after (event|sale|offer)( price)?, retail( price)?, compare( at)?, value, instead of',
  regular: 'reg(ular(ly)?)?\\.?( price)?',
  between: 'from, between',
  saving: 'save, saving, off\\b',
  tax: 'vat, tax(es)?, gst',
  withoutTax: 'ex(c|cl|clud(ing|es)|luding)?\\.?, without, before, plus, net(to)?',
  withTax: 'inc(l|luding|luye|lud(es|ed))?\\.?, with',
  taxExcluded: 'excl?(uded|usive)?\\.?, extra, 0',
  taxIncluded: 'incl?(uded|usive)?\\.?',
  net: 'net(to)?( price)?',
  inStock:
    'in stock, only # left, # left in stock, # in stock, # available, more than # available, last one, few left, ' +
    'usually ships, usually dispatched, available to ship, ready to ship, ships today, in stock and ready to ship',
  outOfStock:
    'out of stock, sold out, not in stock, no stock, none left, ' +
    'temporarily out of stock, currently out of stock, currently unavailable, temporarily unavailable, ' +
    'not available at the moment, not available right now, not available at this time, not currently available, ' +
    'unavailable at the moment, will be released on, coming soon, in store only',
  onlyToOrder:
    'pre order, preorder, available for pre order, available for preorder, now available for pre order, back order, ' +
    'backorder, backordered, on back order, on backorder, available on back order, available on backorder, ' +
    'currently on back order, currently on backorder, this item is on back order, this item is on backorder, ' +
    'special order, special order only, showroom only, display only, display model only, floor model only',
  gone:
    'discontinued, no longer available, this listing ended, this listing was ended, listing ended, no longer sold, ' +
    'no longer for sale, no longer stocked, no longer stock this, no longer made, no longer produced, ' +
    'no longer in production, out of production, withdrawn from sale, product withdrawn, item withdrawn, ' +
    'retired from our range',
  nearly: 'almost, nearly, fast',
  stockNegation: 'not, no, never, without, none, nothing, unavailable, isn, aren',
  stockOpen:
    'when, notify, back, check, if, (?<!order )soon, may, expected, again, until, find, unless, local store, in stores?',
  stockFrom: 'from',
  buy:
    'add (this |item |all |both |it |bundle |\\d )?to (my |your |the )?(shopping )?(cart|bag|basket|trolley|tote), ' +
    'buy (it |this )?(now)?, buy online, order now, order online, add to order, purchase( now)?',
  related:
    '(related|similar|recommended|complementary) (products?|items?|goods|articles?|titles|styles|books), ' +
    'recommended for you, related, ' +
    "(you |we think you )?(may|might|could|will|’ll|'ll) (also )?(like|love|need|enjoy|be interested in)\\b.*, " +
    'you also viewed, recently viewed( products| items)?, ' +
    '(other )?(customers|people|shoppers)( who)? (also |have |often )*(bought|viewed|purchased|liked|looked|like|buy)\\b.*, ' +
    'complete (the|your) (look|set|outfit), shop the look, (goes|pairs|works) (well|great|perfectly) with.*, ' +
    'more from this (brand|collection|seller)',
  accessories:
    '(optional |recommended |matching |compatible |suitable |available )?accessor(y|ies), add-?ons, spare parts',
  my: 'your, my',
  shared: 'shared, saved',
  cart:
    'shopping ?cart, cart, basket, shopping bag, bag, trolley, checkout, secure checkout, ' +
    'order( summary| review| confirmation)?',
  savedLists:
    'wish ?list, favou?rites, saved (items|products|for later), recently viewed( (items|products))?, ' +
    '(compare|comparison of) products, products? comparison( list)?',
  results: 'search results?, results for',
  giftMoney: 'gift (cards?|vouchers?|certificates?), giftcards?',
  ticket: 'tickets?, admission',
  adults: 'adults?',
  otherVisitors: 'child, children, kids?, students?, seniors?, concessions?, youth',
  barcode:
    '(gtin|ean|upc|jan|isbn)([\\s/-]?(8|10|12|13|14|a|gtin|ean|upc))?([\\s-]?(codes?|number|nummer|nr\\.?|no\\.?|kod|kód|コード))?, ' +
    'bar ?code',
  brand: 'brand, brand name',
  maker: 'maker, manufacturer, manufactured by, made by',
  nameParticle: 'by, from, of, the, all, more, visit, shop, view, see',
  noMaker:
    'n/?a, others?, unknown, generic, default, not (specified|stated|available|applicable), (no|without( a)?)[- ]?brand, ' +
    'unbranded(\\s*/\\s*generic)?, default (brand|vendor|manufacturer)',
  shopNumber:
    'sku, (item|product|article|catalog(ue)?|stock) ?(no\\.?|nr\\.?|number|code|#), ' +
    '(bestell|produkt|product)[ -]?(nr\\.?|nummer|code)',
  makerNumber:
    "mpn, (manufacturers?|manufacturer['’]s|mfr\\.?|mfg\\.?) ?(part|product|item|model)? ?(no\\.?|nr\\.?|number|code|#|sku)",
  conditionLabel: '(item |product |cosmetic )?condition',
  conditionBadge:
    'new, pre-?owned, pre-?loved, refurbished, renewed, reconditioned, used, second[- ]?hand, open[- ]box',
  domain: 'domain',
  weekday: '(mon|tue|wed|thu|fri|sat|sun|tues|wednes|thurs|satur)(s?day)?',
  month:
    'may, june?, july?, jan(uary)?, feb(ruary)?, mar(ch)?, apr(il)?, aug(ust)?, sep(t|tember)?, oct(ober)?, nov(ember)?, ' +
    'dec(ember)?',
  until: 'until, till, by, ends?, before',
  ofGoods:
    'open, unlock, releas, launch, available, premier, order, deliver, ship, dispatch, arriv, pick ?up, updated, price',
  namePrice: 'pri(c(e|ing)|x|s)(?![a-z]), price, ^amount$, ^money$',
  nameFormer:
    'old, was, before, former, previous, prev, strike, striked, striken, strikethrough, stroke, through, linethrough, ' +
    'crossed, cross, compare, comparison, compareat, rrp, msrp, undiscounted',
  nameCurrent:
    'sale, sales, special, final, current, now, new, actual, discounted, discount, offer, promo, promotional, reduced, ' +
    'deal, today, selling, our, your, low, main',
  nameCharge:
    'unit, units, per, perunit, unitprice, installment, installments, instalment, instalments, finance, financing, klarna, ' +
    'afterpay, affirm, laybuy, zip, sezzle, clearpay, paypal, leasing, lease, loan, credit, monthly, month, monthlyprice, ' +
    'emi, points, reward, rewards, loyalty, bonus, cashback, member, members, membership, club, subscription, subscribe, ' +
    'saving, savings, save, saved, economize, percent, percentage, shipping, delivery, freight, postage, deposit, ' +
    'warranty, insurance, protection, coupon, voucher, gift, donation, threshold, tradein, minimum',
  nameNet:
    'notax, excl, excluding, extax, exvat, net, nett, withouttax, novat, pretax, excltax, exclvat',
  nameGross: 'incl, including, inctax, incvat, gross, withtax, incltax, inclvat, tax',
  nameStock: 'stock, availability, available, inventory, soldout, outofstock, oos',
  nameCents: 'cents, cent, decimal, decimals, dec, fraction, frac',
  nameCart: 'cart, basket, minibasket, trolley',
  nameMaker: 'brand, brands, manufacturer, manufacturers, vendor, maker, designer',
  nameCount: 'quantity, qty, count, pieces, pack, size, rank, rating, stars',
  nameButton: 'btn, button',
  servicePath:
    'about(-us)?, contact(-us)?, imprint, terms[\\w-]*, privacy[\\w-]*, faqs?, help, shipping[\\w-]*, returns?, cart, basket, ' +
    'checkout, log-?in, sign-?in, register, account, wishlist, search, blog, news, stores?, store-locator, careers?',
  textFolder: 'blogs?, news, recipes?, wiki',
  reviewPath: 'reviews?',
  ticketPath: 'e?-?tickets?, ticketing, ticket-?shop',
  searchPath: 'catalogsearch, search',
  listPath: 'c, cat, category, categories, product-category, collections?, brands?, tags?',
  formerBefore:
    'was, rrp, r\\.r\\.p\\., msrp, instead of, old price, list price, reg(ular)?\\.?( price)?, original(ly| price)?',
  auction: 'auctions?, auctioneers?, live ?auction\\w*, lot \\d+, bids?',
  cardPrice: 'price',
  brandBefore: 'brand, maker',
  homeCrumb: 'home ?page, home, products?, shop, all, store',
  reviewWord: 'review, hands[- ]on',
  stockLabel: 'availability, stock( status)?',
  wall:
    'robot, captcha, security (check|verification), challenge validation, could not be satisfied, too many requests, ' +
    'requested url was rejected, (unusual|suspicious) (traffic|activity), not a bot, bot or not',
  visitor: 'human',
  queue:
    'waiting room, virtual (queue|line), (you are|you.re) in (the |a )?(virtual )?(queue|line), now in line, ' +
    '(placed|waiting) in (the|a|our) (virtual )?(queue|line), (place|position) in (the )?(queue|line), ' +
    '(estimated|expected) wait(ing)? time, press (and|&) hold',
  pageOrProduct: 'page, product, item, listing, article',
  goneAfter:
    'not (be )?found, can ?(not|t|t be|not be) (be )?found, couldn t be found, does ?(not|n t) exist, no longer, ' +
    '(is|was)? ?unavailable, (has been|was) (removed|deleted), (is )?gone, missing',
  goneBefore: 'can ?(not|t) find, could ?(not|n t) find, couldn t find',
  forNow:
    'temporar*, current(ly)?, right now, at (the|this) (moment|time), try again, maintenance, ' +
    'in (your|this) (country|region|area|location)',
  closedForNow:
    '(down for|under|scheduled|planned|undergoing|site|shop|store) maintenance, maintenance (mode|break|in progress), ' +
    '(we )?(will|ll|are|re) be? ?(right )?back (soon|shortly), back soon',
  titleForParts: 'spares or repairs?',
  titleRefurbished: 'reconditioned, recertified',
  titleOpenBox:
    'b-stock, ex[ -](display|demo), (display|demo) (unit|model), factory seconds?, scratch (and|&|n) dent',
  pallet: 'pallet, pallets, skid',
  crate: 'case, cases, cs, carton, cartons, ctn, ctns, crate, crates',
  box: 'box, boxes, bx, bxs, brick, bricks, dozen',
  bundle: 'bundle, bundles, lot, lots',
  pack:
    'pack, packs, pk, pks, pkg, pkgs, pkt, pkts, packet, packets, package, packages, multipack, multipacks, blister, ' +
    'sleeve, sleeves, tray, trays, tub, tubs, bag, bags, bg, valuepack',
  set: 'set, sets',
  ream: 'ream, reams, rm',
  packOf: 'pack, packs, pk, pks, pkg, pkgs, pkt, pkts, packet, packets, valuepack',
  containers:
    'cases, cartons, ctns, crates, boxes, bxs, bricks, bundles, lots, sets, reams, pallets',
  ofPack: 'of, qty, x',
  pieceOf: 'pcs, pieces, units, unit',
  dozen: 'dozen, dozens, doz, dz, dzn',
  countedPieces:
    'ct, count, cnt, pcs, pieces, capsules, caps, caplets, tablets, tabs, softgels, soft gels, gummies, chewables, pills, ' +
    'lozenges, sachets, sticks, pods, k-?cups, tea ?bags, bags, sheets, wipes, rolls, loads, pads, diapers, filters, ' +
    'liners, bars, cans, bottles, servings, swabs, sponges, cloths, tissues, napkins, plates, cups, strips, refills',
  headsPackage:
    'cases?, cs, cartons?, ctns?, masters?, inners?, outers?, shippers?, pallets?, skids?, bundles?, ' +
    'dozens?, doz, dz, dzn, crates?, box(es)?, bx, (inner|outer|case|multi|master|display)?-?packs?, ' +
    'parents?, cases?pack, trays?, (ship|transport|handling) units?, shrink, sleeves?',
  headsPiece:
    'each, eaches, ea, units?, uom, single, pieces?, pcs?, consumers?, base, selling, individual, ' +
    'child(ren)?, retail',
  headsCost:
    'total (unit|landed) costs?, total costs? per (unit|piece|each), costs?, cogs, wholesale, wsp, whl, (dealer|trade|distributor|jobber) nett?, fob, exw, ex works, cif, ddp, dap, ' +
    '(buy|buying|buy in|purchase|purchasing|net|nett|unit|trade|dealer|supplier|vendor|invoice|distributor|reseller|my|your|our|each|ea|piece|case|carton|ctn|pack|inner|master|landed|fob|ex works|exw|stockist|account|contract) (price|rate)s?, ' +
    'price paid, price (net|nett)',
  headsFormer:
    'old, previous, prev, prior, former, was, discontinued, replaced, obsolete, superseded',
  headsOther:
    'freight, shipping, delivery, postage, carriage, transport, cent(re|er)s?, code, codes, methods?, types?, ' +
    'dates?, percent\\w*, pct, margin, mark ?up, msrp, rrp, srp, rsp, list, retail, sell, selling, sale, ' +
    'recommended, suggested, totals?, sum, extended, ext, extension, line, subtotal, dut(y|ies), customs, ' +
    'handling, fees?, groups?, category, basis, allocation, currency, terms?, notes?, comments?, change, ' +
    'diff(erence)?, increase, variance, savings?, discount, weight, level, account (no|number), acct, gl, ' +
    'department, dept, class, insurance, storage, advertising, marketing, labou?r, packaging, history, year, ' +
    'effective, valid, updated, status, source, region, budget, est(imated)?, competitor, material, promo\\w*, map, setup, set up, ' +
    'tooling, sample, return, disposal, recycling, surcharge, deposit',
  headsCount: 'qty, quantity, size, count, ct, contents?, per, units?, pcs?, pieces?, eaches',
  privatePage:
    '((my|your|shopping|mini) ?)?(cart|basket|bag)( page| items| summary| show| view)?, view cart, ' +
    '((secure|guest|express|quick|one ?page|one ?step) )?checkouts?( (begin|cart|confirm|finish|login|payment|shipping|success|complete))?, ' +
    'co(billing|payment|place ?order|shipping|summary)( \\w+)?, ' +
    '((my|your|customer) ?)?account( (show|details|login|orders|overview|settings|dashboard))?, ' +
    '((my|your) )?(orders|purchases|addresses|profile), ' +
    'order ?(confirm(ation|ed)?|complete(d)?|details?|history|overview|place(d)?|received|status|success|summary|tracking|view), ' +
    '(my|your|view|track|track your|guest) order, order, (purchase|order) history, payment( method)?, ' +
    'my[a-z]* ?(cart|account|orders), (thank you|thanks)( for your (order|purchase))?, ' +
    '(billing|shipping|delivery) (address|details|information)',
  orderNumber: 'order (number|no|id|reference|#), order (?=#), purchase order',
  postalAddress:
    '(shipping|delivery|billing|home|your) address, (ship|deliver(ed)?|bill|shipping|billing) to, ' +
    '(billing|shipping|delivery) (details|information)',
};
