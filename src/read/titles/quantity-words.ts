// Title words that determine the meaning of its numbers: ounces of a drink are fluid, a bare "8 x 10" of paper is in
// inches, millimeters of a lens are a focal length. Data.

import { wordSet } from './pack-words.ts';

/** Drinks, and vessels whose ounces refer to a drink. */
export const DRINKS = wordSet(
  'juice juices water waters soda sodas cola coke pepsi sprite drink drinks beverage beverages',
  'lemonade beer ale lager wine cider kombucha seltzer milk smoothie smoothies tonic punch nectar',
  'sparkling gatorade powerade soymilk creamer syrup vinegar mouthwash',
  'tumbler tumblers mug mugs flask pitcher carafe growler drinkware decanter thermos stein',
);

/** Other liquids sold by the fluid ounce, except spray cans. */
export const LIQUIDS = wordSet(
  'shampoo conditioner lotion lubricant detergent softener sanitizer bleach cleaner cleanser',
  'degreaser disinfectant perfume parfum cologne toilette',
);

export const SPRAYED = wordSet('can cans aerosol aerosols');

/** Liquid only next to one of `POURED`: tea, coffee and cups are also sold dry. */
export const MAYBE_LIQUIDS = wordSet('tea teas coffee latte cappuccino espresso cup cups oil soap');

export const POURED = wordSet(
  'bottle bottles can cans iced cold hot brew liquid bottled ready paper foam plastic travel',
  'olive canola vegetable motor hand dish carton cartons',
);

/** Dry goods. Next to these words ounces are a weight, regardless of the rest of the title. */
export const DRY = wordSet(
  'mix powder powdered ground beans bean bags bag cookies crackers candy chocolate chips filter',
  'filters wipes bar bars pods aerosol pouch chews gummies gum cereal oatmeal soup tuna',
  'packet packets tablets snack snacks cake bouillon aerosols duster dusters',
);

/** Goods of paper, cloth and boards: a bare "a x b" is in inches. */
export const SHEETS = wordSet(
  'paper papers label labels tag tags pad pads sheet sheets envelope envelopes file files folder',
  'folders binder binders mat mats rug rugs poster posters photo photos frame frames notebook',
  'notebooks holder holders protector protectors board boards film fabric canvas towel towels',
  'posterboard cardboard blanket mailer mailers tile tiles sign signs banner guides cards index planner planners calendar',
  'calendars album albums easel laminating curtain curtains pillow tablecloth napkins napkin tabs',
  'flags notes note book books journal pocket pockets liner liners bags sleeve sleeves',
  'dividers indexes forms tray trays desk table bookcase cabinet shelf shelves screen whiteboard',
  'wipes wipers towelettes tissue tissues cloth cloths filter filters foil wrap gauze bandage',
  'bandages sponge sponges stickers sticker decals decal placemat placemats panel plaque doilies',
  'quilt throw matting portfolio clipboard badge badges screens credenza box boxes',
);

/** Millimeters next to these are focal lengths. */
export const LENSES = wordSet(
  'lens lenses zoom telephoto focal nikkor macro f fisheye objectif objektiv objetivo',
  'slr dslr aperture aspherical usm ef rf camera cameras megapixel',
);

/** Tyres, whose numbers are a separate size system. */
export const TYRES = wordSet('tire tires tyre tyres');

/** Clothes sized by the wearer's waist and leg. */
export const TROUSERS = wordSet(
  'jean jeans pants trousers chino chinos slacks shorts khakis overalls',
);

/** Pounds next to these refer to a ream of uncut sheets: the paper weight, not the pack's. */
export const BASIS_WEIGHTS = wordSet(
  'paper papier papel papir papper carta bond cardstock stock cover envelope envelopes kraft',
);

/** Next to these, a single mark means feet rather than inches. */
export const LONG_GOODS = wordSet('cable cables cord cords wire rope hose ladder extension patch');

/** After gigabytes, or anywhere next to gigabits, these make them a speed or a connection. */
export const LINKS = wordSet(
  's sec port ports lan nics ethernet fc fibre fiber fibrechannel nic hba switch network sfp cache buffer bandwidth',
);

/** Spellings that are a unit in a field but something else in a title: `3 stone ring`, `100 cal`. */
export const NO_UNITS_IN_TITLES = wordSet(
  'stone stones sti pie pies cal cali cale pes fot tum mg mgs mgm milligram milligrams st ins',
  'deka once fluid dm t clt mlt dlt mmt cmt mtr kgm grm gll oza lbr onz',
);

/** Next to these, a capital G means gigabytes or a generation, not grams. */
export const ELECTRONICS = wordSet(
  'usb ssd hdd card cards flash sata sas drive drives memory ram sfp radeon geforce intel amd core',
  'sd sdhc sdxc microsd microsdxc ryzen ddr gddr dimm cpu poe switch router phone tablet laptop notebook camera wireless network adapter gaming',
);
