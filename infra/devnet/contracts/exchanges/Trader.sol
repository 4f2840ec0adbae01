// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "../tokens/ERC20.sol";
import {PriceFeed} from "./PriceFeed.sol";

/// A pool that can be traded to a price: a square root in Q96, or a bin id.
interface Pool {
    function moveTo(uint256 target) external;
}

/// The market: holds the inventory that all pools trade against, and does a whole step of it in one transaction.
contract Trader {
    Pool[] private pools;

    receive() external payable {}

    /// Lets a pool draw on the inventory, and takes it into move().
    function addPool(Pool pool, ERC20 a, ERC20 b) external {
        pools.push(pool);
        a.approve(address(pool), type(uint256).max);
        b.approve(address(pool), type(uint256).max);
    }

    /// Trades every pool to its target, 0 meaning none, and starts a round of the feed.
    function move(uint256[] calldata targets, PriceFeed feed, int128 answer) external {
        for (uint256 i = 0; i < targets.length; i++) {
            if (targets[i] != 0) pools[i].moveTo(targets[i]);
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
}
