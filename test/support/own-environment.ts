/**
 * Variables that a developer's shell may contain but no test may use: an AWS account, the repository of a Git hook
 * that runs the tests, and settings of the service and its tools.
 */
const FOREIGN =
  /^((AWS(?!_CA_BUNDLE|_EMULATOR)|CDK|GIT|POWERTOOLS)_.*|NETWORK|(RPC|P_CHAIN)_URLS|DATA_API_(URL|KEY)|MAX_HEAD_AGE_SECONDS|(CACHE|HISTORY|LEDGER)_TABLE|(HISTORY|HOURLY)_START|STAGE|ENDS_ON|SECURITY_CONTACT|SECRET_ID|PORT|LOG_LEVEL)$/;

/** Keeps away what programs find without variables, and a proxy from requests to this machine. */
const OWN = {
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  GIT_CONFIG_GLOBAL: '/dev/null',
  NO_PROXY: 'localhost,127.0.0.1',
  no_proxy: 'localhost,127.0.0.1',
};

/** Called before the first test. All processes of the tests inherit the environment. */
export function takeOwnEnvironment(): void {
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
  Object.assign(process.env, OWN);
}
