import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

/** Does the work of a custom resource and tells CloudFormation how it went: without an answer the stack would wait for an hour. */
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
      // Always the same: an update changes what is there and replaces nothing.
      PhysicalResourceId: LogicalResourceId,
      StackId,
      RequestId,
      LogicalResourceId,
    };
    // Bytes: with a text fetch would send its type, which the URL's signature does not have.
    await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
  };
}
