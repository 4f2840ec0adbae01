// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// 1e18 fixed point, always rounded down: every ratio of the protocol depends on this order of floors.
function mulWad(uint256 a, uint256 b) pure returns (uint256) {
    return a * b / 1e18;
}

function divWad(uint256 a, uint256 b) pure returns (uint256) {
    return a * 1e18 / b;
}
