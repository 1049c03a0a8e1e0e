// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Token} from "./Token.sol";

// Share tokens with a rate, each with the traits of a group of systems, and of no particular one:
// - RatedStake: the rate is in storage, is set from outside, and reverts while paused. Purchases and redemptions are
//   immediate, with an event that names amounts (rETH); fee shares are minted without one. RatedDesk is its queue by
//   32-byte numbers: it holds shares, fixes the amount at the request, and returns the shares or burns them when it
//   pays (BoringVault's queue).
// - RatedWrap: its only event is Transfer, and its price is inverse (shares for one asset), as with wrappers.
// - RatedFund: shares of 6 decimals with a dollar price, which has a time and a flag for bad prices. They are bought
//   with a stablecoin, with an event without shares, and burned for a payment that happens elsewhere (fund tokens).
// - RatedPool: accounts in shares while balances grow (stETH): TransferShares next to each Transfer. Its queue by
//   number is settled in ranges, burns at the settlement, and pays later, less after a loss.

contract RatedStake is ERC20 {
    event Minted(address indexed to, uint256 amount, uint256 paid, uint256 time);
    event Burned(address indexed from, uint256 amount, uint256 paid, uint256 time);

    Token public immutable asset_;
    uint256 public rate = 1e18;
    bool public isPaused;

    constructor(Token asset) ERC20("Rated Stake", "rSTK") {
        asset_ = asset;
    }

    function getRate() external view returns (uint256) {
        require(!isPaused, "paused");
        return rate;
    }

    function set(uint256 newRate, bool paused) external {
        (rate, isPaused) = (newRate, paused);
    }

    function mint(uint256 paid) external {
        uint256 amount = (paid * 1e18) / rate;
        asset_.burn(msg.sender, paid);
        _mint(msg.sender, amount);
        emit Minted(msg.sender, amount, paid, block.timestamp);
    }

    function burn(uint256 amount) external {
        uint256 paid = (amount * rate) / 1e18;
        _burn(msg.sender, amount);
        asset_.mint(msg.sender, paid);
        emit Burned(msg.sender, amount, paid, block.timestamp);
    }

    function takeFee(address treasury, uint256 amount) external {
        _mint(treasury, amount);
    }

    function burnOf(address holder, uint256 amount) external {
        _burn(holder, amount);
    }
}

contract RatedDesk {
    event Requested(bytes32 indexed id, address indexed user, uint256 shares, uint256 assets);
    event Cancelled(bytes32 indexed id, address indexed user, uint256 time);
    event Solved(bytes32 indexed id, address indexed user, uint256 time);

    struct Request {
        address user;
        uint256 shares;
        uint256 assets;
    }

    RatedStake public immutable share;
    mapping(bytes32 => Request) public requests;
    mapping(address => uint256) public pendingOf;
    uint256 private nonce;

    constructor(RatedStake share_) {
        share = share_;
    }

    function request(uint256 shares) external returns (bytes32 id) {
        id = keccak256(abi.encode(msg.sender, nonce++));
        uint256 assets = (shares * share.rate()) / 1e18;
        share.transferFrom(msg.sender, address(this), shares);
        requests[id] = Request(msg.sender, shares, assets);
        pendingOf[msg.sender] += shares;
        emit Requested(id, msg.sender, shares, assets);
    }

    function cancel(bytes32 id) external {
        Request memory one = requests[id];
        delete requests[id];
        pendingOf[one.user] -= one.shares;
        share.transfer(one.user, one.shares);
        emit Cancelled(id, one.user, block.timestamp);
    }

    function solve(bytes32 id) external {
        Request memory one = requests[id];
        delete requests[id];
        pendingOf[one.user] -= one.shares;
        share.burnOf(address(this), one.shares);
        share.asset_().mint(one.user, one.assets);
        emit Solved(id, one.user, block.timestamp);
    }
}

contract RatedWrap is ERC20 {
    Token public immutable asset_;
    uint224 public priceD18 = 1e18;

    constructor(Token asset) ERC20("Rated Wrap", "rWRP") {
        asset_ = asset;
    }

    function set(uint224 price) external {
        priceD18 = price;
    }

    function getReport(address) external view returns (uint224, uint32, bool) {
        return (priceD18, uint32(block.timestamp), false);
    }

    function wrap(uint256 amount) external {
        asset_.burn(msg.sender, amount);
        _mint(msg.sender, (amount * priceD18) / 1e18);
    }

    function unwrap(uint256 shares) external {
        _burn(msg.sender, shares);
        asset_.mint(msg.sender, (shares * 1e18) / priceD18);
    }
}

