// Detects a text file's encoding while its bytes are read: by a byte order mark, by zero bytes at every other position, or
// UTF-8 without an error. Otherwise it assumes windows-1252, and reports that, because it is a guess.

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

type EncodingProbe = {
  readonly pass: (bytes: Uint8Array) => void;
  readonly end: () => Encoding;
};

const HEAD_BYTES = 65_536;

export function createEncodingProbe(): EncodingProbe {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let head: Uint8Array = new Uint8Array();
  let isUtf8 = true;
  const decode = (bytes?: Uint8Array) => {
    try {
      if (isUtf8) utf8.decode(bytes, { stream: bytes !== undefined });
    } catch {
      isUtf8 = false;
    }
  };
  return {
    pass(bytes) {
      if (head.length < HEAD_BYTES) {
        head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)]);
      }
      decode(bytes);
    },
    end() {
      decode();
      return marked(head) ?? wide(head) ?? (isUtf8 ? 'utf-8' : 'windows-1252');
    },
  };
}

function marked([first, second, third]: Uint8Array): Encoding | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}

/** Western text in UTF-16 has a zero in most pairs of bytes, always at the same position. */
function wide(head: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const enough = head.length / 5;
  if (odd > enough && even * 10 < odd) return 'utf-16le';
  return even > enough && odd * 10 < even ? 'utf-16be' : null;
}

/** Decodes the bytes, without a byte order mark. Bytes that are not valid text become U+FFFD. */
export async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
