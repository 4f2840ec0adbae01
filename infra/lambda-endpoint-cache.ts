/**
 * Stands in for `@aws-sdk/endpoint-cache` in bundles: DynamoDB's client makes one, and uses it only where endpoints are to be
 * discovered, which Lambda's environment does not ask for.
 */
export class EndpointCache {}
