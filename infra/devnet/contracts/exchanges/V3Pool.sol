// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ConcentratedPool} from "./ConcentratedPool.sol";

interface SwapCallback {
    /// Pays what is positive.
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

contract V3Pool is ConcentratedPool {
    uint24 private immutable fixedFee;

    constructor(address token0_, address token1_, uint24 fee_, int24 tickSpacing_)
        ConcentratedPool(token0_, token1_, tickSpacing_)
    {
        fixedFee = fee_;
    }

    function slot0()
        external
        view
        returns (
            uint160 sqrtPriceX96,
            int24 tick_,
            uint16 observationIndex,
            uint16 observationCardinality,
            uint16 observationCardinalityNext,
            uint8 feeProtocol,
            bool unlocked
        )
    {
        return (sqrtPrice, tick, 0, 1, 1, 0, true);
    }

    function fee() public view override returns (uint24) {
        return fixedFee;
    }

    function _callBack(int256 amount0, int256 amount1, bytes calldata data) internal override {
        SwapCallback(msg.sender).uniswapV3SwapCallback(amount0, amount1, data);
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
