import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rasterTypeOf } from '../../../src/base/listing/raster-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const CASES: readonly (readonly [beginning: string, type: string | null])[] = [
  ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
  ['\u0089PNG\r\n\u001a\n', 'image/png'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF\u0001\u0002\u0003\u0004WEBPVP8 ', 'image/webp'],
  ['\u0000\u0000\u0000\u001cftypavif', 'image/avif'],
  ['\u0000\u0000\u0000\u001cftypavis', 'image/avif'],
  ['', null],
  ['GIF8', null],
  ['\u0089PNG\n', null],
  ['RIFF\u0001\u0002\u0003\u0004WAVE', null],
  ['\u0000\u0000\u0000\u001cftypmp42', null],
  ['<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['<!doctype html>', null],
  ['BM', null],
  ['%PDF-1.7', null],
  [' GIF89a', null],
];

test('a picture is recognized by its first bytes, and a format that can contain scripts is refused', () => {
  for (const [beginning, type] of CASES) {
    assert.equal(rasterTypeOf(bytes(beginning)), type, JSON.stringify(beginning));
  }
});
