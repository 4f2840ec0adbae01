/**
 * A Stryker plugin for `mutation.ts`. It ignores schemas of responses, which only affect the OpenAPI document; that has
 * tests of its own.
 */

/** A node of Babel's syntax tree. */
interface Node {
  type: string;
  name?: string;
  callee?: Node;
  object?: Node;
}

export const IGNORE_SCHEMAS = 'schemas';

/** The node that a chain of calls begins with: `z` of `z.object(…).check(…)`. */
function beginningOf(node: Node): Node {
  const before = node.callee ?? node.object;
  return before ? beginningOf(before) : node;
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: IGNORE_SCHEMAS,
    value: {
      shouldIgnore({ node }: { node: Node }): string | undefined {
        const isSchema = node.type === 'CallExpression' && ['z', 'model'].includes(beginningOf(node).name ?? '');
        return isSchema ? 'a schema' : undefined;
      },
    },
  },
];
