// Product pages with a name, a mail address, an order number and a token of their visitor, none of which may be kept (D84).

import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';

const SHOP = publicOrigins().retailer_w.page;

/** Returns a page that states a product and its price. */
export function pageOf(facts: object, price: string, more = ''): string {
  const offers = { '@type': 'Offer', price, priceCurrency: 'USD' };
  const data = { '@context': 'https://schema.org', '@type': 'Product', offers, ...facts };
  return `<!doctype html><title>Lamp</title><script type="application/ld+json">${JSON.stringify(data)}</script>${more}`;
}

/** What is planted in the page of a number: all of it would be about its visitor. */
export function plantsOf(at: number) {
  return {
    name: `Wilhelmina Zyxwv${at}`,
    mail: `wilhelmina.zyxwv${at}@mail.example`,
    order: `884-5521${at}-77`,
    token: `9f8e7d6c5b4a39281706f5e4${at}d3c2b1a0`,
  };
}

export function plantedPage(at: number): { readonly url: string; readonly html: string } {
  const { name, mail, order, token } = plantsOf(at);
  const query = `session_token=${token}&email=${encodeURIComponent(mail)}&order_id=${order}`;
  const address =
    [
      `https://www.lamps.example/lamp-${at}?${query}`,
      `https://www.lamps.example/lamp-${at};jsessionid=${token}`,
      `${SHOP}/ip/lamp/${777_000_000 + at}?${query}`,
    ][at % 3] ?? '';
  const facts = {
    name: `Desk lamp ${at}`,
    sku: `DL-${at}`,
    description: `A lamp. Questions? ${mail} Order number: ${order} Key ${token} End.`,
    image: `https://cdn.lamps.example/lamp.jpg?w=80&token=${token}`,
    brand: 'Aurora',
    url: address,
  };
  const canonical = `<link rel="canonical" href="${address}">`;
  const html = pageOf(
    facts,
    '24.00',
    `${canonical}<meta name="csrf-token" content="${token}"><meta name="author" content="${name}">` +
      `<header>Hello, ${name} <a href="mailto:${mail}">${mail}</a></header><h1>Desk lamp ${at}</h1>` +
      `<p>Deliver to ${name}, Main Street 1</p><!-- ${name} ${token} -->` +
      `<form><input type="hidden" name="auth" value="${token}"></form>` +
      `<script>window.__STATE__ = ${JSON.stringify({ customer: { name, mail }, order, token })}</script>` +
      `<aside>Your last order ${order}</aside>`,
  );
  return { url: address, html };
}
