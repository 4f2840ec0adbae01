// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {ProtocolDAO} from "./ProtocolDAO.sol";
import {RewardsPool} from "./RewardsPool.sol";
import {Staking} from "./Staking.sol";
import {Storage} from "./Storage.sol";
import {Vault} from "./Vault.sol";
import {divWad, mulWad} from "./Wad.sol";
import {ERC20} from "./tokens/ERC20.sol";

/// Shares the node operators' part of a rewards cycle by effective GGP stake.
contract ClaimNodeOp is Base {
    event GGPRewardsClaimed(address indexed to, uint256 amount);

    constructor(Storage store_) Base(store_) {}

    /// GGP of the last payout, in wei.
    function getRewardsCycleTotal() public view returns (uint256) {
        return store.getUint(keccak256("NOPClaim.RewardsCycleTotal"));
    }

    function setRewardsCycleTotal(uint256 amount) external onlyRegistered {
        store.setUint(keccak256("NOPClaim.RewardsCycleTotal"), amount);
    }

    function isEligible(address stakerAddr) external view returns (bool) {
        Staking staking = Staking(_contract("Staking"));
        uint256 start = staking.getRewardsStartTime(stakerAddr);
        uint256 minSeconds = ProtocolDAO(_contract("ProtocolDAO")).getRewardsEligibilityMinSeconds();
        return start != 0 && block.timestamp - start >= minSeconds && staking.getAVAXValidatingHighWater(stakerAddr) > 0;
    }

    /// The denominator is the multisig's own sum over the eligible stakers. Emits nothing.
    function calculateAndDistributeRewards(address stakerAddr, uint256 totalEligibleGGPStaked) external onlyMultisig {
        Staking staking = Staking(_contract("Staking"));
        uint256 cycle = RewardsPool(_contract("RewardsPool")).getRewardsCycleCount();
        require(staking.getLastRewardsCycleCompleted(stakerAddr) < cycle, "distributed already");
        staking.setLastRewardsCycleCompleted(stakerAddr, cycle);

        uint256 share = divWad(staking.getEffectiveGGPStaked(stakerAddr), totalEligibleGGPStaked);
        staking.increaseGGPRewards(stakerAddr, mulWad(share, getRewardsCycleTotal()));
        staking.setAVAXValidatingHighWater(stakerAddr, staking.getAVAXValidating(stakerAddr));
        if (staking.getAVAXAssigned(stakerAddr) == 0) staking.setRewardsStartTime(stakerAddr, 0);
    }

    /// Pays `claimAmt` out and stakes the rest of the caller's rewards.
    function claimAndRestake(uint256 claimAmt) external {
        Staking staking = Staking(_contract("Staking"));
        uint256 rewards = staking.getGGPRewards(msg.sender);
        require(rewards > 0 && claimAmt <= rewards, "not so many rewards");
        staking.decreaseGGPRewards(msg.sender, rewards);

        Vault vault = Vault(_contract("Vault"));
        ERC20 ggp = ERC20(_contract("TokenGGP"));
        uint256 restakeAmt = rewards - claimAmt;
        if (restakeAmt > 0) {
            vault.withdrawToken(address(this), ggp, restakeAmt);
            ggp.approve(address(staking), restakeAmt);
            staking.restakeGGP(msg.sender, restakeAmt);
        }
        if (claimAmt > 0) vault.withdrawToken(msg.sender, ggp, claimAmt);
        emit GGPRewardsClaimed(msg.sender, claimAmt);
    }
}
