import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

/**
 * Runs a custom resource's handler and reports the outcome, for which CloudFormation waits (infra/stack/service-function.ts).
 * Throws if the answer was not accepted: Lambda then runs it again, twice, so the work has to be safe to repeat.
 */
export function customResource(work: (event: CloudFormationCustomResourceEvent) => Promise<void>) {
  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    const failure = await work(event).then(
      () => undefined,
      (error: Error) => error,
    );
    const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
    const answer = {
      Status: failure ? 'FAILED' : 'SUCCESS',
      Reason: failure?.message,
      // Always the same, so that an update never replaces the resource.
      PhysicalResourceId: LogicalResourceId,
      StackId,
      RequestId,
      LogicalResourceId,
    };
    // As bytes: for a string, fetch would add a Content-Type, which the URL's signature does not cover.
    const { ok, status } = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
    if (!ok) throw new Error(`the answer was refused with ${status}`);
  };
}
