// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// The share token and the queue of docs/own-vaults.md, which model no particular system:
// - getRate() has 18 decimals and is set from outside; Minted names the receiver of the shares and the ether paid.
// - The queue holds requested shares and burns them when it pays; Claimed names a request and the ether.
// No preset describes either of them. Ether is a number here, not sent.

contract GuideShare is ERC20 {
    event Minted(address indexed to, uint256 amount, uint256 eth);

    uint256 public getRate = 1e18;

    constructor() ERC20("Staked Ether", "sETH") {}

    function setRate(uint256 rate) external {
        getRate = rate;
    }

    function stake(uint256 eth) external {
        uint256 amount = eth * 1e18 / getRate;
        _mint(msg.sender, amount);
        emit Minted(msg.sender, amount, eth);
    }

    function burnOf(address holder, uint256 amount) external {
        _burn(holder, amount);
    }
}

contract GuideQueue {
    event Requested(uint256 indexed id, address indexed owner, uint256 shares);
    event Claimed(uint256 indexed id, uint256 eth);

    struct Request {
        address owner;
        uint256 shares;
    }

    GuideShare public immutable share;
    uint256 public lastId;
    mapping(uint256 => Request) public requests;

    constructor(GuideShare share_) {
        share = share_;
    }

    function request(uint256 shares) external {
        share.transferFrom(msg.sender, address(this), shares);
        requests[++lastId] = Request(msg.sender, shares);
        emit Requested(lastId, msg.sender, shares);
    }

    function claim(uint256 id) external {
        uint256 shares = requests[id].shares;
        delete requests[id];
        share.burnOf(address(this), shares);
        emit Claimed(id, shares * share.getRate() / 1e18);
    }
}
