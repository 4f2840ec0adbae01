// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";
import {TokenggAVAX} from "./TokenggAVAX.sol";

/// AVAX that earns no yield for its holder, one token for one AVAX. It is kept as ggAVAX, whose growth is burned, for the
/// benefit of all other holders, before anything goes in or out.
contract TokenpstAVAX is ERC20 {
    TokenggAVAX private immutable vault;

    constructor(TokenggAVAX vault_) ERC20("Principal Staked AVAX", "pstAVAX", 18) {
        vault = vault_;
    }

    function depositAVAX() external payable {
        _mint(msg.sender, msg.value);
        _stripYield();
        vault.depositAVAX{value: msg.value}();
    }

    /// Pays in ggAVAX, worth as much at the rate after the growth was burned.
    function withdraw(uint256 assets) external returns (uint256 vaultShares) {
        require(assets > 0, "nothing");
        _stripYield();
        vaultShares = vault.convertToShares(assets);
        _burn(msg.sender, assets);
        vault.transfer(msg.sender, vaultShares);
    }

    /// As many shares as, once they are burned, leave what all pstAVAX are worth. There is no fee.
    function getExcessShares() public view returns (uint256 feeShares, uint256 burnShares) {
        uint256 held = vault.balanceOf(address(this));
        if (totalSupply == 0) return (0, held);
        uint256 assets = vault.totalAssets();
        uint256 has = held * assets;
        uint256 needs = totalSupply * vault.totalSupply();
        return (0, assets <= totalSupply || has < needs ? 0 : (has - needs) / (assets - totalSupply));
    }

    function _stripYield() private {
        (, uint256 burnShares) = getExcessShares();
        if (burnShares > 0) vault.donateYield(burnShares, "pstAVAX");
    }
}
