// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./tokens/ERC20.sol";

/// A Chainlink-style USD feed. Only the newest round is kept; its id carries phase 4 in the high bits.
contract PriceFeed {
    uint64 private round;
    uint64 private updatedAt;
    int128 private answer;

    function latestRoundData() external view returns (uint80 roundId, int256, uint256 startedAt, uint256, uint80) {
        require(round > 0, "No data present");
        roundId = (uint80(4) << 64) | round;
        return (roundId, answer, updatedAt, updatedAt, roundId);
    }

    /// Anybody may: the devnet has no oracle network.
    function transmit(int128 answer_) external {
        (round, updatedAt, answer) = (round + 1, uint64(block.timestamp), answer_);
    }
}

/// A pool that always has the price its market has set.
abstract contract Pool {
    ERC20 public immutable token0;
    ERC20 public immutable token1;
    address private immutable market;

    constructor(ERC20 a, ERC20 b, address market_) {
        (token0, token1, market) = (a, b, market_);
    }

    function move(uint256 target) external virtual;

    function _hold(ERC20 token, uint256 wanted) internal {
        uint256 held = token.balanceOf(address(this));
        if (held < wanted) token.transferFrom(market, address(this), wanted - held);
        if (held > wanted) token.transfer(market, held - wanted);
    }
}

/// Liquidity over all prices, with the views of Uniswap V2, V3 and Algebra. A target is the square root of the price, in Q96.
contract FullRangePool is Pool {
    uint256 private constant Q96 = 2 ** 96;
    uint24 public constant fee = 500;
    uint128 public liquidity;
    uint160 private root;
    uint256 private immutable firstAmount;

    constructor(ERC20 a, ERC20 b, address market_, uint256 amount) Pool(a, b, market_) {
        firstAmount = amount;
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (uint112(token0.balanceOf(address(this))), uint112(token1.balanceOf(address(this))), uint32(block.timestamp));
    }

    function slot0() external view returns (uint160 sqrtPriceX96, int24 tick) {
        return (root, 0);
    }

    function globalState() external view returns (uint160 price, int24 tick) {
        return (root, 0);
    }

    function move(uint256 target) external override {
        if (liquidity == 0) liquidity = uint128(firstAmount * target / Q96);
        root = uint160(target);
        _hold(token0, liquidity * Q96 / target);
        _hold(token1, liquidity * target / Q96);
    }
}

/// A Liquidity Book pair with equal amounts in all bins near the active one. A target is the id of a bin.
contract LBPair is Pool {
    uint24 private constant WIDTH = 130;
    uint16 public immutable getBinStep;
    uint24 public getActiveId;
    uint128 private immutable x;
    uint128 private immutable y;

    constructor(ERC20 a, ERC20 b, address market_, uint256 binStep, uint256 amount) Pool(a, b, market_) {
        (getBinStep, x, y) = (uint16(binStep), uint128(amount), uint128(amount / 1e11));
    }

    function getTokenX() external view returns (ERC20) {
        return token0;
    }

    function getReserves() external view returns (uint128, uint128) {
        return (uint128(token0.balanceOf(address(this))), uint128(token1.balanceOf(address(this))));
    }

    /// Only X above the active bin, only Y below it.
    function getBin(uint24 id) external view returns (uint128, uint128) {
        return (id >= getActiveId && id <= getActiveId + WIDTH ? x : 0, id <= getActiveId && id >= getActiveId - WIDTH ? y : 0);
    }

    function getStaticFeeParameters() external pure returns (uint16 baseFactor) {
        return 5000;
    }

    function move(uint256 target) external override {
        getActiveId = uint24(target);
        _hold(token0, uint256(x) * (WIDTH + 1));
        _hold(token1, uint256(y) * (WIDTH + 1));
    }
}

/// Finds pools by their tokens, in either order, and by the key of the exchange: none, a fee, a tick spacing or a deployer.
abstract contract Factory {
    mapping(bytes32 => address) private pools;

    function create(ERC20 a, ERC20 b, uint256 key, uint256 amount) external returns (Pool pool) {
        pool = _create(a, b, key, amount);
        pools[keccak256(abi.encode(a, b, key))] = pools[keccak256(abi.encode(b, a, key))] = address(pool);
    }

    function _create(ERC20 a, ERC20 b, uint256 key, uint256 amount) internal virtual returns (Pool);

    function _pool(address a, address b, uint256 key) internal view returns (address) {
        return pools[keccak256(abi.encode(a, b, key))];
    }
}

/// The factory of any exchange but Liquidity Book: Uniswap V2's getPair, Uniswap V3's and Ramses' getPool, Algebra's.
contract FullRangeFactory is Factory {
    function getPair(address a, address b) external view returns (address) {
        return _pool(a, b, 0);
    }

    function getPool(address a, address b, uint24 fee) external view returns (address) {
        return _pool(a, b, fee);
    }

    function getPool(address a, address b, int24 tickSpacing) external view returns (address) {
        return _pool(a, b, uint24(tickSpacing));
    }

    function customPoolByPair(address deployer, address a, address b) external view returns (address) {
        return _pool(a, b, uint160(deployer));
    }

    function _create(ERC20 a, ERC20 b, uint256, uint256 amount) internal override returns (Pool) {
        return new FullRangePool(a, b, msg.sender, amount);
    }
}

contract LBFactory is Factory {
    struct LBPairInformation {
        uint16 binStep;
        address LBPair;
        bool createdByOwner;
        bool ignoredForRouting;
    }

    uint16 private constant BIN_STEP = 20;

    function getAllLBPairs(address a, address b) external view returns (LBPairInformation[] memory pairs) {
        address pair = _pool(a, b, BIN_STEP);
        if (pair == address(0)) return pairs;
        pairs = new LBPairInformation[](1);
        pairs[0] = LBPairInformation(BIN_STEP, pair, true, false);
    }

    function _create(ERC20 a, ERC20 b, uint256 key, uint256 amount) internal override returns (Pool) {
        return new LBPair(a, b, msg.sender, key, amount);
    }
}

/// Holds the inventory of all pools, and moves them in one transaction.
contract Trader {
    Pool[] private pools;

    function open(Factory factory, ERC20 a, ERC20 b, uint256 key, uint256 amount, uint256 target) external {
        Pool pool = factory.create(a, b, key, amount);
        a.approve(address(pool), type(uint256).max);
        b.approve(address(pool), type(uint256).max);
        pool.move(target);
        pools.push(pool);
    }

    /// Moves every pool to its target, 0 meaning none, and starts a round of the feed.
    function move(uint256[] calldata targets, PriceFeed feed, int128 answer) external {
        for (uint256 i = 0; i < targets.length; i++) {
            if (targets[i] > 0) pools[i].move(targets[i]);
        }
        feed.transmit(answer);
    }
}
