// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "../Base.sol";
import {ProtocolDAO} from "../ProtocolDAO.sol";
import {Storage} from "../Storage.sol";
import {Vault} from "../Vault.sol";
import {mulWad} from "../Wad.sol";
import {ERC20} from "./ERC20.sol";
import {WAVAX} from "./WAVAX.sol";

/// Liquid staking vault: an ERC-4626 over WAVAX whose rewards are streamed linearly over 14-day cycles.
contract TokenggAVAX is ERC20, Base {
    event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);
    event NewRewardsCycle(uint256 indexed cycleEnd, uint256 rewardsAmt);
    event Upgraded(address indexed implementation);
    /// These two as versions 1 and 2 wrote them, then as version 3 does: other topics.
    event WithdrawnForStaking(address indexed caller, uint256 assets);
    event DepositedFromStaking(address indexed caller, uint256 baseAmt, uint256 rewardsAmt);
    event WithdrawnForStaking(bytes32 indexed purpose, address indexed caller, uint256 assets);
    event DepositedFromStaking(bytes32 indexed source, address indexed caller, uint256 baseAmt, uint256 rewardsAmt);
    event DepositedAdditionalYield(bytes32 indexed source, address indexed caller, uint256 baseAmount, uint256 rewardAmt);
    event FeeCollected(bytes32 indexed source, uint256 feeAmount);
    event YieldDonated(bytes32 indexed source, address indexed caller, uint256 sharesBurnt, uint256 avaxEquivalent);

    error AccessControlUnauthorizedAccount(address account, bytes32 role);
    error InsufficientLiquidity();
    error InsufficientShares();
    error ZeroAssets();

    bytes32 public constant STAKER_ROLE = keccak256("STAKER_ROLE");
    bytes32 public constant WITHDRAW_QUEUE_ROLE = keccak256("WITHDRAW_QUEUE_ROLE");
    bytes32 public constant SYNC_REWARDS_ROLE = keccak256("SYNC_REWARDS_ROLE");
    bytes32 public constant MINIPOOL_SOURCE = "MINIPOOL_SOURCE";
    /// ERC-1967's slot, where explorers look for the code behind a proxy.
    bytes32 private constant IMPLEMENTATION = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    /// The code behind the real proxy: 1 and 2 let every holder redeem, 3 only the withdrawal queue. 4 stands for the live one, whose
    /// source is not published: every holder again.
    uint8 public version = 2;
    /// True if a paused token refuses to redeem. The published versions do not; the live one is not published.
    bool public pauseStopsRedemption;

    WAVAX public immutable asset;
    address public admin;
    mapping(bytes32 => mapping(address => bool)) public hasRole;

    uint32 public lastSync;
    uint32 public rewardsCycleLength = 14 days;
    uint32 public rewardsCycleEnd;
    uint192 public lastRewardsAmt;
    uint256 public totalReleasedAssets;
    uint256 public stakingTotalAssets;

    constructor(Storage store_, WAVAX asset_, address admin_) ERC20("Hypha Staked AVAX", "stAVAX", 18) Base(store_) {
        (asset, admin) = (asset_, admin_);
        lastSync = uint32(block.timestamp);
        rewardsCycleEnd = lastSync / rewardsCycleLength * rewardsCycleLength;
        _setImplementation();
    }

    receive() external payable {}

    modifier onlyRole(bytes32 role) {
        _checkRole(role);
        _;
    }

    modifier onlyAdmin() {
        require(msg.sender == admin, "not the admin");
        _;
    }

    modifier whenRedeemable() {
        if (version == 3) _checkRole(WITHDRAW_QUEUE_ROLE);
        if (pauseStopsRedemption && _isPaused()) revert ContractPaused();
        _;
    }

    function grantRole(bytes32 role, address account) external onlyAdmin {
        hasRole[role][account] = true;
    }

    /// Stands for an upgrade of the real proxy: the shape of two events changes with version 3, and who may redeem.
    function upgradeTo(uint8 version_) external onlyAdmin {
        version = version_;
        emit Upgraded(_setImplementation());
    }

    function setPauseStopsRedemption(bool stops) external onlyAdmin {
        pauseStopsRedemption = stops;
    }

    // ---- assets and rates ----

    function totalAssets() public view returns (uint256) {
        if (block.timestamp >= rewardsCycleEnd) return totalReleasedAssets + lastRewardsAmt;
        uint256 unlocked = lastRewardsAmt * (block.timestamp - lastSync) / (rewardsCycleEnd - lastSync);
        return totalReleasedAssets + unlocked;
    }

    function amountAvailableForStaking() public view returns (uint256) {
        uint256 assets = totalAssets();
        uint256 unavailable = mulWad(assets, _dao().getTargetGGAVAXReserveRate()) + stakingTotalAssets;
        return assets > unavailable ? assets - unavailable : 0;
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return totalSupply == 0 ? assets : assets * totalSupply / totalAssets();
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return totalSupply == 0 ? shares : shares * totalAssets() / totalSupply;
    }

    // ---- deposits and withdrawals ----

    function depositAVAX() external payable returns (uint256 shares) {
        shares = _enter(msg.sender, msg.value);
        asset.deposit{value: msg.value}();
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = _enter(receiver, assets);
        asset.transferFrom(msg.sender, address(this), assets);
    }

    /// Shares out, AVAX to the caller.
    function redeemAVAX(uint256 shares) external whenRedeemable returns (uint256 assets) {
        if ((assets = convertToAssets(shares)) == 0) revert ZeroAssets();
        if (version >= 3 && asset.balanceOf(address(this)) < assets) revert InsufficientLiquidity();
        _leave(assets, shares);
    }

    /// The same for an amount of AVAX.
    function withdrawAVAX(uint256 assets) external whenRedeemable returns (uint256 shares) {
        _leave(assets, shares = (assets * totalSupply + totalAssets() - 1) / totalAssets());
    }

    // ---- staking and rewards ----

    /// Starts the next stream: whatever AVAX came in since the last sync is released until the next multiple of 14 days.
    function syncRewards() external onlyRole(SYNC_REWARDS_ROLE) {
        require(block.timestamp >= rewardsCycleEnd, "too early");
        uint256 next = asset.balanceOf(address(this)) + stakingTotalAssets - totalReleasedAssets - lastRewardsAmt;
        totalReleasedAssets += lastRewardsAmt;
        lastRewardsAmt = uint192(next);
        lastSync = uint32(block.timestamp);
        rewardsCycleEnd = (lastSync + rewardsCycleLength) / rewardsCycleLength * rewardsCycleLength;
        emit NewRewardsCycle(rewardsCycleEnd, next);
    }

    /// For minipools, called by MinipoolManager.
    function withdrawForStaking(uint256 assets) external {
        require(msg.sender == _contract("MinipoolManager") && assets <= amountAvailableForStaking(), "too large");
        stakingTotalAssets += assets;
        if (version < 3) emit WithdrawnForStaking(msg.sender, assets);
        else emit WithdrawnForStaking(MINIPOOL_SOURCE, msg.sender, assets);
        asset.withdraw(assets);
        _sendAVAX(msg.sender, assets);
    }

    function depositFromStaking(uint256 baseAmt, uint256 rewardAmt) external payable {
        require(msg.sender == _contract("MinipoolManager"), "not the manager");
        _depositFromStaking(baseAmt, rewardAmt, MINIPOOL_SOURCE);
    }

    function depositFromStaking(uint256 baseAmt, uint256 rewardAmt, bytes32 source) external payable onlyRole(STAKER_ROLE) {
        _depositFromStaking(baseAmt, rewardAmt, source);
    }

    /// Yield from elsewhere, streamed from the next sync on. The event carries (total, fee).
    function depositYield(bytes32 source) external payable {
        uint256 fee = _collectFee(msg.value, source);
        asset.deposit{value: msg.value - fee}();
        emit DepositedAdditionalYield(source, msg.sender, msg.value, fee);
    }

    /// Burns the caller's shares: the rate of everybody else steps up at once. The event has their value at that rate.
    function donateYield(uint256 shares, bytes32 source) external {
        if (balanceOf[msg.sender] < shares) revert InsufficientShares();
        _burn(msg.sender, shares);
        emit YieldDonated(source, msg.sender, shares, convertToAssets(shares));
    }

    function _enter(address owner, uint256 assets) private returns (uint256 shares) {
        if (_isPaused()) revert ContractPaused();
        shares = convertToShares(assets);
        require(shares > 0, "no shares");
        emit Deposit(msg.sender, owner, assets, shares);
        totalReleasedAssets += assets;
        _mint(owner, shares);
    }

    function _leave(uint256 assets, uint256 shares) private {
        totalReleasedAssets -= assets;
        _burn(msg.sender, shares);
        emit Withdraw(msg.sender, msg.sender, msg.sender, assets, shares);
        asset.withdraw(assets);
        _sendAVAX(msg.sender, assets);
    }

    function _depositFromStaking(uint256 baseAmt, uint256 rewardAmt, bytes32 source) private {
        require(msg.value == baseAmt + rewardAmt, "not the sum");
        uint256 fee = _collectFee(rewardAmt, source);
        stakingTotalAssets -= baseAmt;
        if (version < 3) emit DepositedFromStaking(msg.sender, baseAmt, rewardAmt - fee);
        asset.deposit{value: msg.value - fee}();
        if (version >= 3) emit DepositedFromStaking(source, msg.sender, baseAmt, rewardAmt - fee);
    }

    /// The protocol's share of a reward, FeeBips / 10,000, goes to the treasury.
    function _collectFee(uint256 rewardAmt, bytes32 source) private returns (uint256 fee) {
        fee = rewardAmt * _dao().getFeeBips() / 10_000;
        if (fee == 0) return 0;
        Vault vault = Vault(_contract("Vault"));
        vault.depositAVAX{value: fee}();
        vault.transferAVAX("ClaimProtocolDAO", fee);
        emit FeeCollected(source, fee);
    }

    function _checkRole(bytes32 role) private view {
        if (!hasRole[role][msg.sender]) revert AccessControlUnauthorizedAccount(msg.sender, role);
    }

    /// There is no proxy here: the address only tells the versions apart.
    function _setImplementation() private returns (address implementation) {
        implementation = address(uint160(uint256(keccak256(abi.encodePacked("TokenggAVAX", version)))));
        bytes32 slot = IMPLEMENTATION;
        assembly {
            sstore(slot, implementation)
        }
    }

    function _dao() private view returns (ProtocolDAO) {
        return ProtocolDAO(_contract("ProtocolDAO"));
    }
}
