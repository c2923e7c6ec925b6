// Indonesian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const INDONESIAN: LanguageWords = {
  ...NO_WORDS,
  subscription: 'langganan',
  ofSome: 'anggota, (pakai|dengan|guna) kode?, ba[uv]car, hemat, cicilan, ongkir, grosir',
  fromPieces: 'beli',
  priceWords: 'harga, diskon, sekarang, spesial, hanya, mulai, dari',
  former: 'harga (normal|asli|awal|coret)',
  regular: 'harga normal',
  saving: 'hemat',
  tax: 'ppn',
  withoutTax: 'tanpa',
  withTax: 'termasuk',
  inStock: 'tersedia',
  outOfStock: 'habis, tidak tersedia, belum tersedia',
  onlyToOrder: 'barang indent',
  gone: 'tidak dijual lagi',
  stockNegation: 'tidak, belum',
  buy: '(tambah(kan)?|masukkan) (ke )?(keranjang|troli), beli( sekarang| langsung)?',
  related: 'produk (terkait|serupa|sejenis|rekomendasi), (mungkin )?anda (mungkin )?(juga )?suka.*',
  accessories: 'aksesori',
  cart: 'keranjang( belanja)?',
  savedLists: 'daftar keinginan',
  results: 'hasil pencarian',
  ticket: 'tiket',
  adults: 'dewasa',
  otherVisitors: 'anak',
  brand: 'merek',
  noMaker: 'tanpa merek, tidak ada merek',
  shopNumber: 'kode produk',
  conditionLabel: 'kondisi',
  queue: 'antrean, ruang tunggu',
  pageOrProduct: 'halaman, produk',
  goneAfter: 'tidak (di)?temukan',
  barcode: 'kode batang',
  headsPackage: 'karton, dus, kardus, kotak, palet, lusin, kemasan, pak',
  headsPiece: 'satuan, buah, pcs, biji, unit',
  headsCost: 'biaya, harga (beli|pokok|modal|grosir), hpp, modal',
  headsFormer: 'lama, sebelumnya',
  headsOther:
    'ongkir, ongkos, pengiriman, kirim, pusat, kode, metode, jenis, tipe, tanggal, persen, margin, jual, ' +
    'eceran, rekomendasi, total, jumlah harga, mata uang, grup, kelompok, diskon, berat',
  headsCount: 'isi, jumlah',
};
