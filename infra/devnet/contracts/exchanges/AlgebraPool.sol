// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ConcentratedPool} from "./ConcentratedPool.sol";

interface AlgebraSwapCallback {
    /// Pays what is positive.
    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

/// A pool of Algebra Integral 1.2: Uniswap V3's maths, another layout of the state, and a fee that its plugin decides.
contract AlgebraPool is ConcentratedPool {
    /// Of the flags of a plugin, the one that says that it decides the fee.
    uint8 private constant DYNAMIC_FEE = 1 << 7;

    /// The fee of the last trade, in hundredths of a bip: what it is now is in fee().
    uint16 private lastFee;
    uint16 private feeOfPlugin;

    constructor(address token0_, address token1_, uint16 fee_, int24 tickSpacing_)
        ConcentratedPool(token0_, token1_, tickSpacing_)
    {
        (lastFee, feeOfPlugin) = (fee_, fee_);
    }

    function globalState()
        external
        view
        returns (uint160 price, int24 tick_, uint16 lastFee_, uint8 pluginConfig, uint16 communityFee, bool unlocked)
    {
        return (sqrtPrice, tick, lastFee, DYNAMIC_FEE, 0, true);
    }

    function fee() public view override returns (uint24) {
        return feeOfPlugin;
    }

    /// Stands in for the plugin, which follows the volatility. Anybody may.
    function setFeeOfPlugin(uint16 fee_) external {
        feeOfPlugin = fee_;
    }

    function _noteFee() internal override {
        lastFee = feeOfPlugin;
    }

    function _callBack(int256 amount0, int256 amount1, bytes calldata data) internal override {
        AlgebraSwapCallback(msg.sender).algebraSwapCallback(amount0, amount1, data);
    }
}

/// Blackhole's: pools are keyed by the contract that creates them, one for each tick spacing.
contract AlgebraFactory {
    event CustomPool(address indexed deployer, address indexed token0, address indexed token1, address pool);

    uint16 public constant defaultFee = 100;
    int24 public constant defaultTickspacing = 1;

    /// The zero address when there is no such pool.
    mapping(address deployer => mapping(address => mapping(address => address))) public customPoolByPair;

    /// Anybody may, in the name of every deployer.
    function createCustomPool(address deployer, address, address a, address b, bytes calldata)
        external
        returns (address pool)
    {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        pool = address(new AlgebraPool(token0, token1, defaultFee, defaultTickspacing));
        customPoolByPair[deployer][token0][token1] = customPoolByPair[deployer][token1][token0] = pool;
        emit CustomPool(deployer, token0, token1, pool);
    }
}
