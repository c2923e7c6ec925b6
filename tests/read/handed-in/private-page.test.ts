// Pages about their visitor, as ten shop systems address and as five languages call them, are recognized; product pages are not.
// The addresses are those that the systems document or ship with.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { privateSignOf } from '../../../src/read/handed-in/private-page.ts';
import { readHtml } from '../../../src/read/page-data/html/html.ts';

const SHOP = 'https://shop.example.com';

const signOf = (path: string, html = '<title>Shop</title>') =>
  privateSignOf(new URL(path, SHOP), readHtml(html));

/** Cart, checkout, order and account of each system. */
const SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  Shopify: [
    '/cart',
    '/checkouts/cn/Z2NwLXVzLWVhc3QxOjAx/information',
    '/account',
    '/account/orders/0f3a9c',
    '/12345678/orders/8a7f0c1d/authenticate',
  ],
  WooCommerce: [
    '/cart/',
    '/checkout/',
    '/checkout/order-received/1234/?key=wc_order_9x',
    '/my-account/view-order/1234/',
    '/my-account/edit-address/billing/',
  ],
  Magento: [
    '/checkout/cart/',
    '/checkout/#shipping',
    '/checkout/onepage/success/',
    '/sales/order/view/order_id/17/',
    '/customer/account/index/',
  ],
  PrestaShop: [
    '/en/cart?action=show',
    '/fr/panier?action=show',
    '/index.php?controller=order',
    '/index.php?controller=order-confirmation&id_cart=5',
    '/fr/mon-compte',
  ],
  Shopware: [
    '/checkout/cart',
    '/checkout/confirm',
    '/checkout/finish',
    '/account/order',
    '/account',
  ],
  OpenCart: [
    '/index.php?route=checkout/cart',
    '/index.php?route=checkout/checkout',
    '/index.php?route=account/order/info&order_id=4',
    '/index.php?route=account/account',
  ],
  BigCommerce: [
    '/cart.php',
    '/checkout',
    '/checkout/order-confirmation/183',
    '/account.php?action=order_status',
  ],
  Squarespace: ['/cart', '/checkout?cartToken=x', '/account/orders'],
  Wix: ['/cart-page', '/checkout?checkoutId=5', '/account/my-orders', '/account/my-account'],
  'Salesforce Commerce Cloud': [
    '/on/demandware.store/Sites-x-Site/en_US/Cart-Show',
    '/on/demandware.store/Sites-x-Site/en_US/Checkout-Begin?stage=shipping',
    '/on/demandware.store/Sites-x-Site/en_US/Order-History',
    '/on/demandware.store/Sites-x-Site/en_US/Account-Show',
  ],
};

test('carts, checkouts, orders and accounts of ten shop systems are recognized by their addresses', () => {
  assert.equal(Object.keys(SYSTEMS).length, 10);
  for (const [system, paths] of Object.entries(SYSTEMS)) {
    for (const path of paths) assert.equal(signOf(path), 'address', `${system} ${path}`);
  }
});

/** Paths and titles of carts, checkouts, orders and accounts. */
const LANGUAGES: Readonly<Record<string, { readonly paths: string; readonly titles: string }>> = {
  English: {
    paths: 'basket, my-account, order-confirmation, view-cart, one-page-checkout',
    titles: 'Your cart, Shopping Cart (2), Checkout, Order #1042, Order confirmed, My account',
  },
  German: {
    paths: 'warenkorb, kasse, mein-konto, meine-bestellungen, bestellbestaetigung',
    titles:
      'Warenkorb, Dein Warenkorb, Kasse, Bestellbestätigung, Bestellung 4711, Mein Konto, ' +
      'Vielen Dank für Ihre Bestellung!',
  },
  French: {
    paths: 'panier, commande, mon-compte, mes-commandes, confirmation-de-commande',
    titles:
      'Votre panier, Paiement sécurisé, Commande n° 4711, Mes commandes, Mon compte, ' +
      'Merci pour votre commande !',
  },
  Spanish: {
    paths: 'carrito, pedido, mi-cuenta, mis-pedidos, finalizar-compra',
    titles:
      'Carrito de la compra, Finalizar compra, Pedido nº 4711, Confirmación del pedido, Mi cuenta',
  },
  Italian: {
    paths: 'carrello, cassa, il-mio-account, i-miei-ordini, conferma-ordine',
    titles: 'Carrello, Il tuo carrello, Cassa, Ordine n. 4711, I miei ordini, Il mio account',
  },
};

test('five languages are understood, in addresses and in titles', () => {
  for (const [language, { paths, titles }] of Object.entries(LANGUAGES)) {
    for (const path of paths.split(', ')) {
      assert.equal(signOf(`/${path}`), 'address', `${language} ${path}`);
      assert.equal(signOf(`/de/${path}.html`), 'address', `${language} ${path}`);
    }
    for (const title of titles.split(', ')) {
      const html = `<title>${title} | Lamps &amp; more</title><p>Anna</p>`;
      assert.equal(signOf('/x', html), 'title', `${language} ${title}`);
      assert.equal(signOf('/x', `<title>Lamps</title><h1>${title}</h1>`), 'title', title);
    }
  }
});

test('an order number beside an address is recognized in five languages', () => {
  const labels = [
    ['Order number: 114-3941689', 'Shipping address'],
    ['Bestellnummer: 4711-0815', 'Lieferadresse'],
    ['Numéro de commande : AB-4711', 'Adresse de livraison'],
    ['Número de pedido: 471100', 'Dirección de envío'],
    ["Numero d'ordine: 4711/", 'Indirizzo di spedizione'],
  ] as const;
  for (const [order, address] of labels) {
    const html = `<title>Lamps</title><p>${order}</p><div>${address}</div><p>Anna, Main Street 1</p>`;
    assert.equal(signOf('/x', html), 'order number', order);
    assert.equal(signOf('/x', `<title>Lamps</title><p>${order}</p>`), null, order);
    assert.equal(signOf('/x', `<title>Lamps</title><p>${address}</p>`), null, address);
  }
});

test('a product page is not refused for what its product or its folder is called', () => {
  const data = '<script type="application/ld+json">{"@type":"Product","name":"x"}</script>';
  const paths = [
    '/products/garden-cart',
    '/products/cart',
    '/p/basket',
    '/bag/leather-tote-brown',
    '/order-of-the-phoenix',
    '/shop/wicker-basket',
    '/warenkorb-aus-weide',
    '/kasse-fuer-kinder-holz',
    '/item/4711?ref=cart',
    '/collections/bags/products/weekender-bag',
    '/account-book-a5',
    '/dp/B000000001',
  ];
  for (const path of paths) assert.equal(signOf(path), null, path);
  for (const title of ['Shopping Cart', 'Order', 'Basket', 'Kasse', 'Panier']) {
    assert.equal(signOf('/products/1', `<title>${title}</title>${data}`), null, title);
  }
  const drawer = '<title>Desk lamp</title><h1>Your cart</h1><h1>Desk lamp</h1>';
  assert.equal(signOf('/products/lamp', drawer), null, 'a drawer that is hidden');
  const german = `${data}<p>Bestellnummer: 12345</p><p>Lieferadresse ändern</p>`;
  assert.equal(signOf('/lampe', german), null, 'a number of the shop for its product');
});
