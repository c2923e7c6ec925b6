// Converts the item state of retailer_w's pages from 2019 to 2021 (`script#item`) to the current names, so that one
// function makes the listing. Those pages state more in their markup, which fills what the state lacks.

import { at, listAt, textAt } from '../../page-data/json/json-path.ts';

/** The first line of the buy box for the page's item, or else the first line. */
function boxLine(box: unknown): unknown {
  const lines = listAt(box, 'products', 100);
  const main = textAt(box, 'primaryUsItemId');
  return lines.find((line) => main !== null && textAt(line, 'usItemId') === main) ?? lines[0];
}

function shippingOf(line: unknown): unknown {
  const shown = at(line, 'shippingOptionToDisplay');
  if (shown === undefined) return undefined;
  return {
    availabilityStatus: at(line, 'shippable') === true ? 'AVAILABLE' : undefined,
    deliveryDate: at(shown, 'fulfillmentDateRange.earliestDeliverDate'),
    maxDeliveryDate: at(shown, 'fulfillmentDateRange.latestDeliveryDate'),
    shipPrice: at(shown, 'fulfillmentPrice'),
  };
}

function priceInfoOf(line: unknown): unknown {
  const map = at(line, 'priceMap');
  const currencyUnit = at(map, 'currencyUnit');
  return {
    currentPrice: { price: at(map, 'price'), currencyUnit },
    wasPrice: { price: at(map, 'wasPrice'), currencyUnit },
    listPrice: { price: at(map, 'listPrice'), currencyUnit },
  };
}

/** `{product, idml}` as in the current state; null when the older state has no item. */
export function modernised(root: unknown): { product: unknown; idml: unknown } | null {
  const line = boxLine(at(root, 'item.product.buyBox'));
  if (textAt(line, 'productName') === null) return null;
  const product = {
    usItemId: at(line, 'usItemId'),
    upc: at(line, 'upc'),
    name: at(line, 'productName'),
    brand: at(line, 'brandName'),
    model: at(line, 'model'),
    manufacturerProductId: at(line, 'manufactureNumber'),
    canonicalUrl: at(line, 'canonicalUrl'),
    imageInfo: { allImages: at(line, 'images') },
    category: { path: at(line, 'path') },
    priceInfo: priceInfoOf(line),
    availabilityStatus: at(line, 'availabilityStatus'),
    sellerId: at(line, 'sellerId'),
    catalogSellerId: at(line, 'catalogSellerId'),
    sellerDisplayName: at(line, 'sellerDisplayName') ?? at(line, 'sellerName'),
    numberOfReviews: at(line, 'reviewsCount'),
    averageRating: at(line, 'averageRating'),
    conditionType: at(line, 'conditionType'),
    transactableOfferCount: at(line, 'offerCount'),
    shippingOption: shippingOf(line),
    variants: at(line, 'variants'),
  };
  const sections = at(line, 'idmlSections');
  const idml = {
    specifications: at(sections, 'specifications'),
    longDescription: at(sections, 'idmlLongDescription'),
    shortDescription: at(sections, 'idmlShortDescription'),
  };
  return { product, idml };
}
