import { type ExitTerms, getExitTerms, type Vault } from '@assay/client';
import { useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { chainStateText } from '../components/chainStates.ts';
import { Await, Empty } from '../components/states.tsx';
import { exactAmount, shortAmount } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { spanText } from '../format/time.ts';
import { client } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';
import { useText } from '../state/url.ts';
import { exitsBySpeed, type FastestExit, readAmount, usualAmounts } from './exitAmounts.ts';

/** How long an exit of an amount takes now, for a small, a large, and any other amount. */
export function ExitFor({ vault }: { readonly vault: Vault<bigint> }) {
  const { decimals, symbol } = vault.assets.base;
  const [own, setOwn] = useText('exit');
  const [text, setText] = useState(own);
  const [isWrong, setWrong] = useState(false);
  const amount = readAmount(own, decimals);
  const unit = cleanText(symbol, 12);
  return (
    <Card id="exit-for" title="Exit for an amount">
      <ul class="exits">
        {usualAmounts(vault.stats.tvl).map((units) => (
          <ExitRow key={`${units}`} units={units} vault={vault} />
        ))}
        {amount !== undefined && <ExitRow key={`own ${amount}`} units={amount} vault={vault} />}
      </ul>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          const isAmount = text.trim() === '' || readAmount(text, decimals) !== undefined;
          setWrong(!isAmount);
          if (isAmount) setOwn(text.trim());
        }}
      >
        <label class="narrow">
          <span class="sr">Amount in {unit}</span>
          <input
            type="text"
            inputMode="decimal"
            autocomplete="off"
            placeholder={`Amount in ${unit}`}
            value={text}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? 'wrong-amount' : undefined}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Check</button>
        {isWrong && (
          <p id="wrong-amount" class="wrong" role="alert">
            Enter an amount with at most {decimals} decimals.
          </p>
        )}
      </form>
      <p class="soft small">
        Read live from the contracts, before gas and any exit fee. Waits are the median of the last
        90 days: measured, not promised.
      </p>
    </Card>
  );
}

function ExitRow({ units, vault }: { readonly units: bigint; readonly vault: Vault<bigint> }) {
  const { slug, assets } = vault;
  const { decimals, symbol } = assets.base;
  const live = useLive<ExitTerms<bigint>>(
    `exit ${slug} ${units}`,
    (signal) => getExitTerms(client, { slug, assets: `${units}`, signal, amounts: 'bigint' }),
    60_000,
  );
  return (
    <li>
      <b class="amount" title={`${exactAmount(units, decimals)} ${symbol}`}>
        {shortAmount(units, decimals)} <small>{cleanText(symbol, 12)}</small>
      </b>
      <Await live={live} lines={1}>
        {(terms) => <Outcome terms={terms} decimals={decimals} />}
      </Await>
    </li>
  );
}

function Outcome({ terms, decimals }: { readonly terms: ExitTerms<bigint>; decimals: number }) {
  const nameOf = useChainName();
  const exits = exitsBySpeed(terms);
  const unread = terms.incompleteChains.map((id) => chainStateText(nameOf(id), 'unreachable'));
  const [fastest, ...others] = exits;
  if (fastest === undefined) {
    return (
      <Empty>{unread.length > 0 ? `Unknown: ${unread.join('; ')}.` : 'Not possible now.'}</Empty>
    );
  }
  const text = (exit: FastestExit) => `${nameOf(exit.chain.chainId)}: ${speedText(exit)}`;
  const { instantAssets, outcome, baseAssetSymbol } = fastest.chain;
  return (
    <span class="who">
      <span class={fastest.seconds === 0 ? 'speed now' : 'speed'}>
        {speedText(fastest)} <small>on {nameOf(fastest.chain.chainId)}</small>
      </span>
      {outcome === 'partial' && instantAssets !== null && (
        <small>
          {shortAmount(instantAssets, decimals)} {cleanText(baseAssetSymbol, 12)} of it now, if
          requested separately
        </small>
      )}
      {others.length > 0 && <small>{others.map(text).join(' · ')}</small>}
    </span>
  );
}

function speedText({ seconds }: FastestExit): string {
  if (seconds === 0) return 'now';
  return seconds === null ? 'after a wait that was never measured' : `about ${spanText(seconds)}`;
}
