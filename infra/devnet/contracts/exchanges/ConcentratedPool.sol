// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "../tokens/ERC20.sol";
import {Q96, power} from "./SqrtPrice.sol";

/// A concentrated-liquidity pool with one position over the whole range. The market's trades are stood in for by moveTo.
abstract contract ConcentratedPool {
    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    int24 public immutable tickSpacing;
    uint128 public liquidity;
    uint160 internal sqrtPrice;
    int24 internal tick;

    constructor(address token0_, address token1_, int24 tickSpacing_) {
        (factory, token0, token1, tickSpacing) = (msg.sender, token0_, token1_, tickSpacing_);
    }

    /// What a trade costs now, in hundredths of a bip.
    function fee() public view virtual returns (uint24);

    /// Before a trade.
    function _noteFee() internal virtual {}

    /// Asks the caller to pay what is positive.
    function _callBack(int256 amount0, int256 amount1, bytes calldata data) internal virtual;

    /// Opens the pool at a price and takes both sides of `liquidity_` from the caller.
    function initialize(uint160 sqrtPriceX96, uint128 liquidity_) external {
        liquidity = liquidity_;
        _settle(token0, int256(_amount0(sqrtPriceX96)));
        _settle(token1, int256(_amount1(sqrtPriceX96)));
        (sqrtPrice, tick) = (sqrtPriceX96, tickAt(sqrtPriceX96));
    }

    /// A real trade: sells `amountIn` (positive) of token0, or of token1, or as much of it as moves the price to `limit`.
    /// Rounded in favour of the pool.
    function swap(address recipient, bool zeroForOne, int256 amountIn, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1)
    {
        _noteFee();
        uint256 price = sqrtPrice;
        require(zeroForOne ? limit < price : limit > price, "SPL");
        uint256 paid = uint256(amountIn);
        uint256 next = _priceAfter(zeroForOne, paid * (1e6 - fee()) / 1e6);
        if (zeroForOne ? next < limit : next > limit) (next, paid) = (limit, _divUp(_amountTo(limit) * 1e6, 1e6 - fee()));
        uint256 bought = zeroForOne
            ? uint256(liquidity) * (price - next) / Q96
            : uint256(liquidity) * (next - price) / next * Q96 / price;
        (sqrtPrice, tick) = (uint160(next), tickAt(next));
        (address sold, address wanted) = zeroForOne ? (token0, token1) : (token1, token0);
        (amount0, amount1) = zeroForOne ? (int256(paid), -int256(bought)) : (-int256(bought), int256(paid));
        ERC20(wanted).transfer(recipient, bought);
        uint256 before = ERC20(sold).balanceOf(address(this));
        _callBack(amount0, amount1, data);
        require(ERC20(sold).balanceOf(address(this)) >= before + paid, "IIA");
    }

    function _priceAfter(bool zeroForOne, uint256 net) private view returns (uint256) {
        uint256 price = sqrtPrice;
        if (!zeroForOne) return price + net * Q96 / liquidity;
        uint256 divisor = liquidity + net * price / Q96;
        return (uint256(liquidity) * price + divisor - 1) / divisor;
    }

    /// What has to be sold, without the fee, to move the price this far.
    function _amountTo(uint256 limit) private view returns (uint256) {
        uint256 price = sqrtPrice;
        if (limit > price) return _divUp(uint256(liquidity) * (limit - price), Q96);
        return _divUp(uint256(liquidity) * Q96, limit) - _amount0(price);
    }

    /// Trades against the caller, without fee, until the price is the square of `sqrtPriceX96`.
    function moveTo(uint256 sqrtPriceX96) external {
        uint256 before = sqrtPrice;
        _settle(token0, int256(_amount0(sqrtPriceX96)) - int256(_amount0(before)));
        _settle(token1, int256(_amount1(sqrtPriceX96)) - int256(_amount1(before)));
        (sqrtPrice, tick) = (uint160(sqrtPriceX96), tickAt(sqrtPriceX96));
    }

    /// The largest tick whose price, 1.0001^tick, is not above the price given. Searched in doubling steps from the tick
    /// of the last trade, because a new price is rarely far from it.
    function tickAt(uint256 sqrtPriceX96) public view returns (int24) {
        uint256 price = sqrtPriceX96 * sqrtPriceX96 >> 64;
        int256 low = tick;
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
    function _priceAt(int256 tick_) private pure returns (uint256) {
        return power((1 << 128) + (uint256(1) << 128) / 10_000, tick_);
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
