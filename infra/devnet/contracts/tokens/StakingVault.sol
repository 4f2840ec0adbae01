// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";
import {WAVAX} from "./WAVAX.sol";

/// xGGP and xAVAX: shares of a token most of which is staked with an operator's nodes (ERC-4626). Rewards are booked whether
/// or not any come, so shares may be worth more than can be paid.
contract StakingVault is ERC20 {
    ERC20 public immutable asset;
    address private immutable operator;
    uint256 private stakingTotalAssets;

    constructor(string memory name_, string memory symbol_, ERC20 asset_, address operator_) ERC20(name_, symbol_, 18) {
        (asset, operator) = (asset_, operator_);
    }

    receive() external payable {}

    function totalAssets() public view returns (uint256) {
        return stakingTotalAssets + asset.balanceOf(address(this));
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return shares * (totalAssets() + 1) / (totalSupply + 1);
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return assets * (totalSupply + 1) / (totalAssets() + 1);
    }

    function previewRedeem(uint256 shares) external view returns (uint256) {
        return convertToAssets(shares);
    }

    function maxWithdraw(address holder) public view returns (uint256) {
        (uint256 worth, uint256 there) = (convertToAssets(balanceOf[holder]), asset.balanceOf(address(this)));
        return worth < there ? worth : there;
    }

    function maxRedeem(address holder) public view returns (uint256) {
        return convertToShares(maxWithdraw(holder));
    }

    function deposit(uint256 assets, address receiver) external {
        _mint(receiver, convertToShares(assets));
        asset.transferFrom(msg.sender, address(this), assets);
    }

    function withdraw(uint256 assets, address receiver, address owner) external returns (uint256 shares) {
        require(msg.sender == owner && assets <= maxWithdraw(owner), "more than max");
        uint256 scaled = assets * (totalSupply + 1);
        shares = scaled / (totalAssets() + 1);
        if (scaled % (totalAssets() + 1) > 0) shares++;
        _burn(owner, shares);
        asset.transfer(receiver, assets);
    }

    function redeemAVAX(uint256 shares) external returns (uint256 assets) {
        require(shares <= maxRedeem(msg.sender), "more than max");
        require((assets = convertToAssets(shares)) > 0, "no redeem");
        _burn(msg.sender, shares);
        WAVAX(payable(address(asset))).withdraw(assets);
        (bool ok,) = msg.sender.call{value: assets}("");
        require(ok);
    }

    /// Also books what the amount earns later.
    function stakeOnNode(uint256 amount) external {
        stakingTotalAssets += amount * 1_013 / 1_000;
        asset.transfer(operator, amount);
    }
}
