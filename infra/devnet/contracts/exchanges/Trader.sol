// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "../tokens/ERC20.sol";
import {LBPair} from "./LBPair.sol";
import {PriceFeed} from "./PriceFeed.sol";

/// What pools of Uniswap V2, V3 and Algebra have in common.
interface IPool {
    function token0() external view returns (ERC20);
    function token1() external view returns (ERC20);
}

interface IUniswapV2Pair is IPool {
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface IUniswapV3Pool is IPool {
    function slot0() external view returns (uint160 sqrtPriceX96);
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external;
}

interface IAlgebraPool is IUniswapV3Pool {
    function globalState() external view returns (uint160 sqrtPriceX96);
}

/// The market: holds the inventory that all pools trade against, and does a whole step of it in one transaction.
contract Trader {
    enum Kind {
        UniswapV2Pair,
        LBPair,
        UniswapV3Pool,
        AlgebraPool
    }

    struct Traded {
        address pool;
        Kind kind;
    }

    uint256 private constant Q96 = 2 ** 96;
    Traded[] private pools;

    receive() external payable {}

    /// Takes a pool into move().
    function addPool(address pool, Kind kind) external {
        pools.push(Traded(pool, kind));
    }

    /// Trades every pool to its target, 0 meaning none, and starts a round of the feed. A target is a square root of token1
    /// per token0 in Q96, or the id of a bin.
    function move(uint256[] calldata targets, PriceFeed feed, int128 answer) external {
        for (uint256 i = 0; i < targets.length; i++) {
            if (targets[i] == 0) continue;
            (address pool, Kind kind) = (pools[i].pool, pools[i].kind);
            if (kind == Kind.UniswapV2Pair) _tradePair(IUniswapV2Pair(pool), targets[i]);
            else if (kind == Kind.LBPair) LBPair(pool).moveTo(targets[i]);
            else if (kind == Kind.UniswapV3Pool) _tradeTo(pool, IUniswapV3Pool(pool).slot0(), uint160(targets[i]));
            else _tradeTo(pool, IAlgebraPool(pool).globalState(), uint160(targets[i]));
        }
        feed.transmit(answer);
    }

    /// Anything else, as the owner of the inventory.
    function execute(address target, bytes calldata data) external payable {
        (bool ok, bytes memory reason) = target.call{value: msg.value}(data);
        if (!ok) {
            assembly {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    /// Sells what would bring the price to the target if there were no fee.
    function _tradePair(IUniswapV2Pair pair, uint256 target) private {
        (uint256 reserve0, uint256 reserve1,) = pair.getReserves();
        uint256 root = _sqrt(reserve0 * reserve1);
        (uint256 wanted0, uint256 wanted1) = (root * Q96 / target, root * target / Q96);
        if (wanted0 > reserve0) {
            pair.token0().transfer(address(pair), wanted0 - reserve0);
            pair.swap(0, _bought(wanted0 - reserve0, reserve0, reserve1), address(this), "");
        } else if (wanted1 > reserve1) {
            pair.token1().transfer(address(pair), wanted1 - reserve1);
            pair.swap(_bought(wanted1 - reserve1, reserve1, reserve0), 0, address(this), "");
        }
    }

    /// What Uniswap V2 pays for an amount, of which it keeps 0.3 %.
    function _bought(uint256 sold, uint256 reserveOfSold, uint256 reserveOfBought) private pure returns (uint256) {
        return sold * 997 * reserveOfBought / (reserveOfSold * 1000 + sold * 997);
    }

    /// Sells without bound, until the price is the target.
    function _tradeTo(address pool, uint160 price, uint160 target) private {
        if (price != target) IUniswapV3Pool(pool).swap(address(this), target < price, type(int128).max, target, "");
    }

    // ---- what pools of concentrated liquidity ask of those who trade or put liquidity in ----

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        _pay(amount0, amount1);
    }

    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        _pay(amount0, amount1);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        _pay(int256(amount0), int256(amount1));
    }

    function algebraMintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        _pay(int256(amount0), int256(amount1));
    }

    /// Whoever asks for it: the inventory is worth nothing.
    function _pay(int256 amount0, int256 amount1) private {
        if (amount0 > 0) IPool(msg.sender).token0().transfer(msg.sender, uint256(amount0));
        if (amount1 > 0) IPool(msg.sender).token1().transfer(msg.sender, uint256(amount1));
    }

    /// Integer square root, rounded down (Newton's method from above).
    function _sqrt(uint256 x) private pure returns (uint256 root) {
        root = 1 << 128;
        while (true) {
            uint256 next = (root + x / root) / 2;
            if (next >= root) return root;
            root = next;
        }
    }
}
