// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Announces calls, and that they were made or not. It makes none itself.
contract Timelock {
    event TransactionQueued(address indexed target, bytes32 indexed id);
    event TransactionAborted(address indexed target, bytes32 indexed id);
    event TransactionExecuted(address indexed target, bytes32 indexed id);

    struct TimedAction {
        address target;
        uint256 eta;
        bytes data;
    }

    mapping(bytes32 id => TimedAction) public actions;

    function queueTransaction(bytes32 id, address target, bytes calldata data) external {
        emit TransactionQueued(target, id);
        actions[id] = TimedAction(target, block.timestamp + 24 hours, data);
    }

    function abortTransaction(bytes32 id) external {
        emit TransactionAborted(actions[id].target, id);
        delete actions[id];
    }

    function executeTransaction(bytes32 id) external {
        emit TransactionExecuted(actions[id].target, id);
        delete actions[id];
    }
}
