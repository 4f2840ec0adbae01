// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./tokens/ERC20.sol";

/// Keeps tokens for their owner until a time of the owner's choice.
contract AssetLocker {
    struct UserLock {
        uint256 amount;
        uint256 unlockTime;
    }

    mapping(address user => mapping(address token => UserLock)) public getUserLock;

    function lockTokens(ERC20 token, uint256 amount, uint256 duration) external {
        token.transferFrom(msg.sender, address(this), amount);
        UserLock storage lock = getUserLock[msg.sender][address(token)];
        lock.amount += amount;
        lock.unlockTime = block.timestamp + duration;
    }
}
