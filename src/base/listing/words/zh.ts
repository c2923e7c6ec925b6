// Chinese words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const CHINESE: LanguageWords = {
  ...NO_WORDS,
  subscription: '订阅, 訂閱',
  charge:
    '运费, 会员, 會員, 分期, [折優优]?[價惠]?券[后後], 折[價扣]券, 優惠[券碼], 优惠[券码], 折扣[碼码]',
  ofSome: '_plus ?(价|價), 立减, 节省, 節省, 運費, 每月',
  free: '免费, 免運, 包邮',
  pieces: '個, 本, 枚',
  priceWordParts: '促销, 现, 售, 价, 價, 格, 优惠, 特, 活动',
  former: '原价, 原價, 市场价, 建議售價, 市價',
  saving: '节省, 節省, 立减',
  netParts: '不含税, 未税, 未稅',
  grossParts: '(?<!不)含税, 含稅',
  inStock: '有货, 现货, 有貨',
  outOfStock: '缺货, 售罄, 已售完, 無貨, 无货, 没有现货, 暂无现货, 无现货',
  onlyToOrder: '预售, 預售, 预订, 預訂, 预购, 預購',
  gone: '下架, 停产, 停產, 停售',
  stockNegationParts: '没有, 暂无',
  buy: '加入购物[车袋], (加入|放入|加到)購物車, (立即|马上)购买, 立即購買, 直接購買',
  related:
    '相关(产品|商品), 相關(商品|產品), 推荐(商品|产品), 推薦商品, 猜你喜欢, 为您推荐, 為您推薦, 您(可能|也许)(也|还)?(会)?喜欢.*',
  accessories: '配件',
  cart: '购物车, 購物車',
  savedLists: '收藏夹, 我的收藏, 收藏清單, 心愿单, 追蹤清單, 商品对比',
  results: '搜索结果, 搜尋結果',
  giftMoney: '礼品卡, 禮品卡, 禮券',
  ticket: '门票, 門票, 票',
  adults: '成人',
  otherVisitors: '儿童, 兒童',
  barcode: '条码, 條碼, 条形码, 條形碼',
  brand: '品牌',
  noMaker: '无品牌, 無品牌, 其他品牌',
  shopNumber: '商品(コード|番号|編號|编号), 货号, 貨號',
  conditionLabel: '成色',
  conditionBadge: '新品, 二手',
  domain: '域名',
  wall: '机器人, 機器人, 验证码, 驗證碼, 人机, 滑块, 安全验证, 访问(被拒|受限)',
  queue: '排队, 排隊, 等候室, 请按住',
  goneUnspaced:
    '(页面|頁面|商品|宝贝).{0,4}(不存在|未找到|找不到|已下架), 找不到.{0,6}(页面|頁面|商品), (页面|頁面|商品|宝贝).{0,4}(找不到|没有找到)',
  isNew: '新品, 全新',
  isUsed: '中古, 二手',
  headsPackage: '箱, 外箱, 中包, 整箱, 托盘, 包装, 件装, 盒',
  headsPiece: '单品, 單品, 单件, 單件, 个, 個, 件, 单位, 单个',
  headsCost: '成本, 进价, 進價, 采购价, 採購價, 批发价, 批發價, 进货价, 供货价, 出厂价, 单价, 單價',
  headsFormer: '旧, 舊, 原, 上次',
  headsOther:
    '运费, 運費, 物流, 中心, 代码, 编码, 方法, 类型, 日期, 百分比, 利润, 毛利, 零售, 售价, 建议, 建議, 总, 總, 合计, 币种, 货币, 分组, 折扣, 重量, 关税',
  headsCount: '装箱数, 数量, 數量, 入数, 箱规, 装量',
};
