// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {Storage} from "./Storage.sol";

/// Reads the protocol's settings; each lives in Storage under the hash of its dotted name. The guardian writes them there.
contract ProtocolDAO is Base {
    constructor(Storage store_) Base(store_) {}

    // GGP rewards
    function getRewardsEligibilityMinSeconds() external view returns (uint256) { return _setting("RewardsEligibilityMinSeconds"); }
    function getRewardsCycleSeconds() external view returns (uint256) { return _setting("RewardsCycleSeconds"); }
    function getInflationIntervalSeconds() external view returns (uint256) { return _setting("InflationIntervalSeconds"); }

    function getInflationIntervalRate() external view returns (uint256) {
        uint256 rate = _setting("InflationIntervalRate");
        return rate < 1 ether ? 1 ether : rate;
    }

    /// Share of a cycle's GGP, 1e18 = all of it.
    function getClaimingContractPct(string calldata claimingContract) external view returns (uint256) {
        return store.getUint(keccak256(abi.encodePacked("ProtocolDAO.ClaimingContractPct.", claimingContract)));
    }

    // ggAVAX
    function getTargetGGAVAXReserveRate() external view returns (uint256) { return _setting("TargetGGAVAXReserveRate"); }
    function getFeeBips() external view returns (uint256) { return _setting("FeeBips"); }

    function getWithdrawForDelegationEnabled() external view returns (bool) {
        return store.getBool(keccak256("ProtocolDAO.WithdrawForDelegationEnabled"));
    }

    // minipools
    function getMinipoolMinAVAXStakingAmt() external view returns (uint256) { return _setting("MinipoolMinAVAXStakingAmt"); }
    function getMinipoolMinAVAXAssignment() external view returns (uint256) { return _setting("MinipoolMinAVAXAssignment"); }
    function getMinipoolMaxAVAXAssignment() external view returns (uint256) { return _setting("MinipoolMaxAVAXAssignment"); }
    function getMinipoolNodeCommissionFeePct() external view returns (uint256) { return _setting("MinipoolNodeCommissionFeePct"); }
    function getMinipoolMinDuration() external view returns (uint256) { return _setting("MinipoolMinDuration"); }
    function getMinipoolMaxDuration() external view returns (uint256) { return _setting("MinipoolMaxDuration"); }
    function getMinipoolCycleDuration() external view returns (uint256) { return _setting("MinipoolCycleDuration"); }
    function getMinipoolCycleDelayTolerance() external view returns (uint256) { return _setting("MinipoolCycleDelayTolerance"); }
    function getMinipoolCancelMoratoriumSeconds() external view returns (uint256) { return _setting("MinipoolCancelMoratoriumSeconds"); }
    function getExpectedAVAXRewardsRate() external view returns (uint256) { return _setting("ExpectedAVAXRewardsRate"); }

    // collateral
    function getMinCollateralizationRatio() external view returns (uint256) { return _setting("MinCollateralizationRatio"); }
    function getMaxCollateralizationRatio() external view returns (uint256) { return _setting("MaxCollateralizationRatio"); }

    // ---- pausing and the registry ----

    function getContractPaused(string calldata name) external view returns (bool) {
        return store.getBool(keccak256(abi.encodePacked("contract.paused", name)));
    }

    /// Points `name` at `module`. What was registered there before loses its rights but keeps answering reads.
    function registerContract(string calldata name, address module) external onlyGuardian {
        address previous = store.getAddress(keccak256(abi.encodePacked("contract.address", name)));
        if (previous != address(0)) {
            store.setBool(keccak256(abi.encodePacked("contract.exists", previous)), false);
            store.setString(keccak256(abi.encodePacked("contract.name", previous)), "");
        }
        store.setBool(keccak256(abi.encodePacked("contract.exists", module)), true);
        store.setAddress(keccak256(abi.encodePacked("contract.address", name)), module);
        store.setString(keccak256(abi.encodePacked("contract.name", module)), name);
    }

    function _setting(string memory name) private view returns (uint256) {
        return store.getUint(keccak256(abi.encodePacked("ProtocolDAO.", name)));
    }
}
