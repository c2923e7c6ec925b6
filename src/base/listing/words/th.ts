// Thai words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const THAI: LanguageWords = {
  ...NO_WORDS,
  ofSome: 'สมาชิก, โค้ด, คูปอง, ค่าส่ง, ประหยัด, ผ่อน',
  priceWordParts: 'ราคา, ลด, เหลือ, พิเศษ, เพียง',
  former: 'ราคาปกติ, ปกติ',
  saving: 'ประหยัด',
  netParts: 'ไม่รวม ?vat',
  grossParts: '(?<!ไม่)รวม ?vat',
  inStock: 'มสนคา',
  outOfStock: 'สินค้าหมด',
  onlyToOrder: 'พรีออเดอร์, สั่งจองล่วงหน้า, สินค้าสั่งจอง',
  buy: '(หยิบ|เพิ่ม)(ใส่|ลง)?(ใน)?(ตะกร้า|รถเข็น)(สินค้า)?, ซื้อ(เลย|สินค้า|ทันที)?',
  related: 'สินค้า(ที่เกี่ยวข้อง|แนะนำ|ใกล้เคียง|ที่คล้ายกัน)',
  accessories: 'อุปกรณ์เสริม',
  cart: 'ตะกร้าสินค้า',
  savedLists: 'สินค้าที่ชอบ',
  results: 'ผลการค้นหา',
  ticket: 'บัตร, ตั๋ว',
  adults: 'ผู้ใหญ่',
  otherVisitors: 'เด็ก',
  brand: 'ยี่ห้อ, แบรนด์',
  noMaker: 'ไม่มีแบรนด์',
  shopNumber: 'รหัสสินค้า',
  conditionLabel: 'สภาพ',
  wall: 'หุ่นยนต์',
  goneUnspaced: 'ไม่พบ(หน้า|สินค้า)',
  barcode: 'บาร์โค้ด',
  headsPackage: 'ลัง, กล่อง, แพ็ค, พาเลท, โหล',
  headsPiece: 'ชิ้น, หน่วย, อัน',
  headsCost: 'ต้นทุน, ราคาทุน, ราคาซื้อ, ราคาส่ง',
  headsFormer: 'เก่า, เดิม',
  headsOther:
    'ค่าขนส่ง, ขนส่ง, จัดส่ง, ศูนย์, รหัส, วิธี, ประเภท, วันที่, เปอร์เซ็นต์, ขาย, ปลีก, แนะนำ, รวม, ' +
    'สกุลเงิน, กลุ่ม, ส่วนลด, น้ำหนัก',
  headsCount: 'จำนวน, บรรจุ',
};
