// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

uint256 constant Q96 = 2 ** 96;

/// Integer square root, rounded down (Newton's method from above).
function sqrt(uint256 x) pure returns (uint256 root) {
    if (x == 0) return 0;
    root = 1 << 128;
    while (true) {
        uint256 next = (root + x / root) / 2;
        if (next >= root) return root;
        root = next;
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
