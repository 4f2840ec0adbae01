/** A plugin of Stryker, for `mutation.ts`: schemas of responses are read for the OpenAPI document, which has tests of its own. */

/** A part of a syntax tree, as Babel has it. */
interface Node {
  type: string;
  name?: string;
  callee?: Node;
  object?: Node;
}

export const IGNORE_SCHEMAS = 'schemas';

/** What `z.object(…).check(…)` begins with. */
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
