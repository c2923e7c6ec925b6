// The kinds of goods in the simulated market, with ranges of weight, size and price. No brand or product here exists.

export type Sides = { readonly height: number; readonly width: number; readonly length: number };

export type Goods = {
  readonly name: string;
  readonly department: string;
  readonly section: string;
  /** Weight in hundredths of a pound, smallest and largest. */
  readonly weight: readonly [number, number];
  /** Inches of an average piece. */
  readonly sides: Sides;
  readonly cents: readonly [number, number];
  /** Dangerous goods, which carriers require to be declared; null: none. */
  readonly hazmat: 'battery' | 'flammable' | null;
};

const sides = (height: number, width: number, length: number): Sides => ({ height, width, length });

const goods = (
  path: string,
  name: string,
  measures: Omit<Goods, 'name' | 'department' | 'section' | 'hazmat'>,
  hazmat: Goods['hazmat'] = null,
): Goods => {
  const [department = '', section = ''] = path.split('/');
  return { name, department, section, ...measures, hazmat };
};

export const GOODS: readonly [Goods, ...Goods[]] = [
  goods('Kitchen/Cookware', '10" Skillet', {
    weight: [340, 570],
    sides: sides(2, 10, 17),
    cents: [2400, 7900],
  }),
  goods('Kitchen/Kettles', 'Kettle 1.5 L', {
    weight: [150, 310],
    sides: sides(9, 7, 8),
    cents: [2900, 8900],
  }),
  goods('Kitchen/Coffee', 'Whole Bean Coffee 12 oz', {
    weight: [79, 82],
    sides: sides(8, 3, 4),
    cents: [899, 1999],
  }),
  goods('Lighting/Lamps', 'Desk Lamp', {
    weight: [200, 490],
    sides: sides(18, 7, 7),
    cents: [3500, 12_900],
  }),
  goods('Lighting/Lanterns', 'Camping Lantern', {
    weight: [110, 400],
    sides: sides(11, 5, 5),
    cents: [1900, 6400],
  }),
  goods('Garden & Yard/Watering', 'Watering Can 2 gal', {
    weight: [180, 350],
    sides: sides(12, 8, 15),
    cents: [1800, 5200],
  }),
  goods('Garden & Yard/Planters', 'Planter Box 24"', {
    weight: [550, 1320],
    sides: sides(9, 10, 24),
    cents: [3900, 11_900],
  }),
  goods('Tools/Power Tools', 'Cordless Screwdriver', {
    weight: [120, 260],
    sides: sides(7, 3, 8),
    cents: [2900, 9900],
  }),
  goods('Tools/Hand Tools', 'Claw Hammer 16 oz', {
    weight: [150, 220],
    sides: sides(1.5, 5, 13),
    cents: [1200, 3900],
  }),
  goods('Tools/Ladders', 'Step Ladder 6 ft', {
    weight: [1400, 2200],
    sides: sides(72, 19, 5),
    cents: [4900, 12_900],
  }),
  goods(
    'Electronics/Power',
    'Power Bank 10000 mAh',
    { weight: [45, 60], sides: sides(1, 3, 6), cents: [1900, 5900] },
    'battery',
  ),
  goods('Electronics/Audio', 'Over-Ear Headphones', {
    weight: [40, 75],
    sides: sides(8, 7, 3.5),
    cents: [3900, 29_900],
  }),
  goods('Electronics/Computers', 'Mechanical Keyboard', {
    weight: [160, 280],
    sides: sides(1.5, 5.5, 14),
    cents: [4900, 17_900],
  }),
  goods(
    'Paint/Stains',
    'Wood Stain 1 qt',
    { weight: [200, 240], sides: sides(5, 4.5, 4.5), cents: [1400, 3400] },
    'flammable',
  ),
  goods('Paint/Tools', 'Paint Roller Kit', {
    weight: [110, 190],
    sides: sides(3, 10, 15),
    cents: [900, 2900],
  }),
  goods('Sports/Fitness', 'Yoga Mat', {
    weight: [200, 420],
    sides: sides(5, 5, 24),
    cents: [1900, 7900],
  }),
  goods('Pets/Bowls', 'Dog Bowl', {
    weight: [60, 180],
    sides: sides(3, 9, 9),
    cents: [700, 2900],
  }),
  goods('Toys/Puzzles', 'Jigsaw Puzzle', {
    weight: [130, 190],
    sides: sides(2, 10, 14),
    cents: [1200, 3200],
  }),
  goods('Office/Desk', 'Letter Tray', {
    weight: [110, 330],
    sides: sides(3, 10, 13),
    cents: [1500, 4800],
  }),
  goods('Office/Paper', 'Notebook A5', {
    weight: [55, 95],
    sides: sides(0.8, 5.8, 8.3),
    cents: [900, 2400],
  }),
];

/** Books have an ISBN; at retailer_a it is their listing id. */
export const BOOK: Goods = goods('Books/Reference', 'Field Guide', {
  weight: [90, 260],
  sides: sides(1.2, 6, 9),
  cents: [1499, 4999],
});

export const BOOK_SUBJECTS = [
  'Hedges',
  'Tide Pools',
  'Lichens',
  'Old Bridges',
  'Night Skies',
  'Stone Walls',
] as const;
