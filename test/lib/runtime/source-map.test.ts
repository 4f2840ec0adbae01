import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { nameSources } from '../../../lib/runtime/source-map.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the stacks of an error and its causes name the source where the bundle has a map, and stay where it has none', () => {
  const folder = temporaryFolder('bundle');
  // The bundle's first position is the source's line 3, column 5; its 12th line is as far into line 7.
  const map = { version: 3, sources: ['lib/a.ts'], names: [], mappings: 'AAEI;;;;;;;;;;;AAII' };
  writeFileSync(join(folder, 'a.js.map'), JSON.stringify(map));
  writeFileSync(join(folder, 'b.js.map'), 'no map');
  const at = (file: string, cause?: unknown) =>
    Object.assign(new Error('any', { cause }), { stack: `Error: any\n  at f (${join(folder, file)}:1:1)` });
  const causes = [at('b.js', 'no error'), at('c.js')] as const;
  causes[1].cause = causes[0];
  const error = at('a.js', causes[1]);
  error.stack += `\n  at g (${join(folder, 'a.js')}:12:10)\n  at node:fs:1:1`;
  const before = causes.map(({ stack }) => stack);
  nameSources(error);
  expect(error.stack).toBe('Error: any\n  at f (lib/a.ts:3:5)\n  at g (lib/a.ts:7:18)\n  at node:fs:1:1');
  expect(causes.map(({ stack }) => stack)).toEqual(before);
  const outer = at('c.js', at('a.js'));
  nameSources(outer);
  expect((outer.cause as Error).stack).toContain('(lib/a.ts:3:5)');
});
