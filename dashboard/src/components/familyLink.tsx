/** A link to the page of a vault family. */
export function FamilyLink({ slug }: { readonly slug: string }) {
  return (
    <a data-own href={`/family/${encodeURIComponent(slug)}`}>
      {slug}
    </a>
  );
}
