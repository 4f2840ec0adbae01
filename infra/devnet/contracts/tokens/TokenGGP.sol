// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "../Base.sol";
import {Storage} from "../Storage.sol";
import {ERC20} from "./ERC20.sol";

contract TokenGGP is ERC20, Base {
    uint256 public constant MAX_SUPPLY = 22_500_000 ether;

    /// `supply` is what earlier reward cycles left: 18 M at the real launch, about 19.5 M after twenty cycles.
    constructor(Storage store_, address holder, uint256 supply) ERC20("GoGoPool Protocol", "GGP", 18) Base(store_) {
        _mint(holder, supply);
    }

    /// The guardian may mint too, so that a test can bring the supply near its cap.
    function mint(address to, uint256 amount) external {
        require(msg.sender == _contract("RewardsPool") || msg.sender == store.getGuardian(), "not the minter");
        require(totalSupply + amount <= MAX_SUPPLY, "too many");
        _mint(to, amount);
    }
}
