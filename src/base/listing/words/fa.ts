// Persian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const PERSIAN: LanguageWords = {
  ...NO_WORDS,
  onlyToOrder: 'پیش فروش, پیش سفارش, سفارش ویژه',
  ofSome: 'کد تخفیف',
  buy: 'افزودن به سبد( خرید)?',
  related: 'محصولات (مرتبط|مشابه)',
  accessories: 'لوازم جانبی',
  savedLists: 'علاقه مندی ها',
  results: 'نتایج جستجو',
  brand: 'برند, مارک',
  maker: 'سازنده, تولید ?کننده',
  noMaker: 'متفرقه, بدون برند',
  shopNumber: 'کد (محصول|کالا), شناسه (محصول|کالا)',
  barcode: 'بارکد',
  headsPackage: 'کارتن, جعبه, بسته',
  headsPiece: 'عدد, واحد',
  headsCost: 'قیمت خرید, هزینه, بهای تمام شده',
  headsFormer: 'قدیم',
  headsOther: 'حمل, کد, تاریخ, فروش, جمع, ارز, وزن',
  headsCount: 'تعداد',
};
