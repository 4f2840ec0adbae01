// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "../tokens/ERC20.sol";

/// A Liquidity Book V2.2 pair: bins of constant price, (1 + binStep/10,000)^(id − 2^23) in 128.128 fixed point.
/// Bins above the active one hold X only, bins below it Y only. Trades are stood in for by moveTo.
contract LBPair {
    struct Bin {
        uint128 x;
        uint128 y;
    }

    address public immutable getTokenX;
    address public immutable getTokenY;
    uint16 public immutable getBinStep;
    uint24 public getActiveId;

    Bin private reserves;
    mapping(uint24 => Bin) private bins;

    constructor(address tokenX, address tokenY, uint24 activeId, uint16 binStep) {
        (getTokenX, getTokenY, getActiveId, getBinStep) = (tokenX, tokenY, activeId, binStep);
    }

    // ---- views ----

    /// The whole pool.
    function getReserves() external view returns (uint128 x, uint128 y) {
        return (reserves.x, reserves.y);
    }

    function getBin(uint24 id) external view returns (uint128 x, uint128 y) {
        return (bins[id].x, bins[id].y);
    }

    /// Raw Y per raw X in 128.128 fixed point.
    function getPriceFromId(uint24 id) public view returns (uint256) {
        return power((1 << 128) + (uint256(getBinStep) << 128) / 10_000, int256(uint256(id)) - 2 ** 23);
    }

    function getStaticFeeParameters()
        external
        pure
        returns (
            uint16 baseFactor,
            uint16 filterPeriod,
            uint16 decayPeriod,
            uint16 reductionFactor,
            uint24 variableFeeControl,
            uint16 protocolShare,
            uint24 maxVolatilityAccumulator
        )
    {
        return (5000, 30, 600, 5000, 0, 0, 350_000);
    }

    // ---- the stand-in's own ----

    /// Takes from the caller `x` for every bin above the active one, `y` for every bin below, and both for it.
    function addLiquidity(uint24 width, uint128 x, uint128 y) external {
        for (uint24 id = getActiveId - width; id <= getActiveId + width; id++) {
            if (id >= getActiveId) bins[id].x += x;
            if (id <= getActiveId) bins[id].y += y;
        }
        reserves.x += x * (width + 1);
        reserves.y += y * (width + 1);
        ERC20(getTokenX).transferFrom(msg.sender, address(this), x * (width + 1));
        ERC20(getTokenY).transferFrom(msg.sender, address(this), y * (width + 1));
    }

    /// Trades against the caller, without fee, until `activeId` is the active bin: every bin passed is turned over at its
    /// price, and half of the target's value is in X, half in Y.
    function moveTo(uint256 activeId) external {
        uint24 target = uint24(activeId);
        Bin memory before = reserves;
        for (uint24 id = getActiveId; id < target; id++) _setBin(id, 0, bins[id].y + _toY(bins[id].x, id));
        for (uint24 id = getActiveId; id > target; id--) _setBin(id, bins[id].x + _toX(bins[id].y, id), 0);
        uint128 half = (bins[target].y + _toY(bins[target].x, target)) / 2;
        _setBin(target, _toX(half, target), half);
        getActiveId = target;
        _settle(getTokenX, before.x, reserves.x);
        _settle(getTokenY, before.y, reserves.y);
    }

    function _setBin(uint24 id, uint128 x, uint128 y) private {
        Bin memory bin = bins[id];
        reserves = Bin(reserves.x + x - bin.x, reserves.y + y - bin.y);
        bins[id] = Bin(x, y);
    }

    function _settle(address token, uint128 before, uint128 afterwards) private {
        if (afterwards > before) ERC20(token).transferFrom(msg.sender, address(this), afterwards - before);
        else ERC20(token).transfer(msg.sender, before - afterwards);
    }

    function _toY(uint128 x, uint24 id) private view returns (uint128) {
        return uint128(uint256(x) * getPriceFromId(id) >> 128);
    }

    function _toX(uint128 y, uint24 id) private view returns (uint128) {
        return uint128((uint256(y) << 128) / getPriceFromId(id));
    }
}

contract LBFactory {
    event LBPairCreated(address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address LBPair, uint256 pid);

    struct LBPairInformation {
        uint16 binStep;
        address LBPair;
        bool createdByOwner;
        bool ignoredForRouting;
    }

    uint256 private count;
    mapping(address => mapping(address => LBPairInformation[])) private pairs;

    /// In either token order; empty when there is none.
    function getAllLBPairs(address a, address b) external view returns (LBPairInformation[] memory) {
        (a, b) = _sort(a, b);
        return pairs[a][b];
    }

    function createLBPair(address tokenX, address tokenY, uint24 activeId, uint16 binStep) external returns (address pair) {
        pair = address(new LBPair(tokenX, tokenY, activeId, binStep));
        (address a, address b) = _sort(tokenX, tokenY);
        pairs[a][b].push(LBPairInformation(binStep, pair, true, false));
        emit LBPairCreated(tokenX, tokenY, binStep, pair, count++);
    }

    function _sort(address a, address b) private pure returns (address, address) {
        return a < b ? (a, b) : (b, a);
    }
}

/// base^exponent in 128.128 fixed point, with the exact steps of Liquidity Book: invert a base above one, square and
/// multiply over 20 bits truncating each product, invert back.
function power(uint256 base, int256 exponent) pure returns (uint256 result) {
    uint256 n = uint256(exponent < 0 ? -exponent : exponent);
    require(n < 2 ** 20, "exponent");
    result = 1 << 128;
    if (n == 0) return result;
    bool invert = exponent < 0;
    if (base >= 1 << 128) {
        base = type(uint256).max / base;
        invert = !invert;
    }
    unchecked {
        // Neither factor exceeds 2^128, so no product overflows; the loop is hot enough for the checks to matter.
        for (; n > 0; n >>= 1) {
            if (n & 1 == 1) result = result * base >> 128;
            base = base * base >> 128;
        }
    }
    if (invert) result = type(uint256).max / result;
}
