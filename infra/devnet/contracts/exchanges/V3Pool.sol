// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "../tokens/ERC20.sol";
import {Q96, power} from "./SqrtPrice.sol";

interface SwapCallback {
    /// Pays what is positive.
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

/// A concentrated-liquidity pool with one position over the whole range. The market's trades are stood in for by moveTo.
contract V3Pool {
    struct Slot0 {
        uint160 sqrtPriceX96;
        int24 tick;
        uint16 observationIndex;
        uint16 observationCardinality;
        uint16 observationCardinalityNext;
        uint8 feeProtocol;
        bool unlocked;
    }

    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    /// Hundredths of a bip.
    uint24 public immutable fee;
    int24 public immutable tickSpacing;
    Slot0 public slot0;
    uint128 public liquidity;

    constructor(address token0_, address token1_, uint24 fee_, int24 tickSpacing_) {
        (factory, token0, token1, fee, tickSpacing) = (msg.sender, token0_, token1_, fee_, tickSpacing_);
    }

    /// Opens the pool at a price and takes both sides of `liquidity_` from the caller.
    function initialize(uint160 sqrtPriceX96, uint128 liquidity_) external {
        liquidity = liquidity_;
        _settle(token0, int256(_amount0(sqrtPriceX96)));
        _settle(token1, int256(_amount1(sqrtPriceX96)));
        slot0 = Slot0(sqrtPriceX96, tickAt(sqrtPriceX96), 0, 1, 1, 0, true);
    }

    /// A real trade: sells `amountIn` (positive) of token0, or of token1, or as much of it as moves the price to `limit`.
    /// Rounded in favour of the pool.
    function swap(address recipient, bool zeroForOne, int256 amountIn, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1)
    {
        uint256 price = slot0.sqrtPriceX96;
        require(zeroForOne ? limit < price : limit > price, "SPL");
        uint256 paid = uint256(amountIn);
        uint256 next = _priceAfter(zeroForOne, paid * (1e6 - fee) / 1e6);
        if (zeroForOne ? next < limit : next > limit) (next, paid) = (limit, _divUp(_amountTo(limit) * 1e6, 1e6 - fee));
        uint256 bought = zeroForOne
            ? uint256(liquidity) * (price - next) / Q96
            : uint256(liquidity) * (next - price) / next * Q96 / price;
        (slot0.sqrtPriceX96, slot0.tick) = (uint160(next), tickAt(next));
        (address sold, address wanted) = zeroForOne ? (token0, token1) : (token1, token0);
        (amount0, amount1) = zeroForOne ? (int256(paid), -int256(bought)) : (-int256(bought), int256(paid));
        ERC20(wanted).transfer(recipient, bought);
        uint256 before = ERC20(sold).balanceOf(address(this));
        SwapCallback(msg.sender).uniswapV3SwapCallback(amount0, amount1, data);
        require(ERC20(sold).balanceOf(address(this)) >= before + paid, "IIA");
    }

    function _priceAfter(bool zeroForOne, uint256 net) private view returns (uint256) {
        uint256 price = slot0.sqrtPriceX96;
        if (!zeroForOne) return price + net * Q96 / liquidity;
        uint256 divisor = liquidity + net * price / Q96;
        return (uint256(liquidity) * price + divisor - 1) / divisor;
    }

    /// What has to be sold, without the fee, to move the price this far.
    function _amountTo(uint256 limit) private view returns (uint256) {
        uint256 price = slot0.sqrtPriceX96;
        if (limit > price) return _divUp(uint256(liquidity) * (limit - price), Q96);
        return _divUp(uint256(liquidity) * Q96, limit) - _amount0(price);
    }

    /// Trades against the caller, without fee, until the price is the square of `sqrtPriceX96`.
    function moveTo(uint256 sqrtPriceX96) external {
        uint256 before = slot0.sqrtPriceX96;
        _settle(token0, int256(_amount0(sqrtPriceX96)) - int256(_amount0(before)));
        _settle(token1, int256(_amount1(sqrtPriceX96)) - int256(_amount1(before)));
        (slot0.sqrtPriceX96, slot0.tick) = (uint160(sqrtPriceX96), tickAt(sqrtPriceX96));
    }

    /// The largest tick whose price, 1.0001^tick, is not above the price given. Searched in doubling steps from the tick
    /// of the last trade, because a new price is rarely far from it.
    function tickAt(uint256 sqrtPriceX96) public view returns (int24) {
        uint256 price = sqrtPriceX96 * sqrtPriceX96 >> 64;
        int256 low = slot0.tick;
        int256 high = low;
        for (int256 step = 16; _priceAt(low) > price; step *= 2) low -= step;
        for (int256 step = 16; _priceAt(high) <= price; step *= 2) high += step;
        while (high - low > 1) {
            int256 middle = (low + high) / 2;
            if (_priceAt(middle) <= price) low = middle;
            else high = middle;
        }
        return int24(low);
    }

    /// 128.128 fixed point.
    function _priceAt(int256 tick) private pure returns (uint256) {
        return power((1 << 128) + (uint256(1) << 128) / 10_000, tick);
    }

    function _amount0(uint256 sqrtPriceX96) private view returns (uint256) {
        return uint256(liquidity) * Q96 / sqrtPriceX96;
    }

    function _amount1(uint256 sqrtPriceX96) private view returns (uint256) {
        return uint256(liquidity) * sqrtPriceX96 / Q96;
    }

    function _divUp(uint256 a, uint256 b) private pure returns (uint256) {
        return (a + b - 1) / b;
    }

    function _settle(address token, int256 delta) private {
        if (delta > 0) ERC20(token).transferFrom(msg.sender, address(this), uint256(delta));
        else ERC20(token).transfer(msg.sender, uint256(-delta));
    }
}

contract UniswapV3Factory {
    event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool);

    /// The zero address when there is no such pool.
    mapping(address => mapping(address => mapping(uint24 => address))) public getPool;

    function createPool(address a, address b, uint24 fee) external returns (address pool) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        int24 tickSpacing = fee == 100 ? int24(1) : int24(fee / 50);
        pool = address(new V3Pool(token0, token1, fee, tickSpacing));
        getPool[token0][token1][fee] = getPool[token1][token0][fee] = pool;
        emit PoolCreated(token0, token1, fee, tickSpacing, pool);
    }
}

/// Pharaoh's concentrated-liquidity factory (Ramses V3): pools are keyed by tick spacing, the fee is the pool's own.
contract RamsesV3Factory {
    event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool);

    mapping(address => mapping(address => mapping(int24 => address))) public getPool;

    function createPool(address a, address b, int24 tickSpacing, uint24 fee) external returns (address pool) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        pool = address(new V3Pool(token0, token1, fee, tickSpacing));
        getPool[token0][token1][tickSpacing] = getPool[token1][token0][tickSpacing] = pool;
        emit PoolCreated(token0, token1, fee, tickSpacing, pool);
    }
}
