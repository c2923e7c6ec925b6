// The lab programs: the name that `npm run lab -- NAME` takes, the file, and the question that it answers.

type Program = {
  /** Below `lab`. */
  readonly file: string;
  readonly question: string;
};

/** By subject, in list order. */
export const SECTIONS: Readonly<Record<string, Readonly<Record<string, Program>>>> = {
  'Reading pages': {
    parsing: {
      file: 'eval/parsing.ts',
      question: 'Which facts of a corpus of recorded pages do the readers get right?',
    },
    benchmark: {
      file: 'eval/benchmark.ts',
      question: 'How do the readers score on the public benchmark of product extraction?',
    },
    'non-products': {
      file: 'eval/non-products.ts',
      question: 'How often is a non-product page read as a product page?',
    },
    records: {
      file: 'eval/records.ts',
      question: 'Is any fact changed between the bytes of a recorded page and its record?',
    },
    cases: {
      file: 'eval/cases.ts',
      question: 'Which inputs rebuilt from public bug reports does the service get right?',
    },
    mutations: {
      file: 'eval/mutations.ts',
      question: 'Does a damaged answer of a shop make a reader throw or take too long?',
    },
    rules: {
      file: 'eval/rules.ts',
      question: 'Is an amount that a person chose found again after its page has changed?',
    },
    quantities: {
      file: 'eval/quantities.ts',
      question: 'How many labelled titles give exactly their pack count and quantities?',
    },
  },
  Matching: {
    matching: {
      file: 'eval/matching.ts',
      question: 'How well does the matcher decide whether two listings are one product?',
    },
    hits: {
      file: 'eval/hits.ts',
      question: 'Which search hits are accepted as the product, rightly and wrongly?',
    },
    groups: {
      file: 'eval/groups.ts',
      question: 'Which wrong listings are left out of labelled groups of one product?',
    },
    agreement: {
      file: 'eval/agreement.ts',
      question: 'Which wrong listings are left out of generated groups and of planted barcodes?',
    },
    'train-matching': {
      file: 'training/train-matching.ts',
      question: 'Which model results from labelled pairs? Writes the one shipped with the matcher.',
    },
  },
  'Prices and fees': {
    glitches: {
      file: 'eval/glitches.ts',
      question: 'Which price errors are marked in simulated years, and which real prices?',
    },
    fees: {
      file: 'eval/fees.ts',
      question: 'Do the rate cards produce the fees of the test vectors to the cent?',
    },
  },
  'The whole service': {
    market: {
      file: 'eval/market.ts',
      question: 'Is every fact of the simulated market in the record, and every tie correct?',
    },
    order: {
      file: 'eval/order.ts',
      question: 'Does a record depend on the order of earlier lookups?',
    },
    'in-stock': {
      file: 'eval/in-stock.ts',
      question: 'Which records are in stock but show no price, although a listing has one?',
    },
    strangers: {
      file: 'eval/strangers.ts',
      question: 'Can a page that anyone could publish change the answer to a barcode?',
    },
    walk: {
      file: 'eval/walk.ts',
      question:
        'Do calls of all kinds in random order return what a model of the contract predicts?',
    },
    'cached-answers': {
      file: 'eval/cached-answers.ts',
      question: 'Is a cached answer ever older than what was acknowledged before?',
    },
    notifications: {
      file: 'eval/notifications.ts',
      question: 'Is each crossing of a watch notified once, in order, whichever process dies?',
    },
    files: {
      file: 'eval/files.ts',
      question: 'Is a sheet of 10,000 products the same if its run is stopped and killed?',
    },
    workbook: {
      file: 'eval/workbook.ts',
      question: 'Does LibreOffice open a workbook of answers with its types, formats and links?',
    },
    console: {
      file: 'eval/console.ts',
      question: 'Can a person do every task in the console, in an installed Chromium?',
    },
    extension: {
      file: 'eval/extension.ts',
      question: 'Does the browser extension show what was read, in an installed Chromium?',
    },
    prove: {
      file: 'prove/prove.ts',
      question: 'Is each promise of docs/promises.md kept? The same as npm run prove.',
    },
  },
  'Several processes and failures': {
    cluster: {
      file: 'eval/cluster.ts',
      question: 'Is every answer correct and charged once while processes are killed?',
    },
    failover: {
      file: 'eval/failover.ts',
      question: 'What is lost when the primary is killed and its standby promoted?',
    },
    'mixed-load': {
      file: 'eval/mixed-load.ts',
      question: 'Does memory stay constant during an hour of callers, hostile shops and kills?',
    },
    dump: {
      file: 'eval/dump.ts',
      question: 'Is a large store the same after dump and load through the other database?',
    },
  },
  'Speed and size': {
    bench: {
      file: 'bench/bench.ts',
      question: 'How fast is each thing against a baseline? The same as npm run bench.',
    },
    series: {
      file: 'bench/series.ts',
      question: 'What does a large price history cost: bytes, compaction, windows?',
    },
    size: {
      file: 'bench/size.ts',
      question: 'What does everything cost on a database of a million invented products?',
    },
    'small-machine': {
      file: 'bench/small-machine.ts',
      question: 'What does the service take of a small machine: memory, wake-ups, writes, disk?',
    },
    store: {
      file: 'eval/store.ts',
      question: 'How many bytes does a product take, and how fast are its listings stored again?',
    },
  },
  Source: {
    shape: {
      file: 'source/shape.ts',
      question: 'How large is the source, and which wings and files import each other?',
    },
    'executed-lines': {
      file: 'source/executed-lines.ts',
      question: 'How much of the source runs for one lookup, one page and one notification?',
    },
  },
};

/** All programs by name. */
export const PROGRAMS: Readonly<Record<string, Program>> = Object.assign(
  {},
  ...Object.values(SECTIONS),
);
