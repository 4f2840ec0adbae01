// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Storage} from "./Storage.sol";

/// What every module shares: the way to Storage, to the other modules, and who may call.
abstract contract Base {
    error ContractNotFound();
    error ContractPaused();
    error InvalidOrOutdatedContract();
    error MustBeGuardian();
    error MustBeMultisig();
    error TransferFailed();

    Storage internal immutable store;

    constructor(Storage store_) {
        store = store_;
    }

    modifier onlyRegistered() {
        if (!store.getBool(keccak256(abi.encodePacked("contract.exists", msg.sender)))) revert InvalidOrOutdatedContract();
        _;
    }

    modifier onlyGuardian() {
        if (msg.sender != store.getGuardian()) revert MustBeGuardian();
        _;
    }

    /// An enabled multisig (Rialto) of MultisigManager.
    modifier onlyMultisig() {
        int256 index = int256(store.getUint(keccak256(abi.encodePacked("multisig.index", msg.sender)))) - 1;
        if (!store.getBool(keccak256(abi.encodePacked("multisig.item", index, ".enabled")))) revert MustBeMultisig();
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
        if (module == address(0)) revert ContractNotFound();
    }

    function _sendAVAX(address to, uint256 amount) internal {
        (bool ok,) = to.call{value: amount}("");
        if (!ok) revert TransferFailed();
    }
}
