// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {Storage} from "./Storage.sol";

/// The accounts (Rialto) that run validators and push prices.
contract MultisigManager is Base {
    error MultisigNotFound();
    error NoEnabledMultisigFound();

    constructor(Storage store_) Base(store_) {}

    function getCount() public view returns (uint256) {
        return store.getUint(keccak256("multisig.count"));
    }

    function getMultisig(uint256 index) public view returns (address addr, bool enabled) {
        addr = store.getAddress(_key(index, ".address"));
        enabled = addr != address(0) && store.getBool(_key(index, ".enabled"));
    }

    function requireNextActiveMultisig() external view returns (address) {
        for (uint256 i = 0; i < getCount(); i++) {
            (address addr, bool enabled) = getMultisig(i);
            if (enabled) return addr;
        }
        revert NoEnabledMultisigFound();
    }

    function registerMultisig(address addr) external onlyGuardian {
        uint256 index = getCount();
        store.setAddress(_key(index, ".address"), addr);
        store.setUint(_indexKey(addr), index + 1);
        store.addUint(keccak256("multisig.count"), 1);
    }

    function enableMultisig(address addr) external onlyGuardian {
        uint256 indexPlusOne = store.getUint(_indexKey(addr));
        if (indexPlusOne == 0) revert MultisigNotFound();
        store.setBool(_key(indexPlusOne - 1, ".enabled"), true);
    }

    function _indexKey(address addr) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("multisig.index", addr));
    }

    function _key(uint256 index, string memory field) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("multisig.item", index, field));
    }
}
