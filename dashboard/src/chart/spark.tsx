/** An inline sparkline. Hidden from screen readers: other columns have the values. */
export function Spark({ values }: { readonly values: readonly number[] }) {
  if (values.length < 2) return null;
  const [width, height] = [96, 26];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const wide = high - low || 1;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * (width - 2) + 1;
    const y = high === low ? height / 2 : height - 2 - ((value - low) / wide) * (height - 4);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}
