/**
 * Loaded before anything else, and says what to do if the installed Node is too old to run TypeScript. On Linux that
 * does not happen, because npm installs the right version with the packages.
 */
const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  console.error(
    `Node ${NEEDED} or later is required, but this is Node ${process.versions.node}. Get it at https://nodejs.org/en/download`,
  );
  process.exit(1);
}
