// Japanese words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const JAPANESE: LanguageWords = {
  ...NO_WORDS,
  subscription: '定期',
  charge: '送料, 会員, ポイント, 月々, 分割, クーポン',
  ofSome: '回払い, 入札, 買取, 下取, 月額, 年額',
  free: '無料',
  pieces: '個, 本, 枚',
  priceWordParts: '価格, 販売, セール, 特価, 税込み?, 今だけ, タイム, 現在',
  former: '定価, 通常価格, 参考価格, (メーカー)?希望小売価格',
  regular: '通常価格',
  netParts: '税抜, 税別, 本体価格, 外税, [+＋]\\s?(消費)?税',
  grossParts: '税込',
  inStock: '在庫あり, 残り#点, 日以内に発送',
  outOfStock:
    '取り扱いできません, 再入荷予定は立って, 在庫なし, 在庫切れ, 在庫ありません, 在庫はありません, 在庫がありません, 品切れ, 売り切れ, 完売',
  onlyToOrder:
    '予約受付中, 予約商品, 予約注文, 予約販売, 取り寄せ商品, 取り寄せ品, お取り寄せとなります, 入荷待ち',
  gone: '販売終了, 販売を終了, 生産終了, 生産完了, 取扱終了, 取扱いを終了, 取り扱い終了, 廃番',
  stockNegationParts: 'ません',
  buy: '(商品を)?(ショッピング)?(カート|バッグ)[にへ](入れる|追加(する)?), (お?買い?物)?(かご|カゴ)に(入れる|追加(する)?), ご?購入(する|手続きへ)?, 今すぐ(買う|購入(する)?), 注文する',
  related:
    '関連(商品|製品|アイテム), 類似商品, (おすすめ|オススメ)(の)?(商品|アイテム), (この|こちらの)(商品|アイテム)を.*(人|方).*, こちらの商品も.*, 最近(チェック|見た|閲覧).*',
  accessories: 'オプション(品)?, アクセサリー?',
  cart: 'カート, ショッピングカート',
  savedLists: 'お気に入り(一覧|リスト|商品)?, ほしい物リスト, 最近チェックした商品, 閲覧履歴',
  results: '検索結果',
  giftMoney: 'ギフト(カード|券), 商品券',
  ticket: 'チケット, 入場料',
  adults: '大人, 成人',
  otherVisitors: '小人, 子供, こども',
  barcode: 'バーコード',
  brand: 'ブランド',
  maker: 'メーカー',
  noMaker: 'ノーブランド(品)?, メーカー不明',
  shopNumber: '商品(コード|番号|編號|编号), 品番',
  makerNumber: 'メーカー(型番|品番)',
  conditionLabel: '(商品の)?状態, コンディション',
  conditionBadge: '新品, 中古品?',
  domain: 'ドメイン',
  wall: 'ロボット, アクセスが?(制限|拒否|集中)',
  queue: '待合室, 待ち時間, 順番に(ご案内|お待ち)',
  goneUnspaced: '(ページ|商品)(が|は)?(見つかりません|存在しません), お探しの.{0,12}見つかりません',
  isNew: '新品',
  isUsed: '中古',
  headsPackage: '箱, ケース, カートン, 集合包装, 外装, 内装, パレット, ダース, ロット',
  headsPiece: '単品, 個別, 個, 単位, バラ',
  headsCost: '単価, 原価, 仕入, 仕入れ, 卸値, 卸価格, 卸売, 下代, 納価, 掛率価格',
  headsFormer: '旧, 前回',
  headsOther:
    '送料, 運賃, 配送, コードコスト, センター, 方法, 日付, 日, 率, 上代, 定価, 小売, 販売, 売価, 合計, 通貨, 区分, 割引, 重量, 関税, 部門',
  headsCount: '入数, 入り数, 数量, 入',
};
