/** AWS's prices for use: on demand, without free tier, us-east-1, 2026-11. In dollars. */
const PRICES = {
  /** REST API, a request, below 333 million a month. */
  apiGateway: 3.5e-6,
  /** Web ACL, a request, with rules that cost nothing more. */
  waf: 0.6e-6,
  lambdaRequest: 0.2e-6,
  /** arm64, a gigabyte for a second. */
  lambdaGBSecond: 0.0000133334,
  /** DynamoDB, a read and a write request unit. */
  read: 0.125e-6,
  write: 0.625e-6,
  /** CloudWatch Logs, a byte taken in. */
  logByte: 0.5e-9,
  /** CloudFront in North America (in Europe 1.30 a million): an HTTPS request with its function, and a byte below 10 TB a month. */
  edgeRequest: 1.1e-6,
  edgeSentByte: 0.085e-9,
};

/** A line of the edge's log. */
const EDGE_LOG_BYTES = 400;
/** Lambda's own START, END and REPORT. */
export const LAMBDA_LOG_BYTES = 400;
/** A line of API Gateway's access log. */
export const ACCESS_LOG_BYTES = 300;

export interface Use {
  ms: number;
  /** DynamoDB request units. */
  reads: number;
  writes: number;
  logBytes: number;
}

export interface RequestUse extends Use {
  sentBytes: number;
}

export function runPrice({ ms, reads, writes, logBytes }: Use, memoryGB = 1): number {
  const { lambdaRequest, lambdaGBSecond, read, write, logByte } = PRICES;
  const lambda = lambdaRequest + (Math.ceil(ms) / 1_000) * memoryGB * lambdaGBSecond;
  return lambda + reads * read + writes * write + logBytes * logByte;
}

export function edgePrice(sentBytes: number): number {
  const { edgeRequest, waf, logByte, edgeSentByte } = PRICES;
  return edgeRequest + waf + EDGE_LOG_BYTES * logByte + sentBytes * edgeSentByte;
}

export function passedOnPrice(use: RequestUse): number {
  return edgePrice(use.sentBytes) + PRICES.apiGateway + runPrice(use);
}