contract RatedFund is ERC20 {
    event Subscribed(address indexed subscriber, address indexed to, address stablecoin, uint256 paid);
    event OffchainRedeem(address indexed burner, address indexed src, uint256 amount);

    Token public immutable stablecoin;
    uint256 public price = 10_000_000;
    uint256 public updatedAt = block.timestamp;
    bool public bad;

    constructor(Token stablecoin_) ERC20("Rated Fund", "rFND") {
        stablecoin = stablecoin_;
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function set(uint256 price_, bool bad_) external {
        (price, bad, updatedAt) = (price_, bad_, block.timestamp);
    }

    function getChainlinkPrice() external view returns (bool, uint256, uint256) {
        return (bad, updatedAt, price);
    }

    function subscribe(address to, uint256 paid) external {
        stablecoin.burn(msg.sender, paid);
        _mint(to, (paid * 1e6) / price);
        emit Subscribed(msg.sender, to, address(stablecoin), paid);
    }

    function offchainRedeem(uint256 amount) external {
        _burn(msg.sender, amount);
        emit OffchainRedeem(msg.sender, msg.sender, amount);
    }
}

contract RatedPool {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event TransferShares(address indexed from, address indexed to, uint256 sharesValue);
    event Submitted(address indexed sender, uint256 amount, address referral);

    string public constant name = "Rated Pool";
    string public constant symbol = "rPOL";
    uint8 public constant decimals = 18;
    Token public immutable coin;
    uint256 public pooled;
    uint256 public getTotalShares;
    mapping(address => uint256) public sharesOf;

    constructor(Token coin_) {
        coin = coin_;
    }

    function balanceOf(address holder) external view returns (uint256) {
        return getPooledEthByShares(sharesOf[holder]);
    }

    function totalSupply() external view returns (uint256) {
        return pooled;
    }

    function getPooledEthByShares(uint256 shares) public view returns (uint256) {
        return getTotalShares == 0 ? shares : (shares * pooled) / getTotalShares;
    }

    function submit(uint256 amount) external {
        uint256 shares = pooled == 0 ? amount : (amount * getTotalShares) / pooled;
        coin.burn(msg.sender, amount);
        emit Submitted(msg.sender, amount, address(0));
        getTotalShares += shares;
        pooled += amount;
        sharesOf[msg.sender] += shares;
        _tell(address(0), msg.sender, shares);
    }

    function rebase(uint256 pooled_, address treasury, uint256 feeShares) external {
        pooled = pooled_;
        getTotalShares += feeShares;
        sharesOf[treasury] += feeShares;
        _tell(address(0), treasury, feeShares);
    }

    function transferShares(address to, uint256 shares) external {
        _move(msg.sender, to, shares);
    }

    function moveShares(address from, address to, uint256 shares) external {
        _move(from, to, shares);
    }

    function burnShares(address from, uint256 shares, uint256 paid) external {
        _tell(from, address(0), shares);
        sharesOf[from] -= shares;
        getTotalShares -= shares;
        pooled -= paid;
    }

    function _move(address from, address to, uint256 shares) private {
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        _tell(from, to, shares);
    }

    function _tell(address from, address to, uint256 shares) private {
        emit Transfer(from, to, getPooledEthByShares(shares));
        emit TransferShares(from, to, shares);
    }
}

contract RatedPoolQueue {
    event WithdrawalRequested(
        uint256 indexed requestId, address indexed requestor, address indexed owner, uint256 amount, uint256 shares
    );
    event WithdrawalsFinalized(
        uint256 indexed from, uint256 indexed to, uint256 locked, uint256 sharesToBurn, uint256 time
    );
    event WithdrawalClaimed(uint256 indexed requestId, address indexed owner, address indexed receiver, uint256 amount);

    struct Request {
        address owner;
        uint256 amount;
        uint256 shares;
        uint256 pays;
    }

    RatedPool public immutable pool;
    mapping(uint256 => Request) public requests;
    uint256 public lastRequestId;
    uint256 public lastFinalized;

    constructor(RatedPool pool_) {
        pool = pool_;
    }

    function request(uint256 shares, address owner) external {
        uint256 amount = pool.getPooledEthByShares(shares);
        pool.moveShares(msg.sender, address(this), shares);
        requests[++lastRequestId] = Request(owner, amount, shares, 0);
        emit WithdrawalRequested(lastRequestId, msg.sender, owner, amount, shares);
    }

    function finalize(uint256 to) external {
        uint256 burned;
        uint256 locked;
        for (uint256 id = lastFinalized + 1; id <= to; id++) {
            Request storage one = requests[id];
            uint256 worth = pool.getPooledEthByShares(one.shares);
            one.pays = worth < one.amount ? worth : one.amount;
            burned += one.shares;
            locked += one.pays;
        }
        pool.burnShares(address(this), burned, locked);
        emit WithdrawalsFinalized(lastFinalized + 1, to, locked, burned, block.timestamp);
        lastFinalized = to;
    }

    function claim(uint256 id, address receiver) external {
        Request memory one = requests[id];
        require(id <= lastFinalized && one.owner == msg.sender, "not ready");
        delete requests[id];
        pool.coin().mint(receiver, one.pays);
        emit WithdrawalClaimed(id, msg.sender, receiver, one.pays);
    }
}
