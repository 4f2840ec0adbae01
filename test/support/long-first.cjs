const { default: TestSequencer } = require('@jest/test-sequencer');

/** They take half a minute and more in few lines, by which Jest, on a machine that has not run them yet, would start them last. */
const LONG =
  /\/test\/(integration|infra\/(archive|local\/start|site\/fields|stack\/permissions|tools\/backfill|verify))/;

/** Starts the longest tests first: those of all endpoints, and those that walk through states of a whole service. */
module.exports = class LongFirst extends TestSequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.test(path);
    const sorted = super.sort([...tests]);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
