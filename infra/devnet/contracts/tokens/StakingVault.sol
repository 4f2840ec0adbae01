// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";
import {WAVAX} from "./WAVAX.sol";

/// Shares of a token most of which is staked with an operator's nodes (ERC-4626). Rewards are booked at a target rate,
/// whether or not any come, so shares may be worth more than can be paid.
abstract contract StakingVault is ERC20 {
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);

    error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max);
    error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max);

    ERC20 public immutable asset;
    address public immutable operator;
    uint256 public immutable targetAPR;
    uint256 public stakingTotalAssets;

    constructor(ERC20 asset_, address operator_, uint256 targetAPR_) {
        (asset, operator, targetAPR) = (asset_, operator_, targetAPR_);
    }

    modifier onlyOperator() {
        require(msg.sender == operator, "Caller is not the owner or an approved node operator");
        _;
    }

    function totalAssets() public view returns (uint256) {
        return stakingTotalAssets + asset.balanceOf(address(this));
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return shares * (totalAssets() + 1) / (totalSupply + 1);
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return assets * (totalSupply + 1) / (totalAssets() + 1);
    }

    function previewRedeem(uint256 shares) public view returns (uint256) {
        return convertToAssets(shares);
    }

    function maxWithdraw(address holder) public view returns (uint256) {
        (uint256 worth, uint256 there) = (convertToAssets(balanceOf[holder]), asset.balanceOf(address(this)));
        return worth < there ? worth : there;
    }

    function maxRedeem(address holder) public view returns (uint256) {
        return convertToShares(maxWithdraw(holder));
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        asset.transferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner) external returns (uint256 shares) {
        uint256 max = maxWithdraw(owner);
        if (assets > max) revert ERC4626ExceededMaxWithdraw(owner, assets, max);
        uint256 scaled = assets * (totalSupply + 1);
        shares = scaled / (totalAssets() + 1);
        if (scaled % (totalAssets() + 1) > 0) shares++;
        _leave(assets, shares, receiver, owner);
        asset.transfer(receiver, assets);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        assets = _redeem(shares, receiver, owner);
        asset.transfer(receiver, assets);
    }

    function stakeOnNode(uint256 amount, address nodeOp) external onlyOperator {
        stakingTotalAssets += amount;
        asset.transfer(nodeOp, amount);
    }

    /// A thirteenth of the year's.
    function distributeRewards() external onlyOperator {
        stakingTotalAssets += targetAPR * stakingTotalAssets / 10_000 / 13;
    }

    function _redeem(uint256 shares, address receiver, address holder) internal returns (uint256 assets) {
        uint256 max = maxRedeem(holder);
        if (shares > max) revert ERC4626ExceededMaxRedeem(holder, shares, max);
        _leave(assets = convertToAssets(shares), shares, receiver, holder);
    }

    function _leave(uint256 assets, uint256 shares, address receiver, address holder) private {
        if (msg.sender != holder) allowance[holder][msg.sender] -= shares;
        _burn(holder, shares);
        emit Withdraw(msg.sender, receiver, holder, assets, shares);
    }
}

contract XGGP is StakingVault {
    constructor(ERC20 ggp, address operator_) ERC20("GGPVault", "xGGP", 18) StakingVault(ggp, operator_, 1837) {}
}

contract XAVAX is StakingVault {
    constructor(ERC20 wavax, address operator_) ERC20("SeaFi AVAX Vault", "xAVAX", 18) StakingVault(wavax, operator_, 1405) {}

    receive() external payable {
        require(msg.sender == address(asset));
    }

    function depositAVAX() external payable returns (uint256 shares) {
        shares = convertToShares(msg.value);
        WAVAX(payable(address(asset))).deposit{value: msg.value}();
        _mint(msg.sender, shares);
        emit Deposit(msg.sender, msg.sender, msg.value, shares);
    }

    function redeemAVAX(uint256 shares) external returns (uint256 assets) {
        require((assets = _redeem(shares, msg.sender, msg.sender)) > 0, "no redeem");
        WAVAX(payable(address(asset))).withdraw(assets);
        (bool ok,) = msg.sender.call{value: assets}("");
        require(ok);
    }
}
