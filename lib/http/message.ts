/** A request, as handlers see it: what API Gateway's event says, without its nulls and spellings. */
export interface Request {
  method: string;
  /** Path as the client sent it. */
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** Query parameters with every value given. */
  query: Record<string, string[]>;
}

export interface Response {
  status: number;
  headers: Record<string, string>;
  /** Bytes are a compressed body. */
  body: string | Uint8Array;
}
