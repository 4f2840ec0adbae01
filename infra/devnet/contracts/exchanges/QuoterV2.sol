// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AlgebraFactory, AlgebraPool, AlgebraSwapCallback} from "./AlgebraPool.sol";
import {ConcentratedPool} from "./ConcentratedPool.sol";
import {RamsesV3Factory, SwapCallback, UniswapV3Factory, V3Pool} from "./V3Pool.sol";

/// What a trade would pay: makes it, and reverts with the amounts. Where the price's limit ends the trade, that of a part.
abstract contract Quoter {
    /// One from the smallest and the largest square root of a price, in Q96.
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// Ends a trade that nobody pays for.
    function _revertWith(int256 amount0, int256 amount1, uint160 price) internal pure {
        (uint256 bought, uint256 sold) = amount0 < 0 ? (uint256(-amount0), uint256(amount1)) : (uint256(-amount1), uint256(amount0));
        assembly {
            mstore(0, bought)
            mstore(32, price)
            mstore(64, sold)
            revert(0, 96)
        }
    }

    /// A limit of 0 is none.
    function _quote(address pool, bool zeroForOne, uint256 amountIn, uint160 limit)
        internal
        returns (uint256 amountOut, uint160 sqrtPriceX96After, uint256 sold)
    {
        require(pool != address(0), "no pool");
        if (limit == 0) limit = zeroForOne ? LOWEST : HIGHEST;
        try ConcentratedPool(pool).swap(address(this), zeroForOne, int256(amountIn), limit, "") {
            revert("a trade that nobody paid for");
        } catch (bytes memory reason) {
            require(reason.length == 96, "no quote");
            return abi.decode(reason, (uint256, uint160, uint256));
        }
    }
}

abstract contract V3Quoter is Quoter, SwapCallback {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external view {
        (uint160 price,,,,,,) = V3Pool(msg.sender).slot0();
        _revertWith(amount0, amount1, price);
    }
}

/// Uniswap's: pools are keyed by fee.
contract UniswapQuoterV2 is V3Quoter {
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

    function quoteExactInputSingle(QuoteExactInputSingleParams memory asked) external returns (uint256 out, uint160 price, uint32, uint256) {
        address pool = factory.getPool(asked.tokenIn, asked.tokenOut, asked.fee);
        (out, price,) = _quote(pool, asked.tokenIn < asked.tokenOut, asked.amountIn, asked.sqrtPriceLimitX96);
    }
}

/// Pharaoh's: pools are keyed by tick spacing.
contract RamsesQuoterV2 is V3Quoter {
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

    function quoteExactInputSingle(QuoteExactInputSingleParams memory asked) external returns (uint256 out, uint160 price, uint32, uint256) {
        address pool = factory.getPool(asked.tokenIn, asked.tokenOut, asked.tickSpacing);
        (out, price,) = _quote(pool, asked.tokenIn < asked.tokenOut, asked.amountIn, asked.sqrtPriceLimitX96);
    }
}

/// Blackhole's: pools are keyed by the contract that created them.
contract AlgebraQuoterV2 is Quoter, AlgebraSwapCallback {
    struct QuoteExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        address deployer;
        uint256 amountIn;
        uint160 limitSqrtPrice;
    }

    AlgebraFactory public immutable factory;

    constructor(AlgebraFactory factory_) {
        factory = factory_;
    }

    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata) external view {
        (uint160 price,,,,,) = AlgebraPool(msg.sender).globalState();
        _revertWith(amount0, amount1, price);
    }

    function quoteExactInputSingle(QuoteExactInputSingleParams memory asked)
        external
        returns (
            uint256 amountOut,
            uint256 amountIn,
            uint160 sqrtPriceX96After,
            uint32 initializedTicksCrossed,
            uint256 gasEstimate,
            uint16 fee
        )
    {
        address pool = factory.customPoolByPair(asked.deployer, asked.tokenIn, asked.tokenOut);
        (amountOut, sqrtPriceX96After, amountIn) =
            _quote(pool, asked.tokenIn < asked.tokenOut, asked.amountIn, asked.limitSqrtPrice);
        fee = uint16(AlgebraPool(pool).fee());
    }
}
