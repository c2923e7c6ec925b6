// The script of the reference page, as text for the browser. It searches within the page, without network access, and lists
// links. It never turns text into markup, and the page is complete without it.

export const search = `'use strict';
(() => {
  const box = document.querySelector('[role=search]');
  const input = document.querySelector('#search');
  const list = document.querySelector('#found');
  const told = document.querySelector('#found-count');
  if (!box || !input || !list || !told) return;
  const MOST = 30;
  let places = null;

  const text = (node) => (node ? node.textContent : '').replace(/\\s+/g, ' ').trim();

  /** Collects routes, prices, fields, parameters, headers and errors, each with its name and its section. */
  const collect = () => {
    const found = [];
    document.querySelectorAll('main > section').forEach((section) => {
      const title = text(section.querySelector('h2'));
      const about = text(section.querySelector('.route')) + ' ' + title;
      found.push({ node: section, name: title, where: text(section.querySelector('.route')), words: about });
    });
    document.querySelectorAll('main .row, #errors li[id], #prices tbody tr').forEach((node) => {
      const part = node.closest('section');
      const named = node.querySelector('code');
      const where = text(part.querySelector('h2, h3'));
      found.push({ node, name: text(named), where, words: text(node) });
    });
    return found.map((each) => ({ ...each, low: each.name.toLowerCase(), words: each.words.toLowerCase() }));
  };

  const rank = (place, query) => {
    if (place.low === query) return 0;
    if (place.low.startsWith(query)) return 1;
    return place.low.includes(query) ? 2 : 3;
  };

  const show = () => {
    const query = input.value.trim().toLowerCase();
    list.replaceChildren();
    list.hidden = query === '';
    told.textContent = '';
    if (query === '') return;
    places ??= collect();
    const wanted = query.split(/\\s+/);
    const hits = places
      .filter(({ words }) => wanted.every((word) => words.includes(word)))
      .sort((a, b) => rank(a, query) - rank(b, query));
    told.textContent = hits.length === 0
      ? 'Nothing on this page matches "' + input.value.trim() + '".'
      : hits.length + (hits.length === 1 ? ' place' : ' places') +
        (hits.length > MOST ? ', the first ' + MOST + ' shown' : '');
    hits.slice(0, MOST).forEach(({ node, name, where }, at) => {
      node.id ||= 'place-' + places.findIndex((each) => each.node === node);
      const item = document.createElement('li');
      const link = document.createElement('a');
      const part = document.createElement('span');
      link.href = '#' + node.id;
      link.textContent = name;
      part.textContent = where;
      part.className = 'type';
      item.append(link, ' ', part);
      list.append(item);
    });
  };

  input.addEventListener('input', show);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === 'Escape' && document.activeElement === input) {
      input.value = '';
      show();
    }
  });
  box.hidden = false;
})();
`;
