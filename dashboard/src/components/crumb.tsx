/** The page above this one. */
export function Crumb({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <p class="crumb">
      <a data-own href={href}>
        {name}
      </a>
    </p>
  );
}
