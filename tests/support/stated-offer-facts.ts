// The facts that the list of all sellers states about an offer, by retailer, under the names shared by the market's truth
// and the wire. A list leaves everything else open: no test expects it.

export const STATED_OFFER_FACTS = {
  retailer_w: [
    'offer_id',
    'seller_id',
    'seller_id_hex',
    'seller_name',
    'seller_type',
    'pro_seller',
    'price',
    'shipping_cost',
    'in_stock',
    'condition',
    'delivery_date',
    'max_delivery_date',
    'max_order_quantity',
    'returnable',
    'return_window_days',
    'free_returns',
  ],
  retailer_a: [
    'seller_id',
    'seller_name',
    'seller_type',
    'price',
    'shipping_cost',
    'is_buy_box',
    'in_stock',
    'condition',
    'delivery_date',
    'fulfilled_by_retailer',
  ],
} as const;

/** As a record shows it: the price of an offer out of stock is omitted there (D28), so tests check it separately. */
export const STATED_IN_RECORD = {
  retailer_w: STATED_OFFER_FACTS.retailer_w.filter((name) => name !== 'price'),
} as const;
