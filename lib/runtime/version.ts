/** The version of the service; a test keeps it equal to package.json, which bundles do not contain. */
export const VERSION = '2.0.0';
