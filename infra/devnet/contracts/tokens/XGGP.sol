// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";

/// A vault of GGP whose shares are worth more whenever somebody sends it GGP.
contract XGGP is ERC20 {
    ERC20 public immutable asset;

    constructor(ERC20 asset_) ERC20("xGGP", "xGGP", 18) {
        asset = asset_;
    }

    function convertToAssets(uint256 shares) external view returns (uint256) {
        return totalSupply == 0 ? shares : shares * asset.balanceOf(address(this)) / totalSupply;
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = totalSupply == 0 ? assets : assets * totalSupply / asset.balanceOf(address(this));
        asset.transferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
    }
}
