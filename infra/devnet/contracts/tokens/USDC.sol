// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";

/// Dollars of the devnet. Anybody may mint.
contract USDC is ERC20("USD Coin", "USDC", 6) {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
