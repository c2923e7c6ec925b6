// The card next to a page. It is in a closed shadow root, so the page can neither style nor read it. Everything that
// the page and the service state is inserted as text only.

{
  const CARD = `color-scheme: light dark; position: fixed; inset: 1rem 1rem auto auto; z-index: 2147483647;
  box-sizing: border-box; width: min(26rem, calc(100vw - 2rem)); max-height: calc(100vh - 2rem); overflow: auto; padding: 1rem;
  font: 14px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; color: light-dark(#1c1c1e, #ececee); border-radius: 10px;
  background: light-dark(#fff, #1f2023); border: 1px solid light-dark(#8c8c92, #77777d); box-shadow: 0 8px 30px #0005;`;
  const CSS = `header { display: flex; gap: 1rem; justify-content: space-between; align-items: start; }
table { width: 100%; border-collapse: collapse; } h2, h3 { margin: 0; font-size: 1.15em; } h3 { margin-top: 1rem; font-size: 1em; } p { margin: 0.6rem 0 0; }
th, td { padding: 0.25rem 0.6rem 0.25rem 0; text-align: start; vertical-align: top; font-weight: normal; }
th { width: 35%; } header button { flex: none; } th, small { color: light-dark(#5b5b61, #a9a9b0); } small { display: block; font-size: 0.9em; }
a, button { font: inherit; color: light-dark(#0b57d0, #8ab4ff); }
button { padding: 0.1rem 0.6rem; background: none; border: 1px solid; border-radius: 6px; cursor: pointer; }
:focus-visible { outline: 3px solid light-dark(#0b57d0, #8ab4ff); outline-offset: 2px; }`;

  const el = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const link = (href, words) => el('a', { href, target: '_blank', rel: 'noreferrer' }, words);
  const row = (name, value, more = '') =>
    el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value, el('small', {}, more)));
  const table = (name, rows) =>
    rows.length && el('div', {}, el('h3', {}, name), el('table', { 'aria-label': name }, ...rows));
  const money = (amount, currency) =>
    currency ? amount.toLocaleString([], { style: 'currency', currency }) : String(amount);

  const NAMES = { in_stock: 'In stock', gtin: 'Barcode', asin: 'ASIN', sku: 'SKU', mpn: 'MPN' };
  const FROM = { open_graph: 'Open Graph tags', state: "the page's scripts", visible: 'its text' };
  const UNSHOWN = ['title', 'currency', 'image_url'];

  function readRows({ read, lines, candidates }) {
    const currency = read.find(({ field }) => field === 'currency')?.value;
    const shown = read.filter(({ field }) => !UNSHOWN.includes(field));
    const rows = shown.map(({ field, value, from }) => {
      const place = candidates.find(
        (each) => each.field === field && each.taken && each.place,
      )?.place;
      const words = place ? `, “${lines[place.line].slice(0, 80)}”` : '';
      const said = field.endsWith('price') ? money(value, currency) : String(value);
      const where = FROM[from] ?? (from ?? 'unknown').replace('_', '-');
      return row(
        nameOf(field),
        said.replace(/^true$/, 'yes').replace(/^false$/, 'no'),
        where + words,
      );
    });
    const missing = ['price', 'in_stock', 'seller_name', 'gtin'];
    const absent = missing.filter((name) => read.every(({ field }) => field !== name));
    return absent.length === 0 ? rows : [...rows, row('Not stated', absent.map(nameOf).join(', '))];
  }

  const nameOf = (field) =>
    NAMES[field] ?? field[0].toUpperCase() + field.slice(1).replace('_', ' ');

  const elsewhere = ({ cross_retailer: cells = {}, page, currency = 'USD' }) =>
    Object.values(cells)
      .filter(({ retailer, price }) => retailer !== page.retailer && price !== null)
      .map(({ url, retailer, price, in_stock: stock, _freshness: { refreshed_at: at } }) => {
        const name = /^https?:/.test(url ?? '')
          ? link(url, new URL(url).hostname.replace('www.', ''))
          : retailer;
        const seen = at === null ? '' : new Date(at).toLocaleString();
        return row(name, money(price, currency), (stock === false ? 'not in stock, ' : '') + seen);
      });

  function history({ price_history: { first_observed_date: first }, stats, currency = 'USD' }) {
    const windows = Object.entries(stats.windows ?? {}).filter(([, window]) => window !== null);
    const spans = windows.map(([span, { low, high, average }]) => {
      const [from, to, mean] = [low, high, average].map((each) => money(each, currency));
      return row(span.replace('d', ' days'), `${from} to ${to}`, `average ${mean}`);
    });
    return first === null ? spans : [row('Since', first), ...spans];
  }

  function profit({ current_price: price, currency = 'USD', referral_fee_usd: fee }) {
    if (price === null || currency !== 'USD' || typeof fee !== 'number') return [];
    const left = row('Price less fee', money(price - fee, 'USD'), 'before cost and shipping');
    return [row('Referral fee', money(fee, 'USD')), left];
  }

  /** Returns the heading, a sentence for screen readers to announce, and the other elements. */
  function partsOf({ problem, address, record }) {
    if (problem !== undefined) return ['This page was not read', problem];
    if (record === undefined) return ['openshelf', 'Reading this page…'];
    const { page, title, current_price: price, currency = 'USD' } = record;
    const id = encodeURIComponent(page.url);
    const now = price === null ? '' : `&now=${price}&currency=${currency}`;
    const watch = `${address}/console/watches#add=${id}${now}&source=handed_in`;
    return [
      title ?? new URL(page.url).hostname,
      price === null ? 'No price was read.' : `${money(price, currency)} now.`,
      table('On this page', readRows(page)),
      table('Elsewhere', elsewhere(record)),
      table('History', history(record)),
      table('Profit', profit(record)),
      el(
        'p',
        {},
        link(watch, 'Watch'),
        ' · ',
        link(`${address}/console?q=${id}`, 'Open the record'),
      ),
    ];
  }

  const heading = el('h2', { id: 'heading' });
  const status = el('p', { role: 'status' });
  const body = el('div', {});
  const closer = el('button', { type: 'button', 'aria-label': 'Close openshelf' }, 'Close');
  const label = { role: 'dialog', 'aria-labelledby': 'heading', tabindex: '-1' };
  const card = el('section', label, el('header', {}, heading, closer), status, body);
  const host = el('div', { 'data-openshelf': '' });
  const root = host.attachShadow({ mode: 'closed' });
  root.append(card);
  host.style.cssText = 'all: initial !important';
  card.style.cssText = CARD;
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Firefox extensions cannot adopt style sheets in a page, and a page may forbid `style` elements.
    root.append(el('style', {}, CSS));
  }
  const before = document.activeElement;
  const close = () => {
    removeEventListener('keydown', closeOnEscape, true);
    host.remove();
    before?.focus?.();
  };
  const closeOnEscape = ({ key }) => key === 'Escape' && close();
  closer.addEventListener('click', close);
  // Key presses in the card must not reach the page's own handlers.
  host.addEventListener('keydown', (event) => event.stopPropagation());

  globalThis.openshelf = {
    /** Opens the card. Returns the page as it was without a card. */
    read() {
      for (const old of document.querySelectorAll('[data-openshelf]')) old.remove();
      const page = { url: location.href, html: document.documentElement.outerHTML };
      addEventListener('keydown', closeOnEscape, true);
      document.documentElement.append(host);
      this.show({});
      card.focus();
      return page;
    },
    show(state) {
      const [name, sentence, ...parts] = partsOf(state);
      heading.textContent = name;
      status.textContent = sentence;
      body.replaceChildren(...parts.filter(Boolean));
    },
  };
}
// The value that this file returns to background.js.
globalThis.openshelf.read();
