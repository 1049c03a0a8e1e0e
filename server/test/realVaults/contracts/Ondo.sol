// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Models of Ondo's USDY and OUSG, as seen by a holder and an indexer:
// - The token does not return its oracle or its manager: the configuration must name them.
// - USDY's oracle has ranges with a daily rate. Its price grows by whole days, rounded to 8 digits of 18, upwards, and
//   reverts while the oracle is paused.
// - OUSG's oracle has getAssetPrice(token), a number that is set from outside, and the time of its last change.
// - A manager sells and buys at once (Subscription, Redemption); the tokens are minted and burned, the fee stays in
//   dollars. redemptionUSDValue and depositUSDValue have 18 decimals, regardless of the paid token.
// - OUSG's manager of 2024 names USDC with its 6 decimals (InstantMintOUSG, InstantRedemptionOUSG).
// - The issuer mints for payments off chain, without an event of the manager.
// - The hub takes the collateral at MintRequested and mints at MintCompleted, at a price that is set in between. It
//   burns at RedemptionRequested and pays later; RedemptionCompleted names the same id, and the collateral with its 6
//   decimals.
// Left out: lists of allowed holders, limits, price ids, fees of the hub, requests given to another account, rebasing
// forms.

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

    /// Ends the range today: the price continues from its current value, which may be lower than the range would have
    /// reached.
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
    OndoToken public immutable token;
    address public immutable usdc;

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
}

contract OndoOlderManager {
    event InstantMintOUSG(address indexed sender, uint256 usdcAmountIn, uint256 ousgAmountOut);
    event InstantRedemptionOUSG(address indexed sender, uint256 ousgAmountIn, uint256 usdcAmountOut);

    OndoToken public immutable token;

    constructor(OndoToken token_) {
        token = token_;
    }

    /// `usdcAmount` has 6 decimals.
    function mint(uint256 usdcAmount, uint256 price) external {
        uint256 amount = usdcAmount * 1e30 / price;
        token.mint(msg.sender, amount);
        emit InstantMintOUSG(msg.sender, usdcAmount, amount);
    }

    function redeem(uint256 amount, uint256 price) external {
        token.burnFrom(msg.sender, amount);
        emit InstantRedemptionOUSG(msg.sender, amount, amount * price / 1e30);
    }
}

contract OndoHub {
    event MintRequested(
        address indexed user,
        bytes32 indexed depositId,
        uint256 collateralAmountDeposited,
        uint256 depositAmountAfterFee,
        uint256 feeAmount
    );
    event MintCompleted(
        address indexed user,
        bytes32 indexed depositId,
        uint256 rwaAmountOut,
        uint256 collateralAmountDeposited,
        uint256 price,
        uint256 priceId
    );
    event RedemptionRequested(address indexed user, bytes32 indexed redemptionId, uint256 rwaAmountIn);
    event RedemptionCompleted(
        address indexed user,
        bytes32 indexed redemptionId,
        uint256 rwaAmountRequested,
        uint256 collateralAmountReturned,
        uint256 price
    );

    struct Request {
        address user;
        uint256 amount;
    }

    OndoToken public immutable token;
    mapping(bytes32 => Request) public deposits;
    mapping(bytes32 => Request) public redemptions;
    uint256 public lastDeposit;
    uint256 public lastRedemption;

    constructor(OndoToken token_) {
        token = token_;
    }

    /// `collateral` has 6 decimals.
    function requestSubscription(uint256 collateral) external {
        bytes32 id = bytes32(++lastDeposit);
        deposits[id] = Request(msg.sender, collateral);
        emit MintRequested(msg.sender, id, collateral, collateral, 0);
    }

    function claimMint(bytes32 id, uint256 price) external {
        Request memory one = deposits[id];
        delete deposits[id];
        uint256 amount = one.amount * 1e30 / price;
        token.mint(one.user, amount);
        emit MintCompleted(one.user, id, amount, one.amount, price, 1);
    }

    function requestRedemption(uint256 amount) external {
        bytes32 id = bytes32(++lastRedemption);
        redemptions[id] = Request(msg.sender, amount);
        token.burnFrom(msg.sender, amount);
        emit RedemptionRequested(msg.sender, id, amount);
    }

    function claimRedemption(bytes32 id, uint256 price) external {
        Request memory one = redemptions[id];
        delete redemptions[id];
        emit RedemptionCompleted(one.user, id, one.amount, one.amount * price / 1e30, price);
    }
}
