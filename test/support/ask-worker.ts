/** Sends a request to the thread of `tables-worker.ts`. Throws an error with its response if the request fails. */
export async function askWorker(method: 'POST' | 'PUT' | 'DELETE', asked?: object): Promise<Response> {
  const response = await fetch(process.env.TABLES_URL as string, { method, body: JSON.stringify(asked) });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/** The data of a devnet that are recorded once for all tests. */
export type Past = 'ledger' | 'days';
