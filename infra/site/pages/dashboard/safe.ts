/** Files for the Transaction Builder of Safe, a wallet with several owners (https://help.safe.global). */

interface Transaction {
  contract: string;
  /** Calldata in hex. */
  data: string;
  /** AVAX wei. */
  value: string;
  chainId: number;
}

/** A batch of transactions, in the format that Transaction Builder imports. */
export function createSafeBatch(name: string, transactions: readonly Transaction[]): string {
  return JSON.stringify({
    version: '1.0',
    chainId: String(transactions[0]?.chainId),
    createdAt: Date.now(),
    meta: { name },
    transactions: transactions.map(({ contract, value, data }) => ({
      to: contract,
      value,
      data,
      contractMethod: null,
      contractInputsValues: null,
    })),
  });
}
