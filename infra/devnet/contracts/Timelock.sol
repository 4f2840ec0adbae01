// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Its owner queues calls, which anybody may make a day later.
contract Timelock {
    event TransactionQueued(address indexed target, bytes32 indexed id);
    event TransactionAborted(address indexed target, bytes32 indexed id);
    event TransactionExecuted(address indexed target, bytes32 indexed id);

    error ExecutionFailed();
    error NotOwner();
    error Timelocked();
    error TransactionNotFound();

    struct TimedAction {
        address target;
        uint256 eta;
        bytes data;
    }

    uint256 public constant delay = 24 hours;
    address public immutable owner;
    mapping(bytes32 id => TimedAction) public actions;
    /// Only here, so that the scenario need not know the time of a block.
    bytes32 public lastId;

    constructor(address owner_) {
        owner = owner_;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    function queueTransaction(address target, bytes calldata data) external onlyOwner returns (bytes32 id) {
        uint256 eta = block.timestamp + delay;
        id = keccak256(abi.encode(target, eta, data));
        emit TransactionQueued(target, id);
        actions[id] = TimedAction(target, eta, data);
        lastId = id;
    }

    function abortTransaction(bytes32 id) external onlyOwner {
        emit TransactionAborted(actions[id].target, id);
        delete actions[id];
    }

    function executeTransaction(bytes32 id) external {
        TimedAction memory action = actions[id];
        if (action.target == address(0)) revert TransactionNotFound();
        if (block.timestamp < action.eta) revert Timelocked();
        (bool success, ) = action.target.call(action.data);
        if (!success) revert ExecutionFailed();
        emit TransactionExecuted(action.target, id);
        delete actions[id];
    }
}
