// The words used to name invented products. No brand, shop or product here exists.

export type Noun = {
  readonly name: string;
  /** Weight in grams, smallest and largest. */
  readonly grams: readonly [number, number];
  /** Regular price in cents, smallest and largest. */
  readonly cents: readonly [number, number];
  /** Height, width and length in inches; null: sold without stated measures. */
  readonly inches: readonly [number, number, number] | null;
  /** The number of pieces in the name; absent: none. */
  readonly setOf?: number;
};

export type Category = {
  readonly slug: string;
  readonly name: string;
  readonly nouns: readonly [Noun, ...Noun[]];
};

export const BRANDS = [
  'Tarnfield',
  'Quillbrook',
  'Maplewren & Co',
  'Sundrift',
  'Cobbleton',
  'Fennmark',
  'Harrowell',
  'Old Ferry Works',
] as const;

export const MATERIALS = [
  'Enamel',
  'Walnut',
  'Cast Iron',
  'Linen',
  'Brass',
  'Stoneware',
  'Cork',
  'Recycled Steel',
] as const;

export const COLOURS = ['Slate', 'Moss', 'Clay', 'Chalk', 'Ink', 'Wheat'] as const;

export const CATEGORIES = [
  {
    slug: 'kitchen',
    name: 'Kitchen',
    nouns: [
      { name: 'Kettle 1.5 L', grams: [700, 1400], cents: [2900, 8900], inches: [9, 7, 8] },
      { name: '10" Skillet', grams: [1500, 2600], cents: [2400, 7900], inches: [2, 10, 17] },
      {
        name: 'Spice Jars, Set of 6',
        grams: [600, 1100],
        cents: [1400, 3200],
        inches: null,
        setOf: 6,
      },
    ],
  },
  {
    slug: 'lighting',
    name: 'Lighting',
    nouns: [
      { name: 'Desk Lamp', grams: [900, 2200], cents: [3500, 12900], inches: [18, 7, 7] },
      { name: 'Lantern', grams: [500, 1800], cents: [1900, 6400], inches: [11, 5, 5] },
    ],
  },
  {
    slug: 'garden',
    name: 'Garden & Yard',
    nouns: [
      { name: 'Watering Can 2 gal', grams: [800, 1600], cents: [1800, 5200], inches: [12, 8, 15] },
      { name: 'Hand Trowel', grams: [200, 450], cents: [900, 2600], inches: null },
      { name: 'Planter Box 24"', grams: [2500, 6000], cents: [3900, 11900], inches: [9, 10, 24] },
    ],
  },
  {
    slug: 'desk',
    name: 'Desk',
    nouns: [
      { name: 'Letter Tray', grams: [500, 1500], cents: [1500, 4800], inches: [3, 10, 13] },
      { name: 'Notebook A5, 192 Pages', grams: [250, 420], cents: [900, 2400], inches: null },
      { name: 'Pen Cup', grams: [150, 500], cents: [700, 2200], inches: [4, 3, 3] },
    ],
  },
] as const satisfies readonly [Category, ...Category[]];

export const ARTICLE = {
  slug: 'how-to-season-a-skillet',
  title: 'How to season a skillet',
  text: [
    'A new skillet needs three thin coats of oil, each baked for an hour.',
    'Ours cost between $24 and $79, but any bare iron pan will do.',
  ],
} as const;
