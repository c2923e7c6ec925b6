// Arabic words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const ARABIC: LanguageWords = {
  ...NO_WORDS,
  subscription: 'اشتراك',
  charge: 'شحن, توصيل',
  ofSome: 'للأعضاء, ببطاقة, بكود, كود (ال)?خصم, كوبون, قسيمة, دفعات, أقساط, توفير',
  free: 'مجان',
  unit: 'كجم, كيلو, متر',
  pieces: 'قطع',
  fromPieces: 'عند شراء',
  priceWords: 'السعر, سعر, الآن, فقط, بعد, الخصم, العرض, خاص',
  former: 'السعر (السابق|العادي|الأصلي|قبل( الخصم)?), كان',
  regular: 'السعر العادي',
  saving: 'وفر, توفير',
  netParts: '(غير شامل|بدون|قبل) (ال)?ضريبة',
  grossParts: '(?<!غير )شامل (ال)?ضريبة',
  inStock: 'متوفر, متوفر في المخزون, متاح, متوفرة',
  outOfStock: 'غير متوفر, نفدت الكمية, نفذت الكمية, نفد من المخزون, غير متاح, نفذ',
  stockNegationElsewhere: 'غير, ليس',
  buy: '(أضف|اضف|إضافة|اضافة) (إلى|الى|للسلة)( (السلة|سلة التسوق|العربة|عربة التسوق))?, (اشتري?|شراء|اطلب) الآن',
  related: 'منتجات (ذات صلة|مشابهة|مقترحة|مرتبطة), (قد|ربما) (يعجبك|تعجبك|يهمك).*',
  accessories: 'ملحقات, إكسسوارات',
  cart: 'سلة التسوق',
  savedLists: 'المفضلة, قائمة الأمنيات',
  results: 'نتائج البحث',
  giftMoney: 'بطاقة هدية',
  ticket: 'تذكرة, تذاكر',
  adults: 'مبالغ, بالغ',
  otherVisitors: 'طفل',
  brand: 'العلامة التجارية, الماركة',
  noMaker: 'بدون (علامة تجارية|ماركة)',
  shopNumber: 'رمز المنتج',
  conditionLabel: 'الحالة',
  wall: 'روبوت, تم رفض الوصول',
  goneUnspaced:
    '(الصفحة|المنتج|صفحة|منتج) غير (موجود|متوفر|متاح), لم يتم العثور على (ال)?(صفحة|منتج)',
  isNew: 'جديد',
  isRefurbished: 'مجدد',
  isUsed: 'مستعمل',
};
