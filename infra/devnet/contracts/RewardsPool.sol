// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {ClaimNodeOp} from "./ClaimNodeOp.sol";
import {ProtocolDAO} from "./ProtocolDAO.sol";
import {Storage} from "./Storage.sol";
import {Vault} from "./Vault.sol";
import {mulWad} from "./Wad.sol";
import {TokenGGP} from "./tokens/TokenGGP.sol";

/// Mints GGP by inflation and splits it among node operators, the treasury and the multisigs, once per rewards cycle.
contract RewardsPool is Base {
    event GGPInflated(uint256 newTokens);
    event NewRewardsCycleStarted(uint256 totalRewardsAmt);
    event ClaimNodeOpRewardsTransferred(uint256 value);
    event ProtocolDAORewardsTransferred(uint256 value);
    event MultisigRewardsTransferred(uint256 value);

    constructor(Storage store_) Base(store_) {}

    /// Starts both clocks. Must be registered first, being the owner of these keys.
    function initialize(uint256 cycleCount) external onlyGuardian {
        store.setUint(keccak256("RewardsPool.RewardsCycleCount"), cycleCount);
        store.setUint(keccak256("RewardsPool.RewardsCycleStartTime"), block.timestamp);
        store.setUint(keccak256("RewardsPool.InflationIntervalStartTime"), block.timestamp);
    }

    function getRewardsCycleCount() public view returns (uint256) { return _get("RewardsPool.RewardsCycleCount"); }
    function getRewardsCycleStartTime() public view returns (uint256) { return _get("RewardsPool.RewardsCycleStartTime"); }
    function getRewardsCycleTotalAmt() public view returns (uint256) { return _get("RewardsPool.RewardsCycleTotalAmt"); }
    function getInflationIntervalStartTime() public view returns (uint256) { return _get("RewardsPool.InflationIntervalStartTime"); }

    function getRewardsCyclesElapsed() public view returns (uint256) {
        return (block.timestamp - getRewardsCycleStartTime()) / _dao().getRewardsCycleSeconds();
    }

    function getInflationIntervalsElapsed() public view returns (uint256) {
        return (block.timestamp - getInflationIntervalStartTime()) / _dao().getInflationIntervalSeconds();
    }

    /// Accrual to date, one floor per interval; MAX_SUPPLY is applied only when minting.
    function getInflationAmt() public view returns (uint256 currentTotalSupply, uint256 newTotalSupply) {
        uint256 rate = _dao().getInflationIntervalRate();
        uint256 intervals = getInflationIntervalsElapsed();
        newTotalSupply = currentTotalSupply = _ggp().totalSupply();
        for (uint256 i = 0; i < intervals; i++) newTotalSupply = mulWad(newTotalSupply, rate);
    }

    /// A claimant's part of the last payout.
    function getClaimingContractDistribution(string memory claimingContract) public view returns (uint256) {
        return mulWad(_dao().getClaimingContractPct(claimingContract), getRewardsCycleTotalAmt());
    }

    function canStartRewardsCycle() public view returns (bool) {
        return !_isPaused() && getRewardsCyclesElapsed() > 0 && getInflationIntervalsElapsed() > 0;
    }

    function startRewardsCycle() external {
        require(canStartRewardsCycle(), "too early or paused");
        emit NewRewardsCycleStarted(getRewardsCycleTotalAmt());
        store.setUint(keccak256("RewardsPool.RewardsCycleStartTime"), block.timestamp);
        store.addUint(keccak256("RewardsPool.RewardsCycleCount"), 1);
        _inflate();

        Vault vault = Vault(_contract("Vault"));
        TokenGGP ggp = _ggp();
        uint256 nodeOp = getClaimingContractDistribution("ClaimNodeOp");
        uint256 treasury = getClaimingContractDistribution("ClaimProtocolDAO");
        uint256 multisig = getClaimingContractDistribution("MultisigManager");
        ClaimNodeOp(_contract("ClaimNodeOp")).setRewardsCycleTotal(nodeOp);
        vault.transferToken("ClaimNodeOp", ggp, nodeOp);
        emit ClaimNodeOpRewardsTransferred(nodeOp);
        vault.transferToken("ClaimProtocolDAO", ggp, treasury);
        emit ProtocolDAORewardsTransferred(treasury);
        vault.withdrawToken(_multisig(), ggp, multisig);
        emit MultisigRewardsTransferred(multisig);
    }

    function _inflate() private {
        TokenGGP ggp = _ggp();
        (uint256 current, uint256 target) = getInflationAmt();
        if (target > ggp.MAX_SUPPLY()) target = ggp.MAX_SUPPLY();
        uint256 minted = target - current;
        store.setUint(keccak256("RewardsPool.InflationIntervalStartTime"), block.timestamp);
        store.setUint(keccak256("RewardsPool.RewardsCycleTotalAmt"), minted);
        Vault vault = Vault(_contract("Vault"));
        ggp.mint(address(this), minted);
        ggp.approve(address(vault), minted);
        vault.depositToken("RewardsPool", ggp, minted);
        emit GGPInflated(minted);
    }

    function _get(bytes memory name) private view returns (uint256) {
        return store.getUint(keccak256(name));
    }

    function _dao() private view returns (ProtocolDAO) {
        return ProtocolDAO(_contract("ProtocolDAO"));
    }

    function _ggp() private view returns (TokenGGP) {
        return TokenGGP(_contract("TokenGGP"));
    }
}
