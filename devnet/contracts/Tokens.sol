// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

interface IMintable {
    function mint(address to, uint256 amount) external;
    function burn(uint256 amount) external;
}

/// The owner's list of allowed minters. Pools mint their yield, and vaults mint bridged assets.
abstract contract Minting is ERC20, IMintable {
    address public owner;
    mapping(address => bool) public minter;

    error NotOwner(address caller);
    error NotMinter(address caller);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    modifier onlyMinter() {
        if (!minter[msg.sender] && msg.sender != owner) revert NotMinter(msg.sender);
        _;
    }

    function setMinters(address[] calldata accounts) external onlyOwner {
        for (uint256 i; i < accounts.length; ++i) minter[accounts[i]] = true;
    }

    function mint(address to, uint256 amount) external onlyMinter {
        _mint(to, amount);
    }

    function mintMany(address[] calldata to, uint256 amount) external onlyMinter {
        for (uint256 i; i < to.length; ++i) _mint(to[i], amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

contract BaseToken is Minting {
    uint8 private immutable _decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_) ERC20(name_, symbol_) {
        _decimals = decimals_;
        owner = owner_;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
