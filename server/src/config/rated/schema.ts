import { Type } from 'typebox';
import { FLOW_ACTIONS } from '../../domain/vault/event.ts';
import { mapping, pattern, text, whole } from '../schemaFields.ts';
import { MINTS } from './description.ts';

const contract = (description: string) =>
  pattern('^([a-z][A-Za-z0-9]*|0x[0-9a-fA-F]{40})$', {
    description,
    errorMessage: 'must be an address, or a role named under contracts',
    examples: ['share'],
  });

const signature = (description: string, example: string) =>
  pattern('^[A-Za-z_$][\\w$ ]*\\(.*\\)', {
    description,
    errorMessage: `must be a signature as in Solidity, such as "${example}"`,
    examples: [example],
  });

const value = (description: string) =>
  Type.Union([Type.String({ minLength: 1 }), whole(0, 100, { description })], {
    description,
    errorMessage: 'must be the name of a value that the call returns, or its number from 0',
  });

const field = (description: string) => Type.Optional(text(description, 'owner'));

const list = (description: string, errorMessage: string) => ({
  description,
  errorMessage,
  default: [],
});

const args = Type.Optional(
  Type.Array(
    Type.Union([Type.String(), Type.Integer(), Type.Boolean()], {
      errorMessage: 'must be a value; large numbers go in quotes',
    }),
    list('Arguments of the call: values, addresses, or roles.', 'must be a list of values'),
  ),
);

const paused = mapping(
  {
    contract: contract('The contract that reports whether the rate is paused.'),
    call: signature('Its call.', 'paused() returns (bool)'),
    args,
    answer: Type.Optional(value('Which value is used, if the call returns several.')),
  },
  'A call that returns true while the rate must not be used.',
);

const rate = mapping(
  {
    contract: Type.Optional(contract('The contract with the rate.')),
    call: Type.Optional(
      signature('The call that returns it.', 'getExchangeRate() returns (uint256)'),
    ),
    args,
    answer: Type.Optional(value('Which value is the rate, if the call returns several.')),
    decimals: Type.Optional(
      Type.Union([whole(0, 77, { description: '' }), Type.Literal('unit')], {
        description:
          'Decimals of the rate; unit: those of the unit. For a feed, they are read from the feed.',
        errorMessage: 'must be an integer from 0 to 77, or unit',
        examples: [18],
      }),
    ),
    updatedAt: Type.Optional(value('Which value is the time of the rate, in Unix seconds.')),
    bad: Type.Optional(value('Which value is true while the rate must not be used.')),
    paused: Type.Optional(paused),
    feed: Type.Optional(contract('A price feed (latestRoundData), instead of a call.')),
    fixed: Type.Optional(
      pattern('^\\d+(\\.\\d+)?$', {
        description: 'A constant rate, instead of a call.',
        errorMessage: 'must be a number in quotes, such as "1"',
        examples: ['1'],
      }),
    ),
    inverse: Type.Optional(
      Type.Boolean({
        description: 'Whether the rate is shares per asset instead of assets per share.',
        errorMessage: 'must be true or false',
        default: false,
      }),
    ),
    maxAge: Type.Optional(
      whole(1, 366 * 86_400, {
        description: 'Maximum age of the rate in seconds; needs updatedAt or feed.',
        examples: [432_000],
      }),
    ),
  },
  'The value of one share.',
);

const unit = mapping(
  {
    token: Type.Optional(contract('The token of the rate.')),
    currency: Type.Optional(
      pattern('^[A-Z][A-Z0-9]{1,9}$', {
        description: "A currency or the chain's coin, if the unit is not a token.",
        errorMessage: 'must be a code in capitals, such as USD or ETH',
        examples: ['USD'],
      }),
    ),
    decimals: Type.Optional(
      whole(0, 36, { description: 'Decimals of the amounts in that currency.', examples: [6] }),
    ),
  },
  'The unit of the rate: a token or a currency.',
);

const ledger = mapping(
  {
    event: Type.Optional(
      signature(
        'The event that moves shares, with fields named from, to, and shares.',
        'Moved(address from, address to, uint256 shares)',
      ),
    ),
    burn: Type.Optional(
      signature(
        'The event that burns shares without the event above, with fields named from and shares.',
        'SharesBurnt(address indexed from, uint256 shares)',
      ),
    ),
    mints: Type.Optional(
      Type.Enum([...MINTS], {
        description:
          'Shares minted or burned without a flow. free: fees and dividends, which cost nothing. received: sales that are settled off chain, and bridges; they cost the value of the shares at that time. bought: deposits and redemptions at that value.',
        errorMessage: `must be one of ${MINTS.join(', ')}`,
        default: 'free',
      }),
    ),
    supply: Type.Optional(
      signature('The call that returns the total supply.', 'getTotalShares() returns (uint256)'),
    ),
    balance: Type.Optional(
      signature("The call that returns a wallet's shares.", 'sharesOf(address) returns (uint256)'),
    ),
  },
  'How shares are counted. Default: the ERC-20 token itself.',
);

