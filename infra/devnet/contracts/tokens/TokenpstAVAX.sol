// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";

/// AVAX that earns no yield for its holder, one token for one AVAX. The real one keeps it as ggAVAX; here it stays where it is.
contract TokenpstAVAX is ERC20 {
    constructor() ERC20("Principal Staked AVAX", "pstAVAX", 18) {}

    function depositAVAX() external payable {
        _mint(msg.sender, msg.value);
    }
}
