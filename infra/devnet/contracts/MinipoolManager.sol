// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {MinipoolLife} from "./MinipoolLife.sol";
import {Minipool, MinipoolStatus} from "./MinipoolRecords.sol";
import {Storage} from "./Storage.sol";

/// The manager since 2024-08: 22 fields, with the hardware provider.
contract MinipoolManager is MinipoolLife {
    constructor(Storage store_) MinipoolLife(store_) {}

    function getMinipool(int256 index) external view returns (Minipool memory mp) {
        return _record(index);
    }

    /// For an unknown node: zeros with index −1, which looks like Prelaunch.
    function getMinipoolByNodeID(address nodeID) external view returns (Minipool memory mp) {
        return _record(getIndexOf(nodeID));
    }

    function getMinipools(MinipoolStatus status, uint256 offset, uint256 limit) external view returns (Minipool[] memory minipools) {
        return _records(status, offset, limit);
    }

    function createMinipool(
        address nodeID,
        uint256 duration,
        uint256 delegationFee,
        uint256 avaxAssignmentRequest,
        bytes calldata blsPubkeyAndSig,
        bytes32 hardwareProvider
    ) external payable {
        _create(nodeID, duration, delegationFee, avaxAssignmentRequest, blsPubkeyAndSig, hardwareProvider);
    }

    function withdrawRewardsAndRelaunchMinipool(address nodeID, uint256 duration, bytes32 hardwareProvider) external {
        _relaunch(nodeID, duration, hardwareProvider);
    }
}
