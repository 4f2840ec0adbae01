// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "../tokens/ERC20.sol";
import {Q96, sqrt} from "./SqrtPrice.sol";

/// A constant-product pair (Joe V1, Pangolin). Trades are stood in for by moveTo.
contract V2Pair {
    event Sync(uint112 reserve0, uint112 reserve1);

    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    uint256 public price0CumulativeLast;
    uint256 public price1CumulativeLast;

    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private blockTimestampLast;

    constructor(address token0_, address token1_) {
        (factory, token0, token1) = (msg.sender, token0_, token1_);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, blockTimestampLast);
    }

    /// Takes both amounts from the caller as liquidity.
    function addLiquidity(uint256 amount0, uint256 amount1) external {
        _settle(token0, int256(amount0));
        _settle(token1, int256(amount1));
        _update(reserve0 + amount0, reserve1 + amount1);
    }

    /// A real trade: whatever has been paid in before the call buys these amounts, if the product is still as large, with 0.3 % of what
    /// came in left out.
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external {
        if (amount0Out > 0) ERC20(token0).transfer(to, amount0Out);
        if (amount1Out > 0) ERC20(token1).transfer(to, amount1Out);
        (uint256 balance0, uint256 balance1) = (ERC20(token0).balanceOf(address(this)), ERC20(token1).balanceOf(address(this)));
        uint256 in0 = balance0 + amount0Out - reserve0;
        uint256 in1 = balance1 + amount1Out - reserve1;
        uint256 product = (balance0 * 1000 - in0 * 3) * (balance1 * 1000 - in1 * 3);
        require(product >= uint256(reserve0) * reserve1 * 1000 ** 2, "K");
        _update(balance0, balance1);
    }

    /// Trades against the caller until token1/token0 is the square of `sqrtPriceX96`, the product held constant (no fee).
    function moveTo(uint256 sqrtPriceX96) external {
        uint256 root = sqrt(uint256(reserve0) * reserve1);
        uint256 next0 = root * Q96 / sqrtPriceX96;
        uint256 next1 = root * sqrtPriceX96 / Q96;
        _settle(token0, int256(next0) - int256(uint256(reserve0)));
        _settle(token1, int256(next1) - int256(uint256(reserve1)));
        _update(next0, next1);
    }

    function _update(uint256 next0, uint256 next1) private {
        uint32 time = uint32(block.timestamp);
        unchecked {
            uint32 elapsed = time - blockTimestampLast;
            if (elapsed > 0 && reserve0 != 0 && reserve1 != 0) {
                price0CumulativeLast += uint256((uint224(reserve1) << 112) / reserve0) * elapsed;
                price1CumulativeLast += uint256((uint224(reserve0) << 112) / reserve1) * elapsed;
            }
        }
        (reserve0, reserve1, blockTimestampLast) = (uint112(next0), uint112(next1), time);
        emit Sync(reserve0, reserve1);
    }

    function _settle(address token, int256 delta) private {
        if (delta > 0) ERC20(token).transferFrom(msg.sender, address(this), uint256(delta));
        else ERC20(token).transfer(msg.sender, uint256(-delta));
    }
}

contract V2Factory {
    event PairCreated(address indexed token0, address indexed token1, address pair, uint256);

    address[] public allPairs;
    /// The zero address when there is no such pair.
    mapping(address => mapping(address => address)) public getPair;

    function allPairsLength() external view returns (uint256) {
        return allPairs.length;
    }

    function createPair(address a, address b) external returns (address pair) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        pair = address(new V2Pair(token0, token1));
        getPair[token0][token1] = getPair[token1][token0] = pair;
        allPairs.push(pair);
        emit PairCreated(token0, token1, pair, allPairs.length);
    }
}
