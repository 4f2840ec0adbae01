// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {Oracle} from "./Oracle.sol";
import {ProtocolDAO} from "./ProtocolDAO.sol";
import {divWad, mulWad} from "./Wad.sol";

enum MinipoolStatus {
    Prelaunch,
    Launched,
    Staking,
    Withdrawable,
    Finished,
    Canceled,
    Error
}

struct Minipool {
    int256 index;
    address nodeID;
    uint256 status;
    uint256 duration;
    uint256 delegationFee;
    address owner;
    address multisigAddr;
    uint256 avaxNodeOpAmt;
    uint256 avaxNodeOpInitialAmt;
    uint256 avaxLiquidStakerAmt;
    bytes blsPubkeyAndSig;
    bytes32 txID;
    uint256 creationTime;
    uint256 initialStartTime;
    uint256 startTime;
    uint256 endTime;
    uint256 avaxTotalRewardAmt;
    bytes32 errorCode;
    uint256 ggpSlashAmt;
    uint256 avaxNodeOpRewardAmt;
    uint256 avaxLiquidStakerRewardAmt;
    bytes32 hardwareProvider;
}

/// The records of minipools, one per node ID. All of it lives in Storage, so every manager reads the same ones.
abstract contract MinipoolRecords is Base {
    bytes32 internal constant COUNT = keccak256("minipool.count");
    bytes32 internal constant TOTAL_LIQUID_STAKER_AMT = keccak256("MinipoolManager.TotalAVAXLiquidStakerAmt");

    function getMinipoolCount() public view returns (uint256) {
        return store.getUint(COUNT);
    }

    /// 0-based, −1 for a node that never registered.
    function getIndexOf(address nodeID) public view returns (int256) {
        return int256(store.getUint(keccak256(abi.encodePacked("minipool.index", nodeID)))) - 1;
    }

    /// Liquid staker AVAX of the minipools that are Launched or Staking.
    function getTotalAVAXLiquidStakerAmt() external view returns (uint256) {
        return store.getUint(TOTAL_LIQUID_STAKER_AMT);
    }

    function calculateGGPSlashAmt(uint256 avaxRewardAmt) public view returns (uint256) {
        (uint256 price,) = Oracle(_contract("Oracle")).getGGPPriceInAVAX();
        return divWad(avaxRewardAmt, price);
    }

    function getExpectedAVAXRewardsAmt(uint256 duration, uint256 avaxAmt) public view returns (uint256) {
        return mulWad(avaxAmt, _dao().getExpectedAVAXRewardsRate()) * duration / 365 days;
    }

    /// A missing index reads as zeros.
    function getMinipool(int256 index) public view returns (Minipool memory mp) {
        mp.index = index;
        mp.nodeID = _address(index, ".nodeID");
        mp.status = _uint(index, ".status");
        mp.duration = _uint(index, ".duration");
        mp.delegationFee = _uint(index, ".delegationFee");
        mp.owner = _address(index, ".owner");
        mp.multisigAddr = _address(index, ".multisigAddr");
        (mp.avaxNodeOpAmt, mp.avaxLiquidStakerAmt) = _principals(index);
        mp.avaxNodeOpInitialAmt = _uint(index, ".avaxNodeOpInitialAmt");
        mp.blsPubkeyAndSig = store.getBytes(_key(index, ".blsPubkeyAndSig"));
        mp.txID = store.getBytes32(_key(index, ".txID"));
        mp.creationTime = _uint(index, ".creationTime");
        mp.initialStartTime = _uint(index, ".initialStartTime");
        mp.startTime = _uint(index, ".startTime");
        mp.endTime = _uint(index, ".endTime");
        mp.avaxTotalRewardAmt = _uint(index, ".avaxTotalRewardAmt");
        mp.errorCode = store.getBytes32(_key(index, ".errorCode"));
        mp.ggpSlashAmt = _uint(index, ".ggpSlashAmt");
        mp.avaxNodeOpRewardAmt = _uint(index, ".avaxNodeOpRewardAmt");
        mp.avaxLiquidStakerRewardAmt = _uint(index, ".avaxLiquidStakerRewardAmt");
        mp.hardwareProvider = store.getBytes32(_key(index, ".hardwareProvider"));
    }

    /// For an unknown node: zeros with index −1, which looks like Prelaunch.
    function getMinipoolByNodeID(address nodeID) external view returns (Minipool memory mp) {
        return getMinipool(getIndexOf(nodeID));
    }

    /// The records with `status` in the index window [offset, offset + limit); limit 0 means until the end.
    /// The window is cut before the filter, so a page may be empty without being the last.
    function getMinipools(MinipoolStatus status, uint256 offset, uint256 limit) external view returns (Minipool[] memory minipools) {
        uint256 count = getMinipoolCount();
        uint256 end = offset + limit;
        if (end > count || limit == 0) end = count;
        minipools = new Minipool[](end - offset);
        uint256 found = 0;
        for (uint256 i = offset; i < end; i++) {
            Minipool memory mp = getMinipool(int256(i));
            if (mp.status == uint256(status)) minipools[found++] = mp;
        }
        assembly {
            mstore(minipools, found)
        }
    }

    function _principals(int256 index) internal view returns (uint256 opAmt, uint256 lsAmt) {
        return (_uint(index, ".avaxNodeOpAmt"), _uint(index, ".avaxLiquidStakerAmt"));
    }

    function _uint(int256 index, string memory field) internal view returns (uint256) {
        return store.getUint(_key(index, field));
    }

    function _setUint(int256 index, string memory field, uint256 value) internal {
        store.setUint(_key(index, field), value);
    }

    function _address(int256 index, string memory field) internal view returns (address) {
        return store.getAddress(_key(index, field));
    }

    function _key(int256 index, string memory field) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("minipool.item", index, field));
    }

    function _dao() internal view returns (ProtocolDAO) {
        return ProtocolDAO(_contract("ProtocolDAO"));
    }
}
