/**
 * The closing line of a test run, read from vitest's JSON report: `N passed, N failed`, alone on its line. Says which tests
 * failed or were skipped before it. Usage: node scripts/test-summary.mjs <report.json> <exit code of vitest>
 */
import { readFileSync } from 'node:fs';

const { testResults, numPassedTests, numPendingTests, numTodoTests, success } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
const failures = testResults.flatMap(({ name, status, assertionResults, message }) => {
  const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => `${name}: ${test.fullName}`);
  // A file that cannot even be loaded has no tests to fail.
  return failed.length === 0 && status === 'failed' ? [`${name}: ${message}`] : failed;
});
// The report knows nothing of errors outside of tests, such as those of the type check.
const isGood = success && process.argv[3] === '0';
if (!isGood && failures.length === 0) failures.push('the run itself, see above');

for (const { name, assertionResults } of testResults) {
  for (const { status, fullName } of assertionResults) {
    if (status === 'pending' || status === 'skipped') console.log(`skipped: ${name}: ${fullName}`);
  }
}
for (const failure of failures) console.log(`failed: ${failure}`);
const skipped = numPendingTests + numTodoTests;
console.log(`${numPassedTests} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failures.length > 0 ? 1 : 0;
