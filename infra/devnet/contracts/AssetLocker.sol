// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./tokens/ERC20.sol";

/// Keeps tokens for their owner until a time of the owner's choice, and, until an admin's date, everybody's.
contract AssetLocker {
    struct UserLock {
        uint256 amount;
        uint256 unlockTime;
    }

    address private immutable admin;
    uint256 public getWithdrawDate;
    /// Locks of one token are one lock, which only gets longer.
    mapping(address user => mapping(address token => UserLock)) public getUserLock;

    constructor(address admin_) {
        admin = admin_;
    }

    function lockTokens(ERC20 token, uint256 amount, uint256 duration) external {
        token.transferFrom(msg.sender, address(this), amount);
        UserLock storage lock = getUserLock[msg.sender][address(token)];
        uint256 unlockTime = block.timestamp + duration;
        lock.amount += amount;
        if (unlockTime > lock.unlockTime) lock.unlockTime = unlockTime;
    }

    function withdrawTokens(ERC20 token, uint256 amount) external {
        UserLock storage lock = getUserLock[msg.sender][address(token)];
        require(block.timestamp >= getWithdrawDate, "withdrawals not enabled");
        require(block.timestamp >= lock.unlockTime, "not unlocked yet");
        require(amount > 0 && amount <= lock.amount, "amount");
        lock.amount -= amount;
        token.transfer(msg.sender, amount);
    }

    /// Before this date nobody can withdraw anything.
    function setWithdrawDate(uint256 date) external {
        require(msg.sender == admin, "not the admin");
        getWithdrawDate = date;
    }
}
