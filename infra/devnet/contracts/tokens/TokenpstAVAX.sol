// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "./ERC20.sol";
import {TokenggAVAX} from "./TokenggAVAX.sol";

/// AVAX that earns no yield for its holder, one token for one AVAX. It is kept as ggAVAX, whose growth is burned, for the
/// benefit of all other holders, before anything goes in or out.
contract TokenpstAVAX is ERC20 {
    event Deposited(address indexed user, uint256 avaxAmount, uint256 vaultShares);
    event Withdrawn(address indexed user, uint256 pstShares, uint256 vaultShares);

    error InsufficientBalance();
    error NotOwner();
    error ZeroAmount();

    TokenggAVAX public immutable vault;
    address public immutable owner;
    bool public paused;

    constructor(TokenggAVAX vault_, address owner_) ERC20("Principal Staked AVAX", "pstAVAX", 18) {
        (vault, owner) = (vault_, owner_);
    }

    function depositAVAX() external payable whenNotPaused {
        if (msg.value == 0) revert ZeroAmount();
        _mint(msg.sender, msg.value);
        stripYield();
        emit Deposited(msg.sender, msg.value, vault.depositAVAX{value: msg.value}());
    }

    /// Pays in ggAVAX, worth as much at the rate after the growth was burned.
    function withdraw(uint256 assets) external whenNotPaused returns (uint256 vaultShares) {
        if (assets == 0) revert ZeroAmount();
        if (balanceOf[msg.sender] < assets) revert InsufficientBalance();
        stripYield();
        vaultShares = vault.convertToShares(assets);
        _burn(msg.sender, assets);
        vault.transfer(msg.sender, vaultShares);
        emit Withdrawn(msg.sender, assets, vaultShares);
    }

    function stripYield() public whenNotPaused returns (uint256 feeShares, uint256 burnShares) {
        (feeShares, burnShares) = getExcessShares();
        if (burnShares > 0) vault.donateYield(burnShares, "pstAVAX");
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

    function setPaused(bool paused_) external {
        if (msg.sender != owner) revert NotOwner();
        paused = paused_;
    }

    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }
}
