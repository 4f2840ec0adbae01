import { UpstreamFailure } from './failover.ts';

/** Honest answers have about ten levels. */
const MAX_DEPTH = 64;
/** Items and fields together: more than the largest honest answer has (32 MB of logs), parsed within a second. */
const MAX_VALUES = 1_000_000;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Parses the JSON of an answer. It is measured first: 32 MB of brackets would take `JSON.parse` 8 s and 1.7 GB, and what
 * is deep ends in a RangeError wherever it is written again. Throws SyntaxError, or {@link UpstreamFailure} if it is
 * larger than any honest one.
 */
export function parseJson(text: string): unknown {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case COMMA:
        values++;
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth++;
        values++;
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
    }
    if (depth > MAX_DEPTH || values > MAX_VALUES) throw new UpstreamFailure('oversized');
  }
  return JSON.parse(text);
}

/** Where the quote is that closes a string; the end of the text if none does. */
function endOfString(text: string, start: number): number {
  let end = start;
  let escapes: number;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
  } while (escapes % 2 === 1);
  return end;
}
