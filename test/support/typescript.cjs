const { hash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const sources = ['package-lock.json', 'tsconfig.json'].map((name) => readFileSync(name, 'utf8'));
const versions = hash('sha1', sources.join());
let tsJest;

/**
 * ts-jest, loaded only for what has changed: with TypeScript it takes most of a second in each worker. Its own cache keys contain
 * the whole project, so that each project would compile everything once more.
 */
module.exports = {
  getCacheKey: (source, path, { supportsStaticESM }) =>
    hash('sha1', [versions, supportsStaticESM, path, source].join()),
  process(...args) {
    tsJest ??= require('ts-jest').default.createTransformer({ useESM: true });
    return tsJest.process(...args);
  },
};
