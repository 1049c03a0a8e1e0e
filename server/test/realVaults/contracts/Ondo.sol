// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Models of Ondo's USDY and OUSG, as far as a holder and an indexer see them:
// - The token does not name its oracle or its manager: whoever describes it must.
// - USDY's oracle has ranges with a daily rate. Its price grows by whole days, rounded to 8 digits of 18, upwards, and
//   reverts while the oracle is paused.
// - OUSG's oracle answers getAssetPrice(token), a number that somebody sets, with the time of its last change beside it.
// - A manager sells and buys at once (Subscription, Redemption); the tokens are minted and burned, the fee stays in dollars.
//   redemptionUSDValue and depositUSDValue have 18 decimals, whatever the token that was paid.
// - The hub of older tokens burns at RedemptionRequested and pays later; RedemptionCompleted names the same id.
// Left out: lists of allowed holders, limits, price ids, rebasing forms.

contract OndoToken is ERC20 {
    constructor(string memory symbol_) ERC20(symbol_, symbol_) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burnFrom(address from, uint256 amount) external {
        _burn(from, amount);
    }
}

contract OndoDynamicOracle {
    event RangeSet(uint256 indexed index, uint256 start, uint256 end, uint256 dailyInterestRate, uint256 prevRangeClosePrice);
    event Paused(address account);
    event Unpaused(address account);

    uint256 private constant RAY = 1e27;
    uint256 public start = block.timestamp;
    uint256 public dailyRate;
    uint256 public closePrice;
    bool public paused;

    constructor(uint256 dailyRate_, uint256 startPrice) {
        dailyRate = dailyRate_;
        closePrice = startPrice;
    }

    /// Ends the range today: the price goes on from where it is, which may be less than it was promised.
    function setRange(uint256 rate, uint256 price) external {
        (start, dailyRate, closePrice) = (block.timestamp, rate, price);
        emit RangeSet(0, start, type(uint256).max, rate, price);
    }

    function pauseOracle(bool on) external {
        paused = on;
        if (on) emit Paused(msg.sender);
        else emit Unpaused(msg.sender);
    }

    function getPrice() public view returns (uint256) {
        require(!paused, "Pausable: paused");
        uint256 growth = RAY;
        for (uint256 day = 0; day <= (block.timestamp - start) / 1 days; day++) growth = growth * dailyRate / RAY;
        uint256 price = growth * closePrice / RAY;
        uint256 rest = price % 1e10;
        return rest == 0 ? price : price - rest + 1e10;
    }

    function getPriceData() external view returns (uint256, uint256) {
        return (getPrice(), block.timestamp);
    }
}

contract OndoAssetOracle {
    event PriceSet(address indexed token, uint256 price);

    mapping(address => uint256) private _prices;
    mapping(address => uint256) public updatedAt;

    function setAssetPrice(address token, uint256 price) external {
        (_prices[token], updatedAt[token]) = (price, block.timestamp);
        emit PriceSet(token, price);
    }

    function getAssetPrice(address token) external view returns (uint256) {
        require(_prices[token] > 0, "no price");
        return _prices[token];
    }
}

interface IOndoPrice {
    function getPrice() external view returns (uint256);
}

contract OndoManager {
    event Subscription(
        address indexed subscriber,
        bytes32 indexed subscriberId,
        uint256 rwaAmount,
        address depositToken,
        uint256 depositAmount,
        uint256 depositUSDValue,
        uint256 fee
    );
    event Redemption(
        address indexed redeemer,
        bytes32 indexed redeemerId,
        uint256 rwaAmount,
        address receivingToken,
        uint256 receiveTokenAmount,
        uint256 redemptionUSDValue,
        uint256 fee
    );
    event RedemptionRequested(address indexed user, bytes32 indexed redemptionId, uint256 rwaAmountIn);
    event RedemptionCompleted(
        address indexed user,
        bytes32 indexed redemptionId,
        uint256 rwaAmountRequested,
        uint256 collateralAmountReturned,
        uint256 price
    );

    OndoToken public immutable token;
    address public immutable usdc;
    uint256 public price;
    uint256 private _requests;

    constructor(OndoToken token_, address usdc_) {
        (token, usdc) = (token_, usdc_);
    }

    /// `value`: dollars with 18 decimals; USDC has 6.
    function subscribe(uint256 value, uint256 price_) external {
        uint256 amount = value * 1e18 / price_;
        token.mint(msg.sender, amount);
        emit Subscription(msg.sender, bytes32(uint256(uint160(msg.sender))), amount, usdc, value / 1e12, value, 0);
    }

    function redeem(uint256 amount, uint256 price_) external {
        uint256 value = amount * price_ / 1e18;
        token.burnFrom(msg.sender, amount);
        emit Redemption(msg.sender, bytes32(uint256(uint160(msg.sender))), amount, usdc, value / 1e12, value, 0);
    }

    function requestRedemption(uint256 amount) external returns (bytes32 id) {
        id = bytes32(++_requests);
        token.burnFrom(msg.sender, amount);
        emit RedemptionRequested(msg.sender, id, amount);
    }

    function completeRedemption(address user, bytes32 id, uint256 amount, uint256 price_) external {
        emit RedemptionCompleted(user, id, amount, amount * price_ / 1e30, price_);
    }
}
