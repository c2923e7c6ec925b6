// Fee tables of retailer_a's fulfilment programme: cents by size tier, ounces and price band.

import type { FeeTable } from './rate-card.ts';

export const STANDARD_2026: FeeTable = {
  confidence: 'sure',
  smallStandard: [
    [2, [243, 332, 358]],
    [4, [249, 342, 368]],
    [6, [256, 345, 371]],
    [8, [266, 354, 380]],
    [10, [277, 368, 394]],
    [12, [282, 378, 404]],
    [14, [292, 391, 417]],
    [16, [295, 396, 422]],
  ],
  largeStandard: [
    [4, [291, 373, 399]],
    [8, [313, 395, 421]],
    [12, [338, 420, 446]],
    [16, [378, 460, 486]],
    [20, [422, 504, 530]],
    [24, [460, 542, 568]],
    [28, [475, 557, 583]],
    [32, [500, 582, 608]],
    [36, [510, 592, 618]],
    [40, [528, 610, 636]],
    [44, [544, 626, 652]],
    [48, [585, 667, 693]],
  ],
  largeStandardOver: { overOunces: 48, stepOunces: 4, stepCents: 8, fees: [615, 697, 723] },
  bulky: [
    { tier: 'small_bulky', fees: [678, 755, 755], perPoundCents: 38, overPounds: 1 },
    { tier: 'large_bulky', fees: [858, 935, 935], perPoundCents: 38, overPounds: 1 },
    { tier: 'extra_large_0_50', fees: [2556, 2633, 2633], perPoundCents: 38, overPounds: 1 },
    { tier: 'extra_large_50_70', fees: [3655, 3732, 3732], perPoundCents: 75, overPounds: 51 },
    { tier: 'extra_large_70_150', fees: [5055, 5132, 5132], perPoundCents: 75, overPounds: 71 },
    {
      tier: 'extra_large_150_plus',
      fees: [19_418, 19_495, 19_495],
      perPoundCents: 19,
      overPounds: 151,
    },
  ],
};

export const APPAREL_2026: FeeTable = {
  confidence: 'likely',
  smallStandard: [
    [2, [262, 351, 377]],
    [4, [264, 354, 380]],
    [6, [268, 359, 385]],
    [8, [281, 369, 395]],
    [10, [300, 391, 417]],
    [12, [310, 409, 435]],
    [14, [320, 420, 446]],
    [16, [330, 425, 451]],
  ],
  largeStandard: [
    [4, [348, 430, 456]],
    [8, [368, 450, 476]],
    [12, [390, 472, 498]],
    [16, [435, 517, 543]],
    [20, [505, 587, 613]],
    [24, [522, 604, 630]],
    [28, [532, 614, 640]],
    [32, [543, 625, 651]],
    [36, [578, 660, 686]],
    [40, [590, 672, 698]],
    [44, [595, 677, 703]],
    [48, [608, 690, 716]],
  ],
  // Twice the step of the other tables, at twice the price.
  largeStandardOver: { overOunces: 48, stepOunces: 8, stepCents: 16, fees: [615, 697, 723] },
  bulky: STANDARD_2026.bulky,
};

export const DANGEROUS_GOODS_2026: FeeTable = {
  confidence: 'likely',
  smallStandard: [
    [2, [340, 429, 455]],
    [4, [343, 436, 462]],
    [6, [348, 437, 463]],
    [8, [355, 443, 469]],
    [10, [364, 455, 481]],
    [12, [365, 461, 487]],
    [14, [373, 472, 498]],
    [16, [377, 478, 504]],
  ],
  largeStandard: [
    [4, [373, 455, 481]],
    [8, [394, 476, 502]],
    [12, [417, 499, 525]],
    [16, [437, 519, 545]],
    [20, [482, 564, 590]],
    [24, [520, 602, 628]],
    [28, [535, 617, 643]],
    [32, [549, 631, 657]],
    [36, [556, 638, 664]],
    [40, [574, 656, 682]],
    [44, [590, 672, 698]],
    [48, [631, 713, 739]],
  ],
  largeStandardOver: { overOunces: 48, stepOunces: 4, stepCents: 8, fees: [661, 743, 769] },
  bulky: [
    { tier: 'small_bulky', fees: [750, 827, 827], perPoundCents: 38, overPounds: 1 },
    { tier: 'large_bulky', fees: [930, 1007, 1007], perPoundCents: 38, overPounds: 1 },
    { tier: 'extra_large_0_50', fees: [2767, 2844, 2844], perPoundCents: 38, overPounds: 1 },
    { tier: 'extra_large_50_70', fees: [3976, 4053, 4053], perPoundCents: 75, overPounds: 51 },
    { tier: 'extra_large_70_150', fees: [5768, 5845, 5845], perPoundCents: 75, overPounds: 71 },
    {
      tier: 'extra_large_150_plus',
      fees: [21_876, 21_953, 21_953],
      perPoundCents: 19,
      overPounds: 151,
    },
  ],
};

/** The 2024 card has the same fee for every price. */
const any = (cents: number): readonly [number, number, number] => [cents, cents, cents];

export const STANDARD_2024: FeeTable = {
  confidence: 'sure',
  smallStandard: [
    [2, any(306)],
    [4, any(315)],
    [6, any(324)],
    [8, any(333)],
    [10, any(343)],
    [12, any(353)],
    [14, any(360)],
    [16, any(365)],
  ],
  largeStandard: [
    [4, any(368)],
    [8, any(390)],
    [12, any(415)],
    [16, any(455)],
    [20, any(499)],
    [24, any(537)],
    [28, any(552)],
    [32, any(577)],
    [36, any(587)],
    [40, any(605)],
    [44, any(621)],
    [48, any(662)],
  ],
  largeStandardOver: { overOunces: 48, stepOunces: 4, stepCents: 8, fees: any(692) },
  bulky: [
    { tier: 'large_bulky', fees: any(961), perPoundCents: 38, overPounds: 1 },
    { tier: 'extra_large_0_50', fees: any(2633), perPoundCents: 38, overPounds: 1 },
    { tier: 'extra_large_50_70', fees: any(4012), perPoundCents: 75, overPounds: 51 },
    { tier: 'extra_large_70_150', fees: any(5481), perPoundCents: 75, overPounds: 71 },
    { tier: 'extra_large_150_plus', fees: any(19_495), perPoundCents: 19, overPounds: 151 },
  ],
};
