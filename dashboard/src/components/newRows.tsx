import { plural } from '../format/text.ts';

/** Says how many rows are new, above the list and without moving it. Always rendered, so that the text is announced. */
export function NewRows({
  count,
  one,
  onShow,
}: {
  readonly count: number;
  /** Name of a row: transaction. */
  readonly one: string;
  readonly onShow: () => void;
}) {
  return (
    <div class="news" role="status">
      {count > 0 && (
        <p>
          {plural(count, `new ${one}`)}{' '}
          <button type="button" onClick={onShow}>
            Show
          </button>
        </p>
      )}
    </div>
  );
}
