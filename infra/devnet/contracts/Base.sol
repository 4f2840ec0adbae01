// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Storage} from "./Storage.sol";

/// Shared by every module: access to Storage and to the other modules, and who may call.
abstract contract Base {
    error ContractPaused();

    Storage internal immutable store;

    constructor(Storage store_) {
        store = store_;
    }

    modifier onlyRegistered() {
        require(store.getBool(keccak256(abi.encodePacked("contract.exists", msg.sender))), "not registered");
        _;
    }

    modifier onlyGuardian() {
        require(msg.sender == store.getGuardian(), "not the guardian");
        _;
    }

    /// Rialto.
    modifier onlyMultisig() {
        require(msg.sender == _multisig(), "not the multisig");
        _;
    }

    modifier whenNotPaused() {
        if (_isPaused()) revert ContractPaused();
        _;
    }

    function _isPaused() internal view returns (bool) {
        return store.getBool(keccak256(abi.encodePacked("contract.paused", _nameOf(address(this)))));
    }

    function _nameOf(address module) internal view returns (string memory) {
        return store.getString(keccak256(abi.encodePacked("contract.name", module)));
    }

    function _contract(string memory name) internal view returns (address module) {
        module = store.getAddress(keccak256(abi.encodePacked("contract.address", name)));
        require(module != address(0), "no such contract");
    }

    function _multisig() internal view returns (address) {
        return store.getAddress(keccak256("multisig"));
    }

    function _sendAVAX(address to, uint256 amount) internal {
        (bool ok,) = to.call{value: amount}("");
        require(ok, "not sent");
    }
}
