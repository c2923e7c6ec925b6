// Words for the groups of lab/eval/agreement.ts, in two halves: rules are developed against the first, and the second is
// read only by `--held-out`. No brand or product here exists.

export type Goods = {
  /** Names of one item, the most common first: shops use different ones. */
  readonly names: readonly [string, ...string[]];
  readonly features: readonly string[];
  /** Sold as accessories, never as the item itself. */
  readonly accessories: readonly string[];
  /** What it is bundled with. */
  readonly extras: readonly string[];
};

export type Words = {
  readonly syllables: readonly string[];
  /** L: capital letter, l: small letter, 9: digit; any other character is literal. */
  readonly modelShapes: readonly string[];
  readonly devices: readonly Goods[];
  readonly foods: readonly (readonly [name: string, ...flavours: string[]])[];
  readonly supplements: readonly string[];
  readonly forms: readonly string[];
  readonly paper: readonly (readonly [name: string, counted: string])[];
  readonly colours: readonly string[];
  readonly editions: readonly string[];
  readonly works: readonly string[];
  readonly variants: readonly string[];
  readonly sizes: readonly (readonly string[])[];
  readonly worn: readonly string[];
  readonly conditions: readonly string[];
  readonly claims: readonly string[];
};

const lines = (text: string): readonly string[] =>
  text
    .split('|')
    .map((each) => each.trim())
    .filter((each) => each !== '');

function goods(text: string): readonly Goods[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [names = '', features = '', accessories = '', extras = ''] = line.split(';');
      const [name = '', ...others] = lines(names.replaceAll('/', '|'));
      return {
        names: [name, ...others],
        features: lines(features.replaceAll(',', '|')),
        accessories: lines(accessories.replaceAll(',', '|')),
        extras: lines(extras.replaceAll(',', '|')),
      };
    });
}

const named = (text: string): readonly (readonly [string, ...string[]])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', rest = ''] = line.split(':');
      return [name.trim(), ...lines(rest)];
    });

export const DEVELOPMENT: Words = {
  syllables: lines(
    'bra|cor|den|fal|gri|hal|jun|kel|lor|mar|nex|ost|pel|quin|ros|sta|tor|vel|wex|zan|mont|field|wick',
  ),
  modelShapes: lines(
    'LL-999|LLL9999|L99|99L|LL 9|9999-L9|L9-99LL|LL999L|LLL-99-9999|999|9999|Ll9|LL9999-99|9L9L9L|L 99',
  ),
  devices: goods(`
Wireless Headphones/Bluetooth Headphones;Noise Cancelling,Over-Ear,30-Hour Battery,Built-in Microphone;Ear Pads,Carrying Case,Replacement Cushions;Carrying Case,Charging Stand
Cordless Drill/Drill Driver;Brushless Motor,2-Speed,LED Light,Keyless Chuck;Battery Charger,Drill Bit Set,Battery Pack;2 Batteries and Charger,Tool Bag
Mirrorless Camera/Digital Camera;24 MP,4K Video,Tilting Screen,Wi-Fi;Neck Strap,Battery Grip,Leather Case;18-55mm Lens,64GB Memory Card,Tripod
Laser Printer/Monochrome Laser Printer;Duplex,Network Ready,Wi-Fi,40 ppm;Toner Cartridge,Drum Unit,Paper Tray;Extra Toner,USB Cable
Smart Watch/Fitness Watch;GPS,Heart Rate Monitor,Water Resistant,Sleep Tracking;Silicone Band,Screen Protector,Charging Cable;Extra Band,Screen Protector
Robot Vacuum/Robotic Vacuum Cleaner;Self-Charging,App Control,Slim Design,HEPA;Side Brushes,Replacement Filters,Dust Bag;Mop Pads,Extra Filters
Tablet/Android Tablet;10.1" Display,Octa-Core,Dual Camera,Kids Mode;Folio Case,Keyboard Cover,Stylus;Stylus Pen,Folio Case
`),
  foods: named(`
Granola Bars: Vanilla|Chocolate Chip|Peanut Butter|Cranberry Almond
Sparkling Water: Lemon|Black Cherry|Grapefruit|Peach
Coffee Pods: Dark Roast|Hazelnut|French Vanilla|Breakfast Blend
Potato Chips: Sea Salt|Barbecue|Sour Cream and Onion|Jalapeno
Dog Treats: Chicken|Beef|Salmon|Sweet Potato
`),
  supplements: lines(
    'Vitamin C|Fish Oil|Magnesium Glycinate|Turmeric Curcumin|Melatonin|Zinc Picolinate',
  ),
  forms: lines('Capsules|Tablets|Softgels|Gummies'),
  paper: named(`
Facial Tissues: sheets
Paper Towels: rolls
Trash Bags: bags
Dishwasher Pods: pods
Baby Wipes: wipes
`) as readonly (readonly [string, string])[],
  colours: lines('Black|White|Red|Navy Blue|Forest Green|Graphite|Rose Gold|Silver|Teal|Ivory'),
  editions: lines(
    "Deluxe Edition|Collector's Edition|International Edition|Digital Edition|Anniversary Edition",
  ),
  works: lines(
    'Castles of the Coast Board Game|Organic Chemistry Textbook|Starfall Odyssey Video Game|The Art of Bread Cookbook',
  ),
  variants: lines('Plus|Pro|Lite|Max'),
  sizes: [lines('Small|Medium|Large|X-Large'), lines('Size 8|Size 9|Size 10|Size 11')],
  worn: lines('Fleece Jacket|Running Shoes|Rain Pants|Hiking Boots|Work Gloves'),
  conditions: lines(
    '(Renewed)|(Refurbished)|Refurbished|Open Box|Used - Good|Certified Refurbished',
  ),
  claims: lines(
    'Best Seller|Free Shipping|2024 Model|Official|Gift Idea|for Home and Office|Easy to Use|1-Year Warranty',
  ),
};

