/** Settings of an AWS client that gives up on a request after this time: the SDK's own `requestTimeout` alone only warns. */
export function givingUpAfter(timeoutMs: number) {
  return { requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs, throwOnRequestTimeout: true } };
}
