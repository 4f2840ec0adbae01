const { stripTypeScriptTypes } = require('node:module');

/** Makes JavaScript of a source as Node does: the types become blanks, so that lines and columns stay. */
module.exports = { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
