// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {MinipoolRecords, MinipoolStatus} from "./MinipoolRecords.sol";
import {MultisigManager} from "./MultisigManager.sol";
import {ProtocolDAO} from "./ProtocolDAO.sol";
import {Staking} from "./Staking.sol";
import {Storage} from "./Storage.sol";
import {Vault} from "./Vault.sol";
import {mulWad} from "./Wad.sol";
import {TokenggAVAX} from "./tokens/TokenggAVAX.sol";

/// The life of a minipool: what its owner and the multisig assigned to it may do, and when.
abstract contract MinipoolLife is MinipoolRecords {
    event MinipoolStatusChanged(address indexed nodeID, MinipoolStatus indexed status);
    event MinipoolLaunched(address indexed nodeID, bytes32 hardwareProvider, uint256 duration);
    event GGPSlashed(address indexed nodeID, uint256 ggp);
    event WithdrawForDelegation(address indexed nodeID, uint256 amount);
    event DepositFromDelegation(address indexed nodeID, uint256 amount, uint256 rewardsAmount);

    error CancellationTooEarly();
    error DelegationDisabled();
    error InsufficientAVAXForMinipoolCreation();
    error InsufficientGGPCollateralization();
    error InvalidAmount();
    error InvalidAVAXAssignmentRequest();
    error InvalidDelegationFee();
    error InvalidDuration();
    error InvalidEndTime();
    error InvalidMultisigAddress();
    error InvalidNodeID();
    error InvalidStartTime();
    error InvalidStateTransition();
    error OnlyOwner();

    constructor(Storage store_) MinipoolRecords(store_) {}

    receive() external payable {}

    // ---- node operators ----

    function cancelMinipool(address nodeID) external {
        int256 index = requireValidMinipool(nodeID);
        _onlyOwner(index);
        uint256 age = block.timestamp - _uint(index, ".creationTime");
        if (age < _dao().getMinipoolCancelMoratoriumSeconds()) revert CancellationTooEarly();
        _cancel(index);
    }

    function withdrawMinipoolFunds(address nodeID) external {
        int256 index = requireValidMinipool(nodeID);
        _onlyOwner(index);
        _transition(index, MinipoolStatus.Finished);
        uint256 principal = _uint(index, ".avaxNodeOpAmt");
        _staking().decreaseAVAXStake(msg.sender, principal);
        _payFromVault(msg.sender, principal + _uint(index, ".avaxNodeOpRewardAmt"));
    }

    // ---- the assigned multisig ----

    function claimAndInitiateStaking(address nodeID) external whenNotPaused {
        int256 index = _onlyAssigned(nodeID);
        _launch(index);
        emit MinipoolLaunched(nodeID, store.getBytes32(_key(index, ".hardwareProvider")), _uint(index, ".duration"));
    }

    function recordStakingStart(address nodeID, bytes32 txID, uint256 startTime) external whenNotPaused {
        int256 index = _onlyAssigned(nodeID);
        if (startTime > block.timestamp) revert InvalidStartTime();
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

    function recordStakingEnd(address nodeID, uint256 endTime, uint256 avaxTotalRewardAmt) external payable whenNotPaused {
        _end(_onlyAssigned(nodeID), nodeID, endTime, avaxTotalRewardAmt);
    }

    /// Ends a cycle and, when another one fits into the requested duration (plus tolerance), starts it at once.
    /// When it does not fit although the duration is not over, the record gets the error code EC1.
    function recordStakingEndThenMaybeCycle(address nodeID, uint256 endTime, uint256 avaxTotalRewardAmt) external payable whenNotPaused {
        int256 index = _onlyAssigned(nodeID);
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
    function recordStakingError(address nodeID, bytes32 errorCode) external payable whenNotPaused {
        int256 index = _onlyAssigned(nodeID);
        _transition(index, MinipoolStatus.Error);
        (uint256 opAmt, uint256 lsAmt) = _principals(index);
        if (msg.value != opAmt + lsAmt) revert InvalidAmount();
        store.setBytes32(_key(index, ".errorCode"), errorCode);
        store.subUint(TOTAL_LIQUID_STAKER_AMT, lsAmt);
        _staking().decreaseAVAXAssigned(_address(index, ".owner"), lsAmt);
        _vault().depositAVAX{value: opAmt}();
        _ggAVAX().depositFromStaking{value: lsAmt}(lsAmt, 0);
    }

    function cancelMinipoolByMultisig(address nodeID, bytes32 errorCode) external {
        int256 index = _onlyAssigned(nodeID);
        store.setBytes32(_key(index, ".errorCode"), errorCode);
        _cancel(index);
    }

    function withdrawForDelegation(uint256 amount, address nodeID) external onlyMultisig {
        if (!_dao().getWithdrawForDelegationEnabled()) revert DelegationDisabled();
        _ggAVAX().withdrawForStaking(amount);
        emit WithdrawForDelegation(nodeID, amount);
        _sendAVAX(msg.sender, amount);
    }

    function depositFromDelegation(uint256 baseAmt, uint256 rewardAmt, address nodeID) external payable onlyMultisig {
        if (msg.value != baseAmt + rewardAmt) revert InvalidAmount();
        _ggAVAX().depositFromStaking{value: msg.value}(baseAmt, rewardAmt);
        emit DepositFromDelegation(nodeID, baseAmt, rewardAmt);
    }

    // ---- transitions ----

    /// Registers a node, or a new life of a node whose last one is Finished or Canceled: same index, record overwritten.
    function _create(
        address nodeID,
        uint256 duration,
        uint256 delegationFee,
        uint256 assignment,
        bytes calldata blsPubkeyAndSig,
        bytes32 hardwareProvider
    ) internal whenNotPaused {
        if (nodeID == address(0)) revert InvalidNodeID();
        if (delegationFee < 20_000 || delegationFee > 1_000_000) revert InvalidDelegationFee();
        _requireAmounts(assignment);

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
        _startLife(index, duration, hardwareProvider);
        _setUint(index, ".delegationFee", delegationFee);
        store.setAddress(_key(index, ".owner"), msg.sender);
        store.setBytes(_key(index, ".blsPubkeyAndSig"), blsPubkeyAndSig);
        _setUint(index, ".avaxNodeOpAmt", msg.value);
        _setUint(index, ".avaxNodeOpInitialAmt", msg.value);
        _setUint(index, ".avaxLiquidStakerAmt", assignment);
        _vault().depositAVAX{value: msg.value}();
        _backWithCollateral(msg.value, assignment);
    }

    /// Pays out what the last life earned, and starts a new one with the principal of its first cycle, 1:1 matched.
    function _relaunch(address nodeID, uint256 duration, bytes32 hardwareProvider) internal whenNotPaused {
        int256 index = requireValidMinipool(nodeID);
        _onlyOwner(index);
        _transition(index, MinipoolStatus.Finished);
        uint256 principal = _uint(index, ".avaxNodeOpInitialAmt");
        uint256 last = _uint(index, ".avaxNodeOpAmt");
        uint256 earned = last + _uint(index, ".avaxNodeOpRewardAmt") - principal;
        _transition(index, MinipoolStatus.Prelaunch);
        _startLife(index, duration, hardwareProvider);
        _setUint(index, ".delegationFee", 20_000);
        _setUint(index, ".avaxNodeOpAmt", principal);
        _setUint(index, ".avaxLiquidStakerAmt", principal);
        _staking().decreaseAVAXStake(msg.sender, last);
        _backWithCollateral(principal, principal);
        if (earned > 0) _payFromVault(msg.sender, earned);
    }

    function _startLife(int256 index, uint256 duration, bytes32 hardwareProvider) private {
        if (duration < _dao().getMinipoolMinDuration() || duration > _dao().getMinipoolMaxDuration()) revert InvalidDuration();
        _clearCycle(index);
        _setUint(index, ".duration", duration);
        store.setBytes32(_key(index, ".hardwareProvider"), hardwareProvider);
        store.setAddress(_key(index, ".multisigAddr"), MultisigManager(_contract("MultisigManager")).requireNextActiveMultisig());
        _setUint(index, ".creationTime", block.timestamp);
        _setUint(index, ".initialStartTime", 0);
        _setUint(index, ".ggpSlashAmt", 0);
    }

    /// Books a new principal and its match to the caller, who must have enough GGP staked for everything assigned.
    function _backWithCollateral(uint256 opAmt, uint256 lsAmt) private {
        Staking staking = _staking();
        staking.increaseAVAXStake(msg.sender, opAmt);
        staking.increaseAVAXAssigned(msg.sender, lsAmt);
        if (staking.getRewardsStartTime(msg.sender) == 0) staking.setRewardsStartTime(msg.sender, block.timestamp);
        uint256 ratio = staking.getCollateralizationRatio(msg.sender);
        if (ratio < _dao().getMinCollateralizationRatio()) revert InsufficientGGPCollateralization();
    }

    function _requireAmounts(uint256 assignment) private view {
        ProtocolDAO dao = _dao();
        bool outside = assignment < dao.getMinipoolMinAVAXAssignment() || assignment > dao.getMinipoolMaxAVAXAssignment();
        if (outside || msg.value != assignment) revert InvalidAVAXAssignmentRequest();
        if (msg.value + assignment < dao.getMinipoolMinAVAXStakingAmt()) revert InsufficientAVAXForMinipoolCreation();
    }

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
        if (endTime <= _uint(index, ".startTime") || endTime > block.timestamp) revert InvalidEndTime();
        _transition(index, MinipoolStatus.Withdrawable);
        (uint256 opAmt, uint256 lsAmt) = _principals(index);
        if (msg.value != opAmt + lsAmt + reward) revert InvalidAmount();

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
        address owner = _address(index, ".owner");
        _staking().increaseAVAXStake(owner, growth);
        _staking().increaseAVAXAssigned(owner, lsAmt + growth);
        if (_staking().getRewardsStartTime(owner) == 0) _staking().setRewardsStartTime(owner, block.timestamp);
    }

    function _clearCycle(int256 index) internal virtual {
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
        uint256 staked = _staking().getGGPStake(owner);
        if (amount > staked) amount = staked;
        store.addUint(_key(index, ".ggpSlashAmt"), amount);
        emit GGPSlashed(nodeID, amount);
        if (amount > 0) _staking().slashGGP(owner, amount);
    }

    function _transition(int256 index, MinipoolStatus to) private {
        MinipoolStatus from = MinipoolStatus(_uint(index, ".status"));
        bool valid;
        if (to == MinipoolStatus.Prelaunch) {
            valid = from == MinipoolStatus.Finished || from == MinipoolStatus.Canceled;
        } else if (to == MinipoolStatus.Launched || to == MinipoolStatus.Canceled) {
            valid = from == MinipoolStatus.Prelaunch;
        } else if (to == MinipoolStatus.Staking || to == MinipoolStatus.Error) {
            valid = from == MinipoolStatus.Launched;
        } else if (to == MinipoolStatus.Withdrawable) {
            valid = from == MinipoolStatus.Staking;
        } else {
            valid = from == MinipoolStatus.Withdrawable || from == MinipoolStatus.Error;
        }
        if (!valid) revert InvalidStateTransition();
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

    function _onlyAssigned(address nodeID) private view returns (int256 index) {
        index = requireValidMinipool(nodeID);
        if (_address(index, ".multisigAddr") != msg.sender) revert InvalidMultisigAddress();
    }

    function _onlyOwner(int256 index) private view {
        if (_address(index, ".owner") != msg.sender) revert OnlyOwner();
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
