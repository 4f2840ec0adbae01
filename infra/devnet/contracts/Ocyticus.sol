// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The emergency stop: in the registry only. Nobody presses it here; tests pause contracts in Storage.
contract Ocyticus {}
