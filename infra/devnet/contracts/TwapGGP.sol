// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IUniswapV2Pair {
    function price0CumulativeLast() external view returns (uint256);
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
}

/// GGP price in AVAX averaged over the cumulative price of the GGP/WAVAX pair, from the last update() until now.
contract TwapGGP {
    event GGPPriceUpdated(uint256 indexed price, uint256 timestamp);

    error PeriodNotElapsed();

    uint256 public constant timePeriod = 1 days;
    IUniswapV2Pair public immutable pair;
    uint32 public blockTimestampLast;
    uint256 public price0CumulativeLast;
    uint224 public price0Average;

    constructor(IUniswapV2Pair pair_) {
        pair = pair_;
        (price0CumulativeLast, blockTimestampLast) = _cumulative();
    }

    /// Anybody may start the next window once `timePeriod` has passed.
    function update() external {
        (uint256 cumulative, uint32 time) = _cumulative();
        unchecked {
            if (time - blockTimestampLast < timePeriod) revert PeriodNotElapsed();
            price0Average = uint224((cumulative - price0CumulativeLast) / (time - blockTimestampLast));
        }
        (price0CumulativeLast, blockTimestampLast) = (cumulative, time);
        emit GGPPriceUpdated(_toWad(price0Average), time);
    }

    function ggpSpotPriceInAVAX() public view returns (uint144) {
        (uint112 reserve0, uint112 reserve1,) = pair.getReserves();
        return _toWad((uint224(reserve1) << 112) / reserve0);
    }

    function ggpTwapPriceInAVAX() public view returns (uint144) {
        (uint256 cumulative, uint32 time) = _cumulative();
        unchecked {
            uint32 elapsed = time - blockTimestampLast;
            if (elapsed == 0) return _toWad(price0Average);
            return _toWad(uint224((cumulative - price0CumulativeLast) / elapsed));
        }
    }

    /// The shape of the 1inch oracle that Oracle was written for.
    function getRateToEth(address, bool) external view returns (uint256) {
        return ggpTwapPriceInAVAX();
    }

    /// The pair's cumulative price as if it had been touched in this block.
    function _cumulative() private view returns (uint256 cumulative, uint32 time) {
        (uint112 reserve0, uint112 reserve1, uint32 last) = pair.getReserves();
        time = uint32(block.timestamp);
        cumulative = pair.price0CumulativeLast();
        unchecked {
            if (time != last) cumulative += uint256((uint224(reserve1) << 112) / reserve0) * (time - last);
        }
    }

    /// 112.112 fixed point to 1e18.
    function _toWad(uint224 price) private pure returns (uint144) {
        return uint144(uint256(price) * 1e18 >> 112);
    }
}
