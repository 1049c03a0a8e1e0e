// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// A model of Upshift's multi-asset vault. It claims to have:
// - a share token apart from the vault (lpTokenAddress()), whose decimals may differ from those of asset();
// - getSharePrice() in decimals of asset(), rounded down; deposits in several assets: Deposit (asset, amount, shares,
//   sender, receiver), which is not ERC-4626's;
// - requests without an id, kept by day and receiver: WithdrawalRequested (shares, holder, receiver) moves the shares
//   to the vault; a claim burns a receiver's shares of a day and emits WithdrawalProcessed (assets, receiver), with no
//   shares in it;
// - an instant exit with a fee: Withdraw, as ERC-4626's.
// Left out: whitelists, limits, subaccounts, calendar dates (a day is a number here), fees of management.
contract UpshiftShare is ERC20 {
    uint8 private immutable _decimals;
    address private immutable _vault = msg.sender;

    constructor(uint8 decimals_) ERC20("Upshift LP", "upLP") {
        _decimals = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 amount) external {
        require(msg.sender == _vault);
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        require(msg.sender == _vault);
        _burn(from, amount);
    }

    function pull(address from, uint256 amount) external {
        require(msg.sender == _vault);
        _transfer(from, _vault, amount);
    }
}

contract UpshiftVault {
    event Deposit(
        address assetIn, uint256 amountIn, uint256 shares, address indexed senderAddr, address indexed receiverAddr
    );
    event WithdrawalRequested(uint256 shares, address indexed holderAddr, address indexed receiverAddr);
    event WithdrawalProcessed(uint256 assetsAmount, address indexed receiverAddr);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );

    uint256 private constant FEE_BPS = 50;

    ERC20 public immutable asset;
    UpshiftShare private immutable _share;
    address public immutable assetsWhitelistAddress = address(this);
    uint256 public externalAssets;
    bool public withdrawalsPaused;
    mapping(uint256 => mapping(address => uint256)) private _burnable;

    constructor(ERC20 asset_, uint8 shareDecimals) {
        asset = asset_;
        _share = new UpshiftShare(shareDecimals);
    }

    function lpTokenAddress() external view returns (address) {
        return address(_share);
    }

    function getTotalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this)) + externalAssets;
    }

    function getSharePrice() public view returns (uint256) {
        uint256 supply = _share.totalSupply();
        return supply == 0 ? 10 ** asset.decimals() : getTotalAssets() * 10 ** _share.decimals() / supply;
    }

    function updateTotalAssets(uint256 externalAssets_) external {
        externalAssets = externalAssets_;
    }

    function deposit(ERC20 assetIn, uint256 amount, address receiver) external returns (uint256 shares) {
        uint256 supply = _share.totalSupply();
        // Another asset of the same decimals counts one for one, and is held outside of the vault.
        shares = supply == 0
            ? amount * 10 ** _share.decimals() / 10 ** asset.decimals()
            : amount * supply / getTotalAssets();
        assetIn.transferFrom(msg.sender, address(this), amount);
        if (address(assetIn) != address(asset)) externalAssets += amount;
        _share.mint(receiver, shares);
        emit Deposit(address(assetIn), amount, shares, msg.sender, receiver);
    }

    function requestRedeem(uint256 shares, address receiver) external {
        require(!withdrawalsPaused, "WithdrawalsPaused");
        _share.pull(msg.sender, shares);
        _burnable[block.timestamp / 1 days][receiver] += shares;
        emit WithdrawalRequested(shares, msg.sender, receiver);
    }

    function getBurnableAmountByReceiver(uint256 day, address receiver) external view returns (uint256) {
        return _burnable[day][receiver];
    }

    function claim(uint256 day, address receiver) external {
        uint256 shares = _burnable[day][receiver];
        require(shares > 0 && day < block.timestamp / 1 days, "TooEarly");
        uint256 assets = shares * getTotalAssets() / _share.totalSupply();
        _burnable[day][receiver] = 0;
        _share.burn(address(this), shares);
        asset.transfer(receiver, assets);
        emit WithdrawalProcessed(assets, receiver);
    }

    function instantRedeem(uint256 shares, address receiver) external {
        uint256 assets = shares * getTotalAssets() / _share.totalSupply();
        assets -= assets * FEE_BPS / 10_000;
        _share.burn(msg.sender, shares);
        asset.transfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, msg.sender, assets, shares);
    }

    function pause(bool withdrawals) external {
        withdrawalsPaused = withdrawals;
    }
}
