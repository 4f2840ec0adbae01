// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {MinipoolRecords, MinipoolStatus} from "./MinipoolRecords.sol";
import {Staking} from "./Staking.sol";
import {Storage} from "./Storage.sol";
import {Vault} from "./Vault.sol";
import {mulWad} from "./Wad.sol";
import {TokenggAVAX} from "./tokens/TokenggAVAX.sol";

/// The lives of minipools: what their owners and the multisig may do, and when.
contract MinipoolManager is MinipoolRecords {
    event MinipoolStatusChanged(address indexed nodeID, MinipoolStatus indexed status);
    event MinipoolLaunched(address indexed nodeID, bytes32 hardwareProvider, uint256 duration);
    event GGPSlashed(address indexed nodeID, uint256 ggp);
    event WithdrawForDelegation(address indexed nodeID, uint256 amount);
    event DepositFromDelegation(address indexed nodeID, uint256 amount, uint256 rewardsAmount);

    constructor(Storage store_) Base(store_) {}

    receive() external payable {}

    // ---- node operators ----

    /// Registers a node, or a new life of a node whose last one is Finished or Canceled: same index, record overwritten.
    function createMinipool(
        address nodeID,
        uint256 duration,
        uint256 delegationFee,
        uint256 assignment,
        bytes calldata blsPubkeyAndSig,
        bytes32 hardwareProvider
    ) external payable whenNotPaused {
        int256 index = getIndexOf(nodeID);
        if (index < 0) {
            uint256 count = getMinipoolCount();
            index = int256(count);
            store.setUint(COUNT, count + 1);
            store.setUint(keccak256(abi.encodePacked("minipool.index", nodeID)), count + 1);
            store.setAddress(_key(index, ".nodeID"), nodeID);
            _setStatus(index, MinipoolStatus.Prelaunch);
        } else {
            _transition(index, MinipoolStatus.Prelaunch);
        }
        _clearCycle(index);
        _setUint(index, ".duration", duration);
        _setUint(index, ".delegationFee", delegationFee);
        _setUint(index, ".creationTime", block.timestamp);
        _setUint(index, ".initialStartTime", 0);
        _setUint(index, ".ggpSlashAmt", 0);
        store.setBytes32(_key(index, ".hardwareProvider"), hardwareProvider);
        store.setAddress(_key(index, ".owner"), msg.sender);
        store.setAddress(_key(index, ".multisigAddr"), _multisig());
        store.setBytes(_key(index, ".blsPubkeyAndSig"), blsPubkeyAndSig);
        _setUint(index, ".avaxNodeOpAmt", msg.value);
        _setUint(index, ".avaxNodeOpInitialAmt", msg.value);
        _setUint(index, ".avaxLiquidStakerAmt", assignment);
        _vault().depositAVAX{value: msg.value}();

        Staking staking = _staking();
        staking.increaseAVAXStake(msg.sender, msg.value);
        staking.increaseAVAXAssigned(msg.sender, assignment);
        if (staking.getRewardsStartTime(msg.sender) == 0) staking.setRewardsStartTime(msg.sender, block.timestamp);
        require(staking.getCollateralizationRatio(msg.sender) >= _dao().getMinCollateralizationRatio(), "too little GGP");
    }

    function cancelMinipool(address nodeID) external {
        int256 index = _onlyOwner(nodeID);
        uint256 age = block.timestamp - _uint(index, ".creationTime");
        require(age >= _dao().getMinipoolCancelMoratoriumSeconds(), "too early");
        _cancel(index);
    }

    function withdrawMinipoolFunds(address nodeID) external {
        int256 index = _onlyOwner(nodeID);
        _transition(index, MinipoolStatus.Finished);
        uint256 principal = _uint(index, ".avaxNodeOpAmt");
        _staking().decreaseAVAXStake(msg.sender, principal);
        _payFromVault(msg.sender, principal + _uint(index, ".avaxNodeOpRewardAmt"));
    }

    // ---- the multisig ----

    function claimAndInitiateStaking(address nodeID) external onlyMultisig {
        int256 index = getIndexOf(nodeID);
        _launch(index);
        emit MinipoolLaunched(nodeID, store.getBytes32(_key(index, ".hardwareProvider")), _uint(index, ".duration"));
    }

    function recordStakingStart(address nodeID, bytes32 txID, uint256 startTime) external onlyMultisig {
        int256 index = getIndexOf(nodeID);
        _transition(index, MinipoolStatus.Staking);
        store.setBytes32(_key(index, ".txID"), txID);
        _setUint(index, ".startTime", startTime);
        if (_uint(index, ".initialStartTime") == 0) _setUint(index, ".initialStartTime", startTime);

        address owner = _address(index, ".owner");
        Staking staking = _staking();
        staking.increaseAVAXValidating(owner, _uint(index, ".avaxLiquidStakerAmt"));
        uint256 validating = staking.getAVAXValidating(owner);
        if (validating > staking.getAVAXValidatingHighWater(owner)) staking.setAVAXValidatingHighWater(owner, validating);
    }

    /// Ends a cycle and, when another one fits into the requested duration (plus tolerance), starts it at once.
    /// When it does not fit although the duration is not over, the record gets the error code EC1.
    function recordStakingEndThenMaybeCycle(address nodeID, uint256 endTime, uint256 avaxTotalRewardAmt) external payable onlyMultisig {
        int256 index = getIndexOf(nodeID);
        _end(index, nodeID, endTime, avaxTotalRewardAmt);
        uint256 minipoolEnd = _uint(index, ".initialStartTime") + _uint(index, ".duration");
        uint256 nextCycleEnd = block.timestamp + _dao().getMinipoolCycleDuration();
        if (nextCycleEnd <= minipoolEnd + _dao().getMinipoolCycleDelayTolerance()) {
            _compound(index);
            _launch(index);
        } else if (block.timestamp < minipoolEnd) {
            store.setBytes32(_key(index, ".errorCode"), "EC1");
        }
    }

    /// The P-chain refused the validator: the principals come back, status Error.
    function recordStakingError(address nodeID, bytes32 errorCode) external payable onlyMultisig {
        int256 index = getIndexOf(nodeID);
        _transition(index, MinipoolStatus.Error);
        (uint256 opAmt, uint256 lsAmt) = _principals(index);
        store.setBytes32(_key(index, ".errorCode"), errorCode);
        store.subUint(TOTAL_LIQUID_STAKER_AMT, lsAmt);
        _staking().decreaseAVAXAssigned(_address(index, ".owner"), lsAmt);
        _vault().depositAVAX{value: opAmt}();
        _ggAVAX().depositFromStaking{value: lsAmt}(lsAmt, 0);
    }

    function cancelMinipoolByMultisig(address nodeID, bytes32 errorCode) external onlyMultisig {
        int256 index = getIndexOf(nodeID);
        store.setBytes32(_key(index, ".errorCode"), errorCode);
        _cancel(index);
    }

    function withdrawForDelegation(uint256 amount, address nodeID) external onlyMultisig {
        _ggAVAX().withdrawForStaking(amount);
        emit WithdrawForDelegation(nodeID, amount);
        _sendAVAX(msg.sender, amount);
    }

    function depositFromDelegation(uint256 baseAmt, uint256 rewardAmt, address nodeID) external payable onlyMultisig {
        _ggAVAX().depositFromStaking{value: msg.value}(baseAmt, rewardAmt);
        emit DepositFromDelegation(nodeID, baseAmt, rewardAmt);
    }

    // ---- transitions ----

    /// Moves both principals to the multisig, which stakes them on the P-chain.
    function _launch(int256 index) private {
        _transition(index, MinipoolStatus.Launched);
        (uint256 opAmt, uint256 lsAmt) = _principals(index);
        store.addUint(TOTAL_LIQUID_STAKER_AMT, lsAmt);
        _ggAVAX().withdrawForStaking(lsAmt);
        _vault().withdrawAVAX(opAmt);
        _sendAVAX(msg.sender, opAmt + lsAmt);
    }

    function _end(int256 index, address nodeID, uint256 endTime, uint256 reward) private {
        _transition(index, MinipoolStatus.Withdrawable);
        (uint256 opAmt, uint256 lsAmt) = _principals(index);
        uint256 half = reward / 2;
        uint256 lsReward = half - mulWad(half, _dao().getMinipoolNodeCommissionFeePct());
        uint256 opReward = reward - lsReward;
        _setUint(index, ".endTime", endTime);
        _setUint(index, ".avaxTotalRewardAmt", reward);
        _setUint(index, ".avaxNodeOpRewardAmt", opReward);
        _setUint(index, ".avaxLiquidStakerRewardAmt", lsReward);
        if (reward == 0) _slash(index, nodeID);

        address owner = _address(index, ".owner");
        store.subUint(TOTAL_LIQUID_STAKER_AMT, lsAmt);
        _staking().decreaseAVAXAssigned(owner, lsAmt);
        _staking().decreaseAVAXValidating(owner, lsAmt);
        _vault().depositAVAX{value: opAmt + opReward}();
        _ggAVAX().depositFromStaking{value: lsAmt + lsReward}(lsAmt, lsReward);
    }

    /// The next cycle: both sides grow by the liquid stakers' reward, and the record of the last cycle is wiped.
    function _compound(int256 index) private {
        _setStatus(index, MinipoolStatus.Prelaunch);
        uint256 growth = _uint(index, ".avaxLiquidStakerRewardAmt");
        (uint256 opAmt, uint256 lsAmt) = _principals(index);
        _setUint(index, ".avaxNodeOpAmt", opAmt + growth);
        _setUint(index, ".avaxLiquidStakerAmt", lsAmt + growth);
        _clearCycle(index);
        _staking().increaseAVAXStake(_address(index, ".owner"), growth);
        _staking().increaseAVAXAssigned(_address(index, ".owner"), lsAmt + growth);
    }

    function _clearCycle(int256 index) private {
        store.setBytes32(_key(index, ".txID"), 0);
        store.setBytes32(_key(index, ".errorCode"), 0);
        _setUint(index, ".startTime", 0);
        _setUint(index, ".endTime", 0);
        _setUint(index, ".avaxTotalRewardAmt", 0);
        _setUint(index, ".avaxNodeOpRewardAmt", 0);
        _setUint(index, ".avaxLiquidStakerRewardAmt", 0);
    }

    /// Refunds the operator; the amounts stay in the record.
    function _cancel(int256 index) private {
        _transition(index, MinipoolStatus.Canceled);
        (uint256 opAmt, uint256 lsAmt) = _principals(index);
        address owner = _address(index, ".owner");
        Staking staking = _staking();
        staking.decreaseAVAXStake(owner, opAmt);
        staking.decreaseAVAXAssigned(owner, lsAmt);
        if (staking.getAVAXValidatingHighWater(owner) == 0 && staking.getAVAXAssigned(owner) == 0) {
            staking.setRewardsStartTime(owner, 0);
        }
        _payFromVault(owner, opAmt);
    }

    /// A validator without a reward costs the operator the GGP worth of what the liquid stakers expected.
    function _slash(int256 index, address nodeID) private {
        address owner = _address(index, ".owner");
        uint256 duration = _uint(index, ".endTime") - _uint(index, ".startTime");
        uint256 amount = calculateGGPSlashAmt(getExpectedAVAXRewardsAmt(duration, _uint(index, ".avaxLiquidStakerAmt")));
        store.addUint(_key(index, ".ggpSlashAmt"), amount);
        emit GGPSlashed(nodeID, amount);
        _staking().slashGGP(owner, amount);
    }

    function _transition(int256 index, MinipoolStatus to) private {
        MinipoolStatus from = MinipoolStatus(_uint(index, ".status"));
        bool valid = from == MinipoolStatus.Withdrawable || from == MinipoolStatus.Error;
        if (to == MinipoolStatus.Prelaunch) valid = from == MinipoolStatus.Finished || from == MinipoolStatus.Canceled;
        if (to == MinipoolStatus.Launched || to == MinipoolStatus.Canceled) valid = from == MinipoolStatus.Prelaunch;
        if (to == MinipoolStatus.Staking || to == MinipoolStatus.Error) valid = from == MinipoolStatus.Launched;
        if (to == MinipoolStatus.Withdrawable) valid = from == MinipoolStatus.Staking;
        require(valid, "not from this status");
        _setStatus(index, to);
    }

    function _setStatus(int256 index, MinipoolStatus to) private {
        _setUint(index, ".status", uint256(to));
        emit MinipoolStatusChanged(_address(index, ".nodeID"), to);
    }

    function _payFromVault(address to, uint256 amount) private {
        _vault().withdrawAVAX(amount);
        _sendAVAX(to, amount);
    }

    function _onlyOwner(address nodeID) private view returns (int256 index) {
        index = getIndexOf(nodeID);
        require(index >= 0 && _address(index, ".owner") == msg.sender, "not the owner");
    }

    function _staking() private view returns (Staking) {
        return Staking(_contract("Staking"));
    }

    function _vault() private view returns (Vault) {
        return Vault(_contract("Vault"));
    }

    function _ggAVAX() private view returns (TokenggAVAX) {
        return TokenggAVAX(payable(_contract("TokenggAVAX")));
    }
}