const flow = mapping(
  {
    action: Type.Enum([...FLOW_ACTIONS], {
      description:
        'deposit: shares were bought. exit: shares were paid out immediately. request, cancel, settle, claim: the steps of a queued redemption. move: a request gets another number.',
      errorMessage: `must be one of ${FLOW_ACTIONS.join(', ')}`,
      examples: ['deposit'],
    }),
    contract: Type.Optional(contract('The contract that emits it. Default: the share token.')),
    event: signature(
      'The event, with named fields.',
      'Minted(address to, uint256 shares, uint256 paid)',
    ),
    owner: field('The field with the owner of the shares.'),
    receiver: field('The field with the receiver of the payment or the owner of the request.'),
    shares: field('The field with the shares.'),
    assets: field('The field with the amount paid, in base units of the unit.'),
    fee: field(
      'The field with the shares taken as a fee, if they are part of the field with the shares.',
    ),
    assetsFee: field(
      'The field with the assets taken as a fee, if they are part of the field with the assets.',
    ),
    asset: field('The field with the asset of that payment, if it can differ.'),
    id: field('The field with the number of the request, or a list of numbers.'),
    idFrom: field('The field with the first number of a range.'),
    idTo: field('The field with the last number of a range, or the new number of a moved request.'),
  },
  'An event about shares that were bought, queued, or paid out.',
);

const queue = mapping(
  {
    contract: contract('The contract with the open requests.'),
    call: signature(
      'Takes a wallet, or the number of a request, and returns its open shares.',
      'pendingShares(address) returns (uint256)',
    ),
    answer: Type.Optional(value('Which value is the shares, if the call returns several.')),
  },
  'How open requests are read.',
);

const watch = mapping(
  {
    contract: contract('The contract.'),
    events: Type.Array(signature('An event.', 'Paused(address account)'), {
      minItems: 1,
      description: 'Its events.',
      errorMessage: 'must be a list of at least one event signature',
    }),
  },
  'Events of a contract that trigger an alert.',
);

/** The keys that both a preset and the file may have. */
const parts = {
  share: Type.Optional(
    contract("The share token, if it is not the family's address on this chain."),
  ),
  ledger: Type.Optional(ledger),
  rate: Type.Optional(rate),
  unit: Type.Optional(unit),
  flows: Type.Optional(
    Type.Array(flow, list('The events about shares.', 'must be a list of flows')),
  ),
  custody: Type.Optional(
    Type.Array(
      contract('An account that holds shares for others.'),
      list('Accounts that hold shares for others.', 'must be a list of addresses or roles'),
    ),
  ),
  queue: Type.Optional(queue),
  watch: Type.Optional(
    Type.Array(watch, list('Events that trigger an alert.', 'must be a list of contracts')),
  ),
};

const ROLE = '^[a-z][A-Za-z0-9]*$';

export const ratedSchema = mapping(
  {
    contracts: Type.Optional(
      Type.Record(
        Type.String({ pattern: ROLE }),
        pattern('^(none|0x[0-9a-fA-F]{40})$', {
          description: 'Its address, or none: then everything that uses it is omitted.',
          errorMessage: 'must be an address, or none if there is no such contract',
          examples: ['none'],
        }),
        {
          additionalProperties: false,
          description: 'Addresses of the contracts that the description names by role.',
          errorMessage: 'must be a role: letters and digits, the first in lower case',
        },
      ),
    ),
    ...parts,
  },
  'A share token with a rate (rated): the differences from the preset, or all of it.',
);

const recognize = mapping(
  {
    over: Type.Optional(
      Type.Literal('erc4626', {
        description: 'Set if it also has the functions of ERC-4626.',
        errorMessage: 'must be erc4626',
      }),
    ),
    calls: Type.Array(
      mapping(
        {
          at: Type.Optional(contract('The contract to call. Default: the address itself.')),
          call: signature('The call.', 'getExchangeRate() returns (uint256)'),
          args,
          answers: Type.Optional(contract('The contract that it must return.')),
        },
        'A call that must succeed.',
      ),
      { minItems: 1, errorMessage: 'must be a list of at least one call' },
    ),
  },
  'How `init` recognizes it from an address; without it, only by name.',
);

/** A file of server/presets. */
export const presetSchema = mapping(
  {
    system: text('The vault system.', 'Rocket Pool rETH'),
    source: text('Source of its contracts.', 'rocket-pool/rocketpool'),
    version: text('Version of the source.', 'fef41a4'),
    exact: text('Which values are exact, and which are not.', 'Everything.'),
    traps: Type.Array(text('A trap.', 'The rate moves once a day.'), {
      description: 'Common misreadings.',
      errorMessage: 'must be a list of texts',
    }),
    recognize: Type.Optional(recognize),
    contracts: Type.Optional(
      Type.Record(
        Type.String({ pattern: ROLE }),
        mapping(
          {
            is: text('What the contract is.', 'the accountant, which has the rate'),
            from: Type.Optional(contract('The contract that names it. Default: the share.')),
            call: Type.Optional(
              signature('The call that returns it.', 'accountant() returns (address)'),
            ),
          },
          'A contract of the system, and how it is found.',
        ),
        { additionalProperties: false, errorMessage: 'must be a role' },
      ),
    ),
    rated: mapping(parts, 'The description.'),
  },
  'A preset: a vault system described as data.',
);
