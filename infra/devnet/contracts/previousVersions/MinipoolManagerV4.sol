// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {MinipoolLife} from "../MinipoolLife.sol";
import {Minipool, MinipoolStatus} from "../MinipoolRecords.sol";
import {Storage} from "../Storage.sol";

/// The manager of 2024-03 to 2024-08, the fourth one: 21 fields, no hardware provider.
contract MinipoolManagerV4 is MinipoolLife {
    struct MinipoolV4 {
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
    }

    constructor(Storage store_) MinipoolLife(store_) {}

    function getMinipool(int256 index) external view returns (MinipoolV4 memory mp) {
        return _older(_record(index));
    }

    function getMinipoolByNodeID(address nodeID) external view returns (MinipoolV4 memory mp) {
        return _older(_record(getIndexOf(nodeID)));
    }

    function getMinipools(MinipoolStatus status, uint256 offset, uint256 limit) external view returns (MinipoolV4[] memory minipools) {
        Minipool[] memory newer = _records(status, offset, limit);
        assembly {
            minipools := newer
        }
    }

    function createMinipool(
        address nodeID,
        uint256 duration,
        uint256 delegationFee,
        uint256 avaxAssignmentRequest,
        bytes calldata blsPubkeyAndSig
    ) external payable {
        _create(nodeID, duration, delegationFee, avaxAssignmentRequest, blsPubkeyAndSig, 0);
    }

    /// Before 2024-08, each cycle also cleared when the minipool was created and what it was slashed.
    function _clearCycle(int256 index) internal override {
        super._clearCycle(index);
        _setUint(index, ".creationTime", 0);
        _setUint(index, ".ggpSlashAmt", 0);
    }

    /// The newer struct only appends a field, so in memory the older one is its beginning.
    function _older(Minipool memory newer) private pure returns (MinipoolV4 memory mp) {
        assembly {
            mp := newer
        }
    }
}
