// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {Oracle} from "./Oracle.sol";
import {ProtocolDAO} from "./ProtocolDAO.sol";
import {Storage} from "./Storage.sol";
import {Vault} from "./Vault.sol";
import {divWad, mulWad} from "./Wad.sol";
import {ERC20} from "./tokens/ERC20.sol";

/// GGP stakes of node operators and what they back.
contract Staking is Base {
    event GGPStaked(address indexed from, uint256 amount);
    event GGPWithdrawn(address indexed to, uint256 amount);

    struct Staker {
        address stakerAddr;
        uint256 avaxAssigned;
        uint256 avaxStaked;
        uint256 avaxValidating;
        uint256 avaxValidatingHighWater;
        uint256 ggpRewards;
        uint256 ggpStaked;
        uint256 lastRewardsCycleCompleted;
        uint256 rewardsStartTime;
        uint256 ggpLockedUntil;
    }

    constructor(Storage store_) Base(store_) {}

    // ---- views ----

    function getStakerCount() public view returns (uint256) {
        return store.getUint(keccak256("staker.count"));
    }

    /// 0-based, −1 for an address that never staked.
    function getIndexOf(address stakerAddr) public view returns (int256) {
        return int256(store.getUint(keccak256(abi.encodePacked("staker.index", stakerAddr)))) - 1;
    }

    function requireValidStaker(address stakerAddr) public view returns (int256 index) {
        require((index = getIndexOf(stakerAddr)) >= 0, "no staker");
    }

    function getStaker(int256 index) public view returns (Staker memory staker) {
        staker.stakerAddr = store.getAddress(_key(index, ".stakerAddr"));
        staker.avaxAssigned = _get(index, ".avaxAssigned");
        staker.avaxStaked = _get(index, ".avaxStaked");
        staker.avaxValidating = _get(index, ".avaxValidating");
        staker.avaxValidatingHighWater = _get(index, ".avaxValidatingHighWater");
        staker.ggpRewards = _get(index, ".ggpRewards");
        staker.ggpStaked = _get(index, ".ggpStaked");
        staker.lastRewardsCycleCompleted = _get(index, ".lastRewardsCycleCompleted");
        staker.rewardsStartTime = _get(index, ".rewardsStartTime");
        staker.ggpLockedUntil = _get(index, ".ggpLockedUntil");
    }

    /// The stakers of the index window [offset, offset + limit); limit 0 means until the end.
    function getStakers(uint256 offset, uint256 limit) external view returns (Staker[] memory stakers) {
        uint256 count = getStakerCount();
        uint256 end = offset + limit;
        if (end > count || limit == 0) end = count;
        stakers = new Staker[](end - offset);
        for (uint256 i = offset; i < end; i++) stakers[i - offset] = getStaker(int256(i));
    }

    function getTotalGGPStake() external view returns (uint256) {
        return Vault(_contract("Vault")).balanceOfToken("Staking", address(_ggp()));
    }

    function getGGPStake(address a) public view returns (uint256) { return _get(requireValidStaker(a), ".ggpStaked"); }
    function getAVAXStake(address a) external view returns (uint256) { return _get(requireValidStaker(a), ".avaxStaked"); }
    function getAVAXAssigned(address a) public view returns (uint256) { return _get(getIndexOf(a), ".avaxAssigned"); }
    function getAVAXValidating(address a) external view returns (uint256) { return _get(getIndexOf(a), ".avaxValidating"); }
    function getAVAXValidatingHighWater(address a) public view returns (uint256) { return _get(getIndexOf(a), ".avaxValidatingHighWater"); }
    function getRewardsStartTime(address a) external view returns (uint256) { return _get(getIndexOf(a), ".rewardsStartTime"); }
    function getGGPRewards(address a) external view returns (uint256) { return _get(getIndexOf(a), ".ggpRewards"); }
    function getLastRewardsCycleCompleted(address a) external view returns (uint256) { return _get(getIndexOf(a), ".lastRewardsCycleCompleted"); }

    /// GGP a staker needs for what is assigned to them; the two floors can leave it short by a wei.
    function getMinimumGGPStake(address stakerAddr) external view returns (uint256) {
        return mulWad(divWad(getAVAXAssigned(stakerAddr), _price()), _dao().getMinCollateralizationRatio());
    }

    /// Value of the GGP staked against the AVAX assigned, 1e18 = 100 %; the largest uint when nothing is assigned.
    function getCollateralizationRatio(address stakerAddr) public view returns (uint256) {
        uint256 assigned = getAVAXAssigned(stakerAddr);
        if (assigned == 0) return type(uint256).max;
        return divWad(mulWad(_get(getIndexOf(stakerAddr), ".ggpStaked"), _price()), assigned);
    }

    /// The ratio rewards are computed with: against the high water mark, 0 under 10 % collateral, capped at the maximum.
    function getEffectiveRewardsRatio(address stakerAddr) public view returns (uint256 ratio) {
        uint256 highWater = getAVAXValidatingHighWater(stakerAddr);
        if (highWater == 0) return 0;
        if (getCollateralizationRatio(stakerAddr) < 0.1 ether) return 0;
        ratio = divWad(mulWad(_get(getIndexOf(stakerAddr), ".ggpStaked"), _price()), highWater);
        uint256 cap = _dao().getMaxCollateralizationRatio();
        if (ratio > cap) ratio = cap;
    }

    function getEffectiveGGPStaked(address stakerAddr) external view returns (uint256) {
        uint256 price = _price();
        return divWad(mulWad(getAVAXValidatingHighWater(stakerAddr), getEffectiveRewardsRatio(stakerAddr)), price);
    }

    // ---- GGP in and out ----

    function stakeGGP(uint256 amount) external whenNotPaused {
        _take(msg.sender, amount);
        _credit(msg.sender, amount);
    }

    /// Rewards that stay staked: ClaimNodeOp has them from the Vault.
    function restakeGGP(address stakerAddr, uint256 amount) external onlyRegistered whenNotPaused {
        _take(msg.sender, amount);
        _credit(stakerAddr, amount);
    }

    function withdrawGGP(uint256 amount) external {
        int256 index = requireValidStaker(msg.sender);
        require(_get(index, ".ggpLockedUntil") <= block.timestamp, "locked");
        store.subUint(_key(index, ".ggpStaked"), amount);
        emit GGPWithdrawn(msg.sender, amount);
        require(getCollateralizationRatio(msg.sender) >= _dao().getMaxCollateralizationRatio(), "too little left");
        Vault(_contract("Vault")).withdrawToken(msg.sender, _ggp(), amount);
    }

    function slashGGP(address stakerAddr, uint256 amount) external onlyRegistered {
        store.subUint(_key(requireValidStaker(stakerAddr), ".ggpStaked"), amount);
        Vault(_contract("Vault")).transferToken("ProtocolDAO", _ggp(), amount);
    }

    function setGGPLockedUntil(address stakerAddr, uint256 time) external onlyGuardian {
        store.setUint(_key(requireValidStaker(stakerAddr), ".ggpLockedUntil"), time);
    }

    // ---- bookkeeping for MinipoolManager and ClaimNodeOp ----

    function increaseAVAXStake(address a, uint256 amount) external { _increase(a, ".avaxStaked", amount); }
    function decreaseAVAXStake(address a, uint256 amount) external { _decrease(a, ".avaxStaked", amount); }
    function increaseAVAXAssigned(address a, uint256 amount) external { _increase(a, ".avaxAssigned", amount); }
    function decreaseAVAXAssigned(address a, uint256 amount) external { _decrease(a, ".avaxAssigned", amount); }
    function increaseAVAXValidating(address a, uint256 amount) external { _increase(a, ".avaxValidating", amount); }
    function decreaseAVAXValidating(address a, uint256 amount) external { _decrease(a, ".avaxValidating", amount); }
    function increaseGGPRewards(address a, uint256 amount) external { _increase(a, ".ggpRewards", amount); }
    function decreaseGGPRewards(address a, uint256 amount) external { _decrease(a, ".ggpRewards", amount); }
    function setAVAXValidatingHighWater(address a, uint256 amount) external { _set(a, ".avaxValidatingHighWater", amount); }
    function setLastRewardsCycleCompleted(address a, uint256 cycle) external { _set(a, ".lastRewardsCycleCompleted", cycle); }
    function setRewardsStartTime(address a, uint256 time) external { _set(a, ".rewardsStartTime", time); }

    function _increase(address a, string memory field, uint256 amount) private onlyRegistered {
        store.addUint(_key(requireValidStaker(a), field), amount);
    }

    function _decrease(address a, string memory field, uint256 amount) private onlyRegistered {
        store.subUint(_key(requireValidStaker(a), field), amount);
    }

    function _set(address a, string memory field, uint256 value) private onlyRegistered {
        store.setUint(_key(requireValidStaker(a), field), value);
    }

    function _take(address from, uint256 amount) private {
        ERC20 ggp = _ggp();
        ggp.transferFrom(from, address(this), amount);
        Vault vault = Vault(_contract("Vault"));
        ggp.approve(address(vault), amount);
        vault.depositToken("Staking", ggp, amount);
    }

    function _credit(address stakerAddr, uint256 amount) private {
        int256 index = getIndexOf(stakerAddr);
        if (index < 0) {
            uint256 count = getStakerCount();
            index = int256(count);
            store.setUint(keccak256("staker.count"), count + 1);
            store.setUint(keccak256(abi.encodePacked("staker.index", stakerAddr)), count + 1);
            store.setAddress(_key(index, ".stakerAddr"), stakerAddr);
        }
        store.addUint(_key(index, ".ggpStaked"), amount);
        emit GGPStaked(stakerAddr, amount);
    }

    function _get(int256 index, string memory field) private view returns (uint256) {
        return store.getUint(_key(index, field));
    }

    function _key(int256 index, string memory field) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("staker.item", index, field));
    }

    function _price() private view returns (uint256 price) {
        (price,) = Oracle(_contract("Oracle")).getGGPPriceInAVAX();
    }

    function _dao() private view returns (ProtocolDAO) {
        return ProtocolDAO(_contract("ProtocolDAO"));
    }

    function _ggp() private view returns (ERC20) {
        return ERC20(_contract("TokenGGP"));
    }
}
