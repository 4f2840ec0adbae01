// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {RamsesV3Factory, SwapCallback, UniswapV3Factory, V3Pool} from "./V3Pool.sol";

/// What a trade would pay: makes it, and reverts with the amounts. Where the price's limit ends the trade, that of a part.
abstract contract Quoter is SwapCallback {
    /// One from the smallest and the largest square root of a price, in Q96.
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external view {
        uint256 bought = uint256(-(amount0 < 0 ? amount0 : amount1));
        (uint160 price,,,,,,) = V3Pool(msg.sender).slot0();
        assembly {
            mstore(0, bought)
            mstore(32, price)
            revert(0, 64)
        }
    }

    /// A limit of 0 is none.
    function _quote(address pool, bool zeroForOne, uint256 amountIn, uint160 limit)
        internal
        returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)
    {
        require(pool != address(0), "no pool");
        if (limit == 0) limit = zeroForOne ? LOWEST : HIGHEST;
        try V3Pool(pool).swap(address(this), zeroForOne, int256(amountIn), limit, "") {
            revert("a trade that nobody paid for");
        } catch (bytes memory reason) {
            require(reason.length == 64, "no quote");
            (amountOut, sqrtPriceX96After) = abi.decode(reason, (uint256, uint160));
        }
        return (amountOut, sqrtPriceX96After, 0, 0);
    }
}

/// Uniswap's: pools are keyed by fee.
contract UniswapQuoterV2 is Quoter {
    struct QuoteExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint256 amountIn;
        uint24 fee;
        uint160 sqrtPriceLimitX96;
    }

    UniswapV3Factory public immutable factory;

    constructor(UniswapV3Factory factory_) {
        factory = factory_;
    }

    function quoteExactInputSingle(QuoteExactInputSingleParams memory asked) external returns (uint256, uint160, uint32, uint256) {
        address pool = factory.getPool(asked.tokenIn, asked.tokenOut, asked.fee);
        return _quote(pool, asked.tokenIn < asked.tokenOut, asked.amountIn, asked.sqrtPriceLimitX96);
    }
}

/// Pharaoh's: pools are keyed by tick spacing.
contract RamsesQuoterV2 is Quoter {
    struct QuoteExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint256 amountIn;
        int24 tickSpacing;
        uint160 sqrtPriceLimitX96;
    }

    RamsesV3Factory public immutable factory;

    constructor(RamsesV3Factory factory_) {
        factory = factory_;
    }

    function quoteExactInputSingle(QuoteExactInputSingleParams memory asked) external returns (uint256, uint160, uint32, uint256) {
        address pool = factory.getPool(asked.tokenIn, asked.tokenOut, asked.tickSpacing);
        return _quote(pool, asked.tokenIn < asked.tokenOut, asked.amountIn, asked.sqrtPriceLimitX96);
    }
}
