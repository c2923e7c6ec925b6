// Vietnamese words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const VIETNAMESE: LanguageWords = {
  ...NO_WORDS,
  ofSome:
    'thành viên, hội viên, (với|qua|bằng|chủ) thẻ, mã (giảm|ưu đãi|khuyến), tiết kiệm, trả góp, vận chuyển',
  free: 'miễn phí',
  pieces: 'sản phẩm',
  fromPieces: 'mua( từ)?',
  priceWords: 'giá, bán, khuyến, mãi, hiện, tại, chỉ, còn, từ',
  former: 'giá (niêm yết|gốc|bìa|cũ|thị trường)',
  saving: 'tiết kiệm',
  withoutTax: 'chưa( gồm| bao gồm)?',
  withTax: 'đã( gồm| bao gồm)?',
  inStock: 'con hang',
  outOfStock: 'het hang, khong con hang',
  onlyToOrder: 'dat truoc, hang dat truoc, dat hang truoc',
  gone: 'ngung kinh doanh, ngung san xuat',
  stockNegation: 'khong',
  buy: 'thêm vào giỏ( hàng)?, mua ngay, chọn mua, đặt (mua|hàng)( ngay)?',
  related: 'sản phẩm (liên quan|tương tự|cùng loại|đã xem), có thể bạn .*',
  accessories: 'phụ kiện( đi kèm)?',
  cart: 'giỏ hàng',
  savedLists: 'danh sách yêu thích',
  results: 'kết quả tìm kiếm',
  ticket: 'vé',
  adults: 'người lớn',
  otherVisitors: 'trẻ em',
  brand: 'thương hiệu, nhãn hiệu',
  maker: 'hãng( sản xuất)?',
  noMaker: 'không thương hiệu',
  shopNumber: 'mã (sản phẩm|sp|hàng)',
  conditionLabel: 'tình trạng',
  queue: 'hàng chờ, phòng chờ',
  pageOrProduct: 'trang, san pham',
  goneAfter: 'khong ton tai',
  barcode: 'mã vạch',
  headsPackage: 'thùng, hộp, kiện, lốc, pallet',
  headsPiece: 'cái, chiếc, đơn vị, lẻ',
  headsCost: 'giá (vốn|nhập|mua|sỉ), chi phí, giá thành',
  headsFormer: 'cũ, trước',
  headsOther:
    'vận chuyển, giao hàng, cước, trung tâm, mã, phương pháp, loại, ngày, phần trăm, bán, lẻ, đề xuất, tổng, ' +
    'tiền tệ, nhóm, giảm giá, trọng lượng',
  headsCount: 'số lượng, quy cách',
};
