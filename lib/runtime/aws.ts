/** Settings of an AWS client whose requests time out after `timeoutMs`: the SDK's `requestTimeout` alone only warns. */
export function givingUpAfter(timeoutMs: number) {
  return { requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs, throwOnRequestTimeout: true } };
}
