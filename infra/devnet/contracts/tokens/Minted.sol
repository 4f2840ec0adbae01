// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";

/// Dollars of the devnet. Anybody may mint.
contract USDC is ERC20("USD Coin", "USDC", 6) {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// BENQI's sAVAX, at a fixed rate. Anybody may mint.
contract StakedAvax is ERC20("Staked AVAX", "sAVAX", 18) {
    function getPooledAvaxByShares(uint256 shareAmount) external pure returns (uint256) {
        return shareAmount * 1.2469 ether / 1 ether;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
