// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";

/// BENQI's sAVAX: shares in AVAX that grows by rewards.
contract StakedAvax is ERC20("Staked AVAX", "sAVAX", 18) {
    uint256 public totalPooledAvax;

    function getPooledAvaxByShares(uint256 shareAmount) public view returns (uint256) {
        return totalSupply == 0 ? 0 : shareAmount * totalPooledAvax / totalSupply;
    }

    function getSharesByPooledAvax(uint256 avaxAmount) public view returns (uint256) {
        return totalPooledAvax == 0 ? 0 : avaxAmount * totalSupply / totalPooledAvax;
    }

    function submit() external payable returns (uint256 shares) {
        shares = totalPooledAvax == 0 ? msg.value : getSharesByPooledAvax(msg.value);
        totalPooledAvax += msg.value;
        _mint(msg.sender, shares);
    }

    /// Anybody may.
    function accrueRewards() external payable {
        totalPooledAvax += msg.value;
    }
}
