// Maps the category names of retailer_e's pages and API to the categories of its rate cards. The cards use the site's own
// categories; any category that they do not mention is "most categories".

import { categoryRules } from './category-rule.ts';

/** Departments without a category mentioned on the cards. */
const OTHER_DEPARTMENTS =
  '=antique|=art|=baby|=camera and photo|=cell phone and accessory|=computer tablet and networking|' +
  '=consumer electronic|=craft|=doll and bear|=health and beauty|=home and garden|=pet supply|' +
  '=pottery and glass|=sporting good|=stamp|=toy and hobby|=video game and console';

export const RETAILER_E_CATEGORIES = categoryRules(
  [
    { words: 'nft', key: 'nft' },
    { words: 'bullion', key: 'bullion' },
    { in: 'coin', key: 'coins' },
    {
      words: 'trading card|sport trading card|collectible card game|ccg individual card|comic',
      key: 'coins_cards_comics',
    },
    { in: 'music', words: 'vinyl', key: 'most' },
    { in: 'musical instrument', words: 'guitar and bass', key: 'guitars_basses' },
    { in: 'musical instrument', words: '*', key: 'most' },
    { in: 'musical instrument', key: null },
    { in: 'book|magazine|movie|dvd', key: 'books_movies_music' },
    { in: 'music', words: '*', key: 'books_movies_music' },
    // Vinyl is charged like most categories, other media are not; the department alone does not say which it is.
    { in: 'music', key: null },
    { words: 'women bag and handbag|women handbag', key: 'womens_bags' },
    { words: 'athletic shoe', within: 'kid|boy|girl|baby', key: 'most' },
    { words: 'athletic shoe', within: 'men|women|man|woman', key: 'athletic_shoes' },
    { words: 'athletic shoe', key: null },
    { in: 'jewelry and watch', words: 'watch', key: 'watches' },
    { in: 'jewelry and watch', words: '*', key: 'jewelry' },
    { in: 'jewelry and watch', key: null },
    {
      words: 'heavy equipment|printing press|food truck|concession trailer',
      unless: 'part|attachment|accessory|supply',
      key: 'heavy_equipment',
    },
    { words: 'part and accessory', within: 'motor|automotive', key: 'motors_parts' },
    { words: 'auto part and accessory|car and truck part|motorcycle part', key: 'motors_parts' },
    { words: 'motor', within: 'vehicle|car and truck|motorcycle|boat', key: null },
    { in: OTHER_DEPARTMENTS, key: 'most' },
    {
      in: 'clothing shoe and accessory|business and industrial|collectible',
      words: '*',
      key: 'most',
    },
    // A path of two steps begins with a department. A single name may come from any level, including below an exception.
    { words: '*', key: 'most' },
  ],
  2,
);
