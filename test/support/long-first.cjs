const { default: TestSequencer } = require('@jest/test-sequencer');

/** Starts the tests of all endpoints first. They take long in few lines, by which Jest would start them last. */
module.exports = class LongFirst extends TestSequencer {
  sort(tests) {
    const isLong = ({ path }) => path.includes('/test/integration/');
    const sorted = super.sort([...tests]);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
