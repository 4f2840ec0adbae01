/**
 * Loaded before anything else, by whatever Node there is: says what to do where that is too old to read TypeScript. On Linux npm
 * installs the right one beside the packages, and this never speaks.
 */
const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  console.error(
    `Node ${NEEDED} or later is required, but this is Node ${process.versions.node}. Get it at https://nodejs.org/en/download`,
  );
  process.exit(1);
}
