/**
 * Stands in for `@aws-sdk/endpoint-cache` in bundles. The DynamoDB client creates one, but uses it only with endpoint
 * discovery, which is off unless the environment enables it.
 */
export class EndpointCache {}
