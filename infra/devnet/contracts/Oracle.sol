// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {Storage} from "./Storage.sol";

/// The GGP price all collateral maths uses, in AVAX wei per GGP, pushed by a multisig.
contract Oracle is Base {
    event GGPPriceUpdated(uint256 indexed price, uint256 timestamp);

    error InvalidGGPPrice();

    constructor(Storage store_) Base(store_) {}

    function getGGPPriceInAVAX() external view returns (uint256 price, uint256 timestamp) {
        price = store.getUint(keccak256("Oracle.GGPPriceInAVAX"));
        if (price == 0) revert InvalidGGPPrice();
        timestamp = store.getUint(keccak256("Oracle.GGPTimestamp"));
    }

    function setGGPPriceInAVAX(uint256 price, uint256 timestamp) external onlyMultisig {
        store.setUint(keccak256("Oracle.GGPPriceInAVAX"), price);
        store.setUint(keccak256("Oracle.GGPTimestamp"), timestamp);
        emit GGPPriceUpdated(price, timestamp);
    }
}
