// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {Storage} from "./Storage.sol";

/// The treasury. Its GGP and AVAX are ledgers of the Vault under this name; it has no views of its own.
contract ClaimProtocolDAO is Base {
    uint8 public constant version = 1;

    constructor(Storage store_) Base(store_) {}
}
