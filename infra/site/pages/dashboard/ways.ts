/** The name of each way out, by the API's. A way that this page does not know yet keeps the API's name. */
export const WAYS: Record<string, string> = {
  redeem: 'Redeem ggAVAX',
  claimUnstake: 'Claim a withdrawal',
  reclaimExpired: 'Get the ggAVAX of an expired withdrawal back',
  cancelUnstake: 'Cancel a pending withdrawal (you lose the yield since the request)',
  withdrawMinipool: 'Withdraw from an ended minipool',
  cancelMinipool: 'Cancel a minipool that has not started',
  claimRewards: 'Claim GGP rewards',
  withdrawGgp: 'Withdraw staked GGP',
  withdrawPstAvax: 'Withdraw pstAVAX',
  redeemXGgp: 'Redeem xGGP',
  redeemXAvax: 'Redeem xAVAX',
  withdrawLocked: 'Withdraw from an ended lock',
};
