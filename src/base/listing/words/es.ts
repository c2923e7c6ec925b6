// Spanish words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const SPANISH: LanguageWords = {
  ...NO_WORDS,
  subscription: 'suscripci',
  charge:
    'env[ií]o, entrega, portes, ahorr, mensu, _mes(es)?\\b, cuotas?, puntos, precio por, garant[ií]a, alquil',
  discount: 'descuento',
  priceName: 'preci',
  ofSome: '_s[oó]ci(os?|as?)?_, tarjeta, cup[oó]n, pago inicial, mayorist, _puja_, precio más bajo',
  usedOffer: 'rea?condicionad[oa]s?, segunda mano',
  usedFrom: 'desde',
  days: 'días',
  withCode: 'con',
  code: 'código, contrato',
  free: 'gratis',
  freeFrom: 'desde, a partir (de|di), más de',
  includedOrMore: 'más, sin',
  paidBy: 'con, por',
  payment: 'transferencia',
  withContract: 'con',
  contract: 'contrato',
  forSome: 'con, para',
  someHave: 'c[óo]digo, cup[oó]n, tarjeta, soci',
  notMember: 'no',
  member: 's[óo]ci[oa]s?',
  thresholdOr: 'o, y',
  thresholdMore: 'más',
  untilFree: 'para',
  by: 'por, al, la',
  monthUnit: 'mes',
  piece: 'uds?, unidade?, pieza',
  priceBefore: 'precio',
  soldBy: 'caja, paquete, par, rollo, juego, saco, bolsa, botella, bote',
  per: 'por, al, la',
  time: 'día, noche, semana, mes, año',
  person: 'persona',
  pieces: 'unidades, uds?, botellas',
  fromPieces: 'a partir (de|di), desde, comprando',
  severalOr: 'o',
  severalMore: 'más',
  together: 'por',
  severalIf: 'a partir (de|di)',
  nthPiece: 'unidade?',
  priceWords:
    'precio, nuestro, tu, ahora, oferta, especial, promoci[óo]n, promocional, rebajado, rebajas, con descuento, actual, ' +
    's[oó]lo, desde, por, venta, hoy, a partir, cómpralo ya',
  priceAbove: 'preci',
  paymentName: 'transferencia',
  former:
    'antes, (?<!\\p{L} )de:?, precio (anterior|original|de lista|habitual|normal), pvp recomendado, pvpr, ' +
    'precio (recomendado|de catálogo)',
  regular: 'precio (habitual|normal)',
  between: 'de, entre',
  saving: 'ahorr',
  tax: 'impuestos?, iva',
  withoutTax: 'sin, más, excl(uyendo)?\\.?',
  withTax: 'con',
  taxIncluded: 'incl?u[ií]d[ao]s?\\.?',
  inStock:
    'normalmente se envia, en stock, disponible, en existencia, en existencias, disponibles, hay existencias',
  outOfStock:
    'agotado, agotada, sin stock, sin existencias, no disponible, fuera de stock, agotados, agotadas, no hay stock',
  onlyToOrder:
    'preventa, en preventa, preorden, preordenar, pre orden, bajo pedido, disponible bajo pedido, solo bajo pedido, ' +
    'por encargo, pedido especial, pendiente de reposicion',
  gone: 'descatalogado, ya no disponible, ya no esta disponible, ya no se vende, ya no se fabrica, fuera de catalogo',
  nearly: 'casi',
  stockNegation: 'no, sin, ningun\\w*',
  stockOpen: 'avisame, cuando',
  buy:
    '(añadir|agregar|agrega|añade|meter) (al carrito|a (la|mi) cesta|a (la|mi) bolsa|al carro)( de compras?)?, ' +
    'comprar( ahora| ya| agora| online)?, compra( ora| ahora)?',
  related:
    '(productos|artículos) (relacionados|similares|recomendados|complementarios), ' +
    '(quizás? )?(también )?(te|le|os|les) (puede|podría|pueden|podrían|gustará|recomendamos)(n)? .*, también te .*, ' +
    '(los )?clientes (que|también) .*, (vistos|productos vistos) recientemente',
  accessories: 'accesorios( compatibles)?',
  my: 'mi, mis, tu, tus, su, sus',
  shared: 'compartid[oa]s?, guardad[oa]s?',
  cart: 'carrito( de compras?)?, cesta( de (la )?compra)?, pedido, resumen del pedido',
  savedLists:
    'lista (de deseos|de favoritos), favoritos, (productos )?vistos recientemente, ' +
    '(comparar|comparación de|comparador de) productos',
  results: 'resultados? (de (la |tu )?(búsqueda|busca|pesquisa)|para)',
  giftMoney: '(tarjetas?|cheques?|bonos?|vales?)( de)? regalos?',
  ticket: 'entradas',
  adults: 'adultos?',
  otherVisitors: 'niños?',
  barcode: 'código de barras, cód(igo|\\.) ean',
  brand: 'marca',
  maker: 'fabricante',
  nameParticle: 'de, del, la',
  noMaker: 'sin marca, genéric[oa]',
  shopNumber: 'refer[eê]ncia, (código|cód\\.)( (del|do))? (producto|produto|artículo|artigo)',
  makerNumber: '(referencia|ref\\.|código|cód\\.)( (del|do))? fabricante',
  conditionLabel: 'estado( del (producto|artículo)| do produto)?, condición',
  conditionBadge: 'nuevo, usado, reacondicionado',
  domain: 'domin[ií]o',
  weekday: 'lunes, martes, miércoles, jueves, viernes, sábado, domingo',
  month:
    'febrero, abril, mayo, junio, julio, agosto, diciembre, marzo, septiembre, o[ck]tubre, noviembre',
  until: 'hasta, antes',
  ofGoods: 'abiert, disponib, lanzamiento, env[ií], entreg, pedid, recog',
  namePrice: 'preci[os]',
  nameFormer: 'antes, anterior, tachado, tachada',
  nameCurrent: 'nueva, oferta',
  nameCharge: 'cuotas, ahorro, envio',
  nameStock: 'disponibilidad',
  nameCents: 'centimos, centavos',
  nameCart: 'carrito',
  nameMaker: 'marca, fabricante',
  nameButton: 'bot[oó]n',
  servicePath: 'contacto, ayuda, carrito',
  textFolder: 'recetas?',
  reviewPath: 'opiniones',
  ticketPath: 'entradas, boletos',
  searchPath: 'buscar, busqueda, búsqueda',
  listPath: 'categoria, marcas?',
  formerBefore: 'antes, precio anterior',
  auction: 'subastas?, licitac\\w*',
  cardPrice: 'precio',
  brandBefore: 'marca',
  homeCrumb: 'inicio',
  reviewWord: 'reseña',
  stockLabel: 'disponib*',
  countNoun: 'productos?, resultados?',
  wall: 'acceso denegado, (tráfico|actividad) (inusual|sospechos)',
  visitor: 'humano',
  queue:
    '_en (la )?(cola|fila)_, sala de espera, tiempo de espera, mant(én|enga) (pulsad|presionad)',
  pageOrProduct: 'pagina, producto, articulo, anuncio',
  goneAfter: 'no (se )?(ha )?(sido )?encontrad*, ya no (esta|existe), no existe, no disponible',
  goneBefore: 'no (se )?(ha )?encontra*',
  forNow: 'momentar*, temporal*, actualmente, (de|en este) momento',
  closedForNow: 'en mantenimiento, mantenimiento programado',
  isNew: 'nuevo, nueva',
  isRefurbished: 'reacondicionado, reacondicionada',
  isLikeNew: 'comonuevo',
  isVeryGood: 'muybueno',
  isUsed: 'usado, usada, bueno',
  isAcceptable: 'aceptable',
  titleRefurbished: 'reacondicionad[oa]s?',
  titleOpenBox: 'caja abierta',
  titleUsed: 'segunda mano, usad[oa]s?',
  box: 'caja, cajas',
  bundle: 'lote, lotes',
  pack: 'paquete, paquetes',
  set: 'juego, juegos, conjunto, conjuntos',
  packOf: 'paquetes',
  containers: 'cajas, juegos, conjuntos, lotes',
  ofPack: 'de, con, a, del',
  pieceOf: 'pzas, piezas, uds, unidades',
  dozen: 'docena',
  countedPieces: 'comprimidos, capsulas',
  headsPackage:
    'cajas?, bultos?, embalajes?, palets?, pallets?, paquetes?, docenas?, m(á|a)ster, fardos?, ' +
    'bandejas?, empaques?, estuches?, multipack, (unidad|agrupaci(ó|o)n) log(í|i)stica',
  headsPiece: 'unidad(es)?, unitari[oa], uds?, un, piezas?, pza, individual(es)?, consumidor, unid',
  headsCost:
    'costes?, costos?, ' +
    'precio (de )?(compra|coste|costo|mayorista|mayoreo|neto|unitario|proveedor|distribuidor), p compra, ' +
    'neto unitario, compra',
  headsFormer: 'anterior(es)?, antigu[oa]s?, viej[oa]s?, previ[oa]',
  headsOther:
    'flete, env(í|i)os?, transporte, portes?, entrega, centros?, c(ó|o)digos?, m(é|e)todos?, tipos?, fechas?, ' +
    'porcentaje, margen, pvp, pvr, venta, p(ú|u)blico, recomendado, lista, total(es)?, importe, moneda, ' +
    'divisa, grupo, descuento, peso, aduanas?, aranceles?, almacenamiento, almacenaje, gastos, estado',
  headsCount: 'cantidad, cant, contenido, unidades, piezas, uds?, n(ú|u)mero',
  privatePage:
    '((mi|tu|su|el) )?(carrito|cesta)( de( la)? compras?)?, ((mi|tu|su) )?cuenta, ' +
    '(mis|tus|sus) (pedidos|compras|direcciones), ' +
    '(mi |tu |su |realizar |finalizar |confirmar |detalles? del |confirmacion (del|de) |historial de |seguimiento del )?(pedidos?|compra)( (confirmado|confirmada|recibido|realizado))?, ' +
    '(pago|caja)( seguro)?, gracias por (tu|su) (pedido|compra), tramitar pedido',
  orderNumber: '(numero|n°|nº|num|no) (de |del |de tu )?pedido, pedido (n°|nº|num|numero)',
  postalAddress: 'direccion de (envio|entrega|facturacion), enviar a',
};
