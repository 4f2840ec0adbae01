// Summarizes jest's reports of a script. `tally.cjs failing REPORT` prints the files that failed. `tally.cjs SCRIPT
// REPORT…` prints how many tests passed and failed, as of the last report that has each file, and then a message for
// each file that failed in any report. Missing reports are ignored; without any, nothing is printed.
const { existsSync, readFileSync } = require('node:fs');
const { relative } = require('node:path');

const [, , script, ...reports] = process.argv;
const suites = reports
  .filter(existsSync)
  .flatMap((report) => JSON.parse(readFileSync(report, 'utf8')).testResults)
  .map((suite) => ({ ...suite, file: relative('.', suite.name) }));
const failing = suites.filter(({ status }) => status === 'failed');

if (script === 'failing') console.log(failing.map(({ file }) => file).join(' '));
else if (suites.length > 0) {
  const last = new Map(suites.map((suite) => [suite.file, suite]));
  const tests = [...last.values()].flatMap(({ assertionResults }) => assertionResults);
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  // A file that cannot be loaded has no tests, but counts as a failure.
  const broken = [...last.values()].filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  console.log(count('passed'), count('failed') + broken.length);
  for (const suite of failing) {
    const verdict = last.get(suite.file).status === 'failed' ? 'FAILED' : 'PASSED THE SECOND TIME';
    console.log(`::: ${verdict}: npm run ${script}: ${suite.file}\n${suite.message.slice(0, 2_000)}`);
  }
}
