// Summarizes a report of Jest: `.ci/tally.cjs NAME REPORT` prints how many tests passed and failed, and then a message for each
// file that failed. Without a report, nothing is printed.
const { existsSync, readFileSync } = require('node:fs');
const { relative } = require('node:path');

const [, , name, report] = process.argv;
if (existsSync(report)) {
  const suites = JSON.parse(readFileSync(report, 'utf8')).testResults;
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  const failing = suites.filter(({ status }) => status === 'failed');
  // A file that cannot be loaded has no tests, but counts as a failure.
  const broken = failing.filter(({ assertionResults }) => !assertionResults.some(({ status }) => status === 'failed'));
  console.log(count('passed'), count('failed') + broken.length);
  for (const suite of failing)
    console.log(`::: FAILED: ${name}: ${relative('.', suite.name)}\n${suite.message.slice(0, 2_000)}`);
}
