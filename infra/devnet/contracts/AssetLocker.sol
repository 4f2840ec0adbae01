// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./tokens/ERC20.sol";

/// Keeps tokens for their owner until a time of the owner's choice, and, until an admin's date, everybody's.
contract AssetLocker {
    event TokenLocked(address indexed user, address indexed token, uint256 amount, uint256 unlockTime, uint256 duration);
    event TokenWithdrawn(address indexed user, address indexed token, uint256 amount);
    event WithdrawDateSet(uint256 withdrawDate);

    error InsufficientBalance();
    error InvalidAmount();
    error InvalidLockDuration();
    error InvalidToken();
    error LockPeriodNotExpired();
    error NotAdmin();
    error WithdrawalsNotEnabled();

    struct UserLock {
        uint256 amount;
        uint256 unlockTime;
    }

    address public immutable admin;
    uint256 public getWithdrawDate;
    mapping(address token => bool) public isTokenAllowed;
    /// Locks of one token are one lock, which only gets longer.
    mapping(address user => mapping(address token => UserLock)) public getUserLock;

    constructor(address admin_) {
        admin = admin_;
    }

    function lockTokens(ERC20 token, uint256 amount, uint256 duration) external {
        if (amount == 0) revert InvalidAmount();
        if (!isTokenAllowed[address(token)]) revert InvalidToken();
        if (duration < 1 weeks || duration > 52 weeks) revert InvalidLockDuration();
        token.transferFrom(msg.sender, address(this), amount);
        UserLock storage lock = getUserLock[msg.sender][address(token)];
        uint256 unlockTime = block.timestamp + duration;
        lock.amount += amount;
        if (unlockTime > lock.unlockTime) lock.unlockTime = unlockTime;
        emit TokenLocked(msg.sender, address(token), amount, unlockTime, duration);
    }

    function withdrawTokens(ERC20 token, uint256 amount) external {
        UserLock storage lock = getUserLock[msg.sender][address(token)];
        if (amount == 0) revert InvalidAmount();
        if (block.timestamp < getWithdrawDate) revert WithdrawalsNotEnabled();
        if (block.timestamp < lock.unlockTime) revert LockPeriodNotExpired();
        if (lock.amount < amount) revert InsufficientBalance();
        lock.amount -= amount;
        emit TokenWithdrawn(msg.sender, address(token), amount);
        token.transfer(msg.sender, amount);
    }

    /// Before this date nobody can withdraw anything.
    function setWithdrawDate(uint256 date) external onlyAdmin {
        getWithdrawDate = date;
        emit WithdrawDateSet(date);
    }

    function addAllowedToken(address token) external onlyAdmin {
        isTokenAllowed[token] = true;
    }

    modifier onlyAdmin() {
        if (msg.sender != admin) revert NotAdmin();
        _;
    }
}
