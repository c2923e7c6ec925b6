// Reads and writes the file of the shipped model (`model.txt` next to this file): trees, words and thresholds. Pure: the
// caller reads the file.

import { once } from '../../../base/once.ts';
import { FEATURE_NAMES } from '../features/feature-names.ts';
import { askedBy, questionsOf, TREE_DEPTH, TREE_LEAVES } from './forest.ts';
import type { Forest } from './forest.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { hashOf } from '../words/words.ts';

export type Calibration = {
  /**
   * Similarity is the logistic function of `slope` times the score in logits, plus `offset`, plus `unknown` times the share
   * of words that are in no counted title: trees treat unseen words as rare ones, and are too certain.
   */
  readonly slope: number;
  readonly offset: number;
  readonly unknown: number;
};

export type MatchModel = {
  readonly forest: Forest;
  readonly vocabulary: Vocabulary;
  readonly calibration: Calibration;
  /** At or above this similarity two listings are taken for one product. */
  readonly threshold: number;
  /** At or above this similarity no further sign is needed. */
  readonly strong: number;
  /** The number of the model file, unique per model. */
  readonly number: number;
};

type ModelFile = {
  readonly format: number;
  /** How the file was made, for people to read. */
  readonly made: string;
  readonly features: readonly string[];
  readonly calibration: Calibration;
  readonly threshold: number;
  readonly strong: number;
  readonly bias: number;
  readonly stops: readonly number[];
  /** Base64; a tree is 6 features, 6 thresholds and 64 signed leaves, one byte each. */
  readonly trees: string;
  readonly documents: number;
  /** Base64; a word is 4 bytes of hash and 2 of count, low byte first. */
  readonly words: string;
};

const FORMAT = 2;
const OPENING =
  '// The trained matcher: trees, words, thresholds. Made by npm run lab -- train-matching, not by hand.';
const TREE_BYTES = 2 * TREE_DEPTH + TREE_LEAVES;
const WORD_BYTES = 6;

/** Parses a model file. Throws if it was trained with other features than this program measures. */
export function modelFrom(text: string): MatchModel {
  const file = JSON.parse(text.slice(text.indexOf('{'))) as ModelFile;
  if (file.format !== FORMAT || file.features.join() !== FEATURE_NAMES.join()) {
    throw new Error(
      'the matching model was trained with other features: train it again (npm run lab -- train-matching)',
    );
  }
  const { documents, calibration, threshold, strong } = file;
  // Created for the first comparison. Startup, or an answer from one listing, needs neither, and they would be 3 % of
  // startup.
  const forest = once(() => forestFrom(file));
  const vocabulary = once((): Vocabulary => {
    const counts = countsFrom(bytesOf(file.words));
    return { idf: { documents, counts, scale: documents } };
  });
  return {
    get forest() {
      return forest();
    },
    get vocabulary() {
      return vocabulary();
    },
    calibration,
    threshold,
    strong,
    number: hashOf(text),
  };
}

/** Serializes a model to the text of its file; the same model gives the same text. */
export function modelText(model: MatchModel, made: string): string {
  const { idf } = model.vocabulary;
  const file: ModelFile = {
    format: FORMAT,
    made,
    features: FEATURE_NAMES,
    calibration: model.calibration,
    threshold: model.threshold,
    strong: model.strong,
    bias: model.forest.bias,
    stops: [...model.forest.stops],
    documents: idf.documents,
    trees: base64Of(treeBytes(model.forest)),
    words: base64Of(countBytes(idf.counts)),
  };
  return `${OPENING}\n${JSON.stringify(file, null, 1)}\n`;
}

function forestFrom({ bias, stops, trees: text }: ModelFile): Forest {
  const bytes = bytesOf(text);
  const trees = bytes.length / TREE_BYTES;
  const features = new Uint8Array(trees * TREE_DEPTH);
  const thresholds = new Uint8Array(trees * TREE_DEPTH);
  const leaves = new Int8Array(trees * TREE_LEAVES);
  for (let tree = 0; tree < trees; tree += 1) {
    const from = tree * TREE_BYTES;
    const questions = from + TREE_DEPTH;
    features.set(bytes.subarray(from, questions), tree * TREE_DEPTH);
    thresholds.set(bytes.subarray(questions, questions + TREE_DEPTH), tree * TREE_DEPTH);
    leaves.set(bytes.subarray(questions + TREE_DEPTH, from + TREE_BYTES), tree * TREE_LEAVES);
  }
  const questions = questionsOf(features, thresholds);
  return { bias, trees, questions, leaves, stops: Int32Array.from(stops) };
}

function treeBytes({ trees, questions: packed, leaves }: Forest): Uint8Array {
  const { features, thresholds } = askedBy(packed);
  const bytes = new Uint8Array(trees * TREE_BYTES);
  for (let tree = 0; tree < trees; tree += 1) {
    const questions = [tree * TREE_DEPTH, (tree + 1) * TREE_DEPTH] as const;
    const from = tree * TREE_BYTES;
    bytes.set(features.subarray(...questions), from);
    bytes.set(thresholds.subarray(...questions), from + TREE_DEPTH);
    bytes.set(leaves.subarray(tree * TREE_LEAVES, (tree + 1) * TREE_LEAVES), from + 2 * TREE_DEPTH);
  }
  return bytes;
}

function countsFrom(bytes: Uint8Array): Map<number, number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const counts = new Map<number, number>();
  for (let from = 0; from < bytes.length; from += WORD_BYTES) {
    counts.set(view.getInt32(from, true), view.getUint16(from + 4, true));
  }
  return counts;
}

function countBytes(counts: ReadonlyMap<number, number>): Uint8Array {
  const hashes = [...counts.keys()].toSorted((a, b) => a - b);
  const bytes = new Uint8Array(hashes.length * WORD_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [at, hash] of hashes.entries()) {
    view.setInt32(at * WORD_BYTES, hash, true);
    view.setUint16(at * WORD_BYTES + 4, Math.min(65_535, counts.get(hash) ?? 1), true);
  }
  return bytes;
}

function bytesOf(base64: string): Uint8Array {
  // A loop, because an iterator over the 100,000 characters took 18 ms of every startup.
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
