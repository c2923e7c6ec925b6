// Words for accessories, bundles, flavours, editions and sizes that distinguish a listing from the product it is sold with.
// Data for stated-traits.ts. General trade terms: a missing word only means that a rule does not apply.

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

/** Things sold for a product. In the singular. */
export const PARTS = words(
  'case cover cartridge toner pad cushion earpad refill strap band bracelet charger cable cord adapter adaptor mount',
  'bracket stand holder sleeve skin lid blade brush brushhead bag pouch protector battery filter remote dock cradle',
  'tripod lens hood cap grip belt hose nozzle attachment tip needle bulb drum tray roller pedal knob handle wheel',
  'liner gasket seal fuse shade hook clip folio keyboard stylus bumper shell film guard tank basket jug pitcher',
  'head housing propeller ring station case charger protector bit capo string earbud eartip harness insole lace pick plug socket spool string tuner wrap cloth',
);

/** Things for which parts are sold. In the singular. */
export const WITH_PARTS = words(
  'vacuum mop machine maker brewer headphone earbud grill smoker griddle blender mixer processor camera drone printer',
  'phone smartphone tablet watch smartwatch tracker bike scooter stroller mower trimmer drill saw toothbrush razor',
  'shaver kettle toaster oven fryer cooker heater humidifier purifier dehumidifier cleaner speaker console',
  'projector tent tumbler bottle flask treadmill staubsauger saugroboter kaffeemaschine kugelgrill gasgrill kopfhorer',
  'aspirateur cafetiere casque aspirador cafetera aspirapolvere stofzuiger',
);

/** Words before a part that belongs to the product itself: "Notebook Hard Cover", "Watch with Steel Band". */
export const OF_PRODUCT = words(
  'hard soft with and leather steel metal glass wooden silicone rubber mesh fabric removable built in w black white',
  'grey gray silver gold blue red green pink sport hepa',
);

/** Further things that are bundled with a product. In the singular. */
export const EXTRAS = words(
  'card headset mouse controller game microphone flash bottle grinder towel oil soap glove helmet toolbox pump',
  'lock speaker pen notebook scale warranty book dvd accessory supply kit set bowl cup mug',
);

/** Who wears, eats or plays with a thing: "for women" does not indicate another product. In the singular. */
export const WEARERS = words(
  'men man women woman lady gentleman boy girl kid child children toddler baby infant teen adult senior unisex',
  'herren damen kinder jungen madchen baby erwachsene homme femme enfant bebe adulte hombre mujer nino nina adulto',
  'uomo donna bambino bambina bambini adulti heren dames kinderen dog cat puppy kitten hund hunde katze katzen',
  'chien chat perro gato cane cani gatto gatti pet',
);

/** Words that do not name a product. */
export const SMALL_WORDS = words(
  'for and the with a an of in to by on or new black white set pack plus edition series model official best seller',
  'free shipping gift great value genuine latest',
);

/** A product consisting of several things. */
export const BUNDLE_WORDS = words('bundle bundled combo bndl');

/** Flavours and scents. Words that are used for colours just as often are omitted. */
export const FLAVOURS = words(
  'vanilla chocolate strawberry raspberry blueberry cherry lemon lime grape watermelon peach pineapple mango banana',
  'apple cinnamon caramel hazelnut peppermint spearmint mint coconut almond pecan maple honey ginger turmeric',
  'chamomile hibiscus jasmine rooibos lavender eucalyptus sandalwood cedarwood bergamot grapefruit pomegranate',
  'cranberry acai barbecue bbq jalapeno habanero chipotle sriracha cheddar ranch garlic onion teriyaki buffalo',
  'chicken beef salmon tuna turkey duck lamb venison whitefish trout bacon pork unflavored unscented mocha espresso',
  'peanut salt salted roast cheese pepper cookie brownie latte chai matcha rose sage pine citrus berry tropical cola',
  'butterscotch toffee pistachio pumpkin melon guava kiwi lychee papaya tangerine fudge marshmallow original plain potato blend',
);

/** Words that turn a name into another model: `V8` and `V8 Plus`. */
export const VARIANTS = words('plus pro max mini lite ultra se fe xl next');

/** Letter sizes, each mapped to one spelling. */
export const SIZES: ReadonlyMap<string, string> = new Map(
  [
    'xxs 2xs',
    'xs xsmall',
    's small sm',
    'm medium med',
    'l large lg',
    'xl xlarge',
    'xxl 2xl xxlarge',
    'xxxl 3xl xxxlarge',
  ].flatMap((line) =>
    line.split(' ').map((word): [string, string] => [word, line.split(' ')[0] ?? '']),
  ),
);

/** Shades by the colour that another shop would use for them, in addition to the colours of `trait-words.ts`. */
export const SHADES: ReadonlyMap<string, string> = new Map(
  [
    'red burgundy maroon scarlet ruby cherry wine merlot garnet brick rust cardinal',
    'blue aqua indigo denim sapphire cerulean azure periwinkle',
    'green olive mint sage emerald lime jade moss hunter pistachio fern',
    'yellow mustard lemon amber canary saffron',
    'grey charcoal slate ash gunmetal pewter smoke',
    'orange coral peach apricot tangerine terracotta salmon pumpkin',
    'pink blush mauve raspberry',
    'brown copper chestnut mahogany walnut espresso mocha chocolate caramel taupe cognac camel',
    'purple lavender lilac plum amethyst eggplant orchid',
    'black ebony onyx jet midnight',
    'white pearl snow alabaster eggshell',
    'beige champagne oatmeal linen',
  ].flatMap((line) => {
    const [colour = '', ...shades] = line.split(' ');
    return shades.map((shade): [string, string] => [shade, colour]);
  }),
);