export const HELD_OUT: Words = {
  syllables: lines(
    'am|bel|cas|dor|eng|fir|gol|hux|ile|jor|kav|lin|mos|nor|ulm|pry|rud|sil|tam|und|vor|yel|stead|ham',
  ),
  modelShapes: lines(
    'L999|LL9-L|99-999|LL99LL|999LL|9L-999|LLLL-9|L-9999|LL/999|Ll 99|99999|LLL9L9|9-L999|L9|LL99-9L',
  ),
  devices: goods(`
Stand Mixer/Kitchen Mixer;10 Speeds,Tilt-Head,Dishwasher Safe,6 Quart Bowl;Mixing Bowl,Splash Guard,Dough Hook;Pasta Attachment,Extra Bowl
Electric Toothbrush/Rechargeable Toothbrush;2-Minute Timer,Pressure Sensor,Waterproof,Whitening Mode;Brush Heads,Travel Case,Charging Base;3 Brush Heads,Travel Case
Air Purifier/HEPA Air Cleaner;Quiet Mode,Timer,360 Intake,Covers 400 sq ft;Replacement Filter,Carbon Pre-Filter,Remote Control;Extra Filter
Espresso Machine/Espresso Maker;15 Bar Pump,Milk Frother,PID Control,Removable Tank;Portafilter,Descaling Tablets,Water Tank;Burr Grinder,Tamper
Acoustic Guitar/Dreadnought Guitar;Solid Top,Mahogany,Rosewood Fingerboard,Natural Finish;Guitar Strings,Gig Bag,Capo;Gig Bag and Tuner,Stand
Trail Camera/Game Camera;Night Vision,IP66,0.2s Trigger,32MP;Mounting Bracket,Solar Panel,Lock Box;32GB SD Card,8 AA Batteries
Portable Speaker/Bluetooth Speaker;IPX7,20-Hour Playtime,Stereo Pairing,Deep Bass;Silicone Skin,Wall Mount,Power Adapter;Hard Shell Case,Aux Cable
`),
  foods: named(`
Protein Powder: Strawberry|Cookies and Cream|Unflavored|Banana
Herbal Tea: Peppermint|Chamomile|Ginger|Hibiscus
Hot Sauce: Habanero|Chipotle|Garlic|Mango
Oatmeal: Maple|Apple Cinnamon|Blueberry|Original
Cat Food: Tuna|Turkey|Duck|Whitefish
`),
  supplements: lines('Ashwagandha|Vitamin D3|Calcium Citrate|Probiotic|Biotin|CoQ10'),
  forms: lines('Caplets|Lozenges|Vegetarian Capsules|Chewables'),
  paper: named(`
Coffee Filters: filters
Toilet Paper: rolls
Laundry Detergent: loads
Swabs: swabs
Freezer Bags: bags
`) as readonly (readonly [string, string])[],
  colours: lines('Charcoal|Cream|Burgundy|Sky Blue|Olive|Copper|Lavender|Mustard|Beige|Pink'),
  editions: lines('Premium Edition|Limited Edition|Teacher Edition|Gold Edition|Special Edition'),
  works: lines(
    'Harbor Traders Strategy Game|Introduction to Statistics|Dragon Circuit Racing Game|Watercolor for Beginners',
  ),
  variants: lines('Mini|Ultra|SE|Next'),
  sizes: [lines('XS|S|M|XL'), lines('Size 5|Size 6|Size 7|Size 12')],
  worn: lines('Wool Sweater|Trail Sneakers|Swim Shorts|Leather Belt|Thermal Socks'),
  conditions: lines(
    'Renewed|(Restored)|Pre-Owned|(Open-Box)|Reconditioned|Manufacturer Refurbished',
  ),
  claims: lines(
    'New Arrival|Ships Fast|Genuine|Latest Release|Great Value|for Men and Women|Lightweight|Authentic',
  ),
};
