import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Makes the stacks of an error and its causes name the sources instead of the bundle. Node's --enable-source-maps would
 * do that too, but it reads the map in every cold start: a fifth of its time, for bugs that hardly ever happen.
 */
export function nameSources(error: Error): void {
  if (error.stack) error.stack = error.stack.replace(POSITION, findSource);
  if (error.cause instanceof Error) nameSources(error.cause);
}

const POSITION = /(\/[^\s:()]+\.js):(\d+):(\d+)/g;
const maps = new Map<string, SourceMap | undefined>();

function findSource(position: string, file: string, line: string, column: string): string {
  const origin = loadMap(file)?.findOrigin(Number(line), Number(column));
  return origin && 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : position;
}

/** The map beside a file, if there is one. */
function loadMap(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
