/** A built module of the server: what is measured is what ships. The two packages are compiled apart. */
export function loadBuilt(path: string) {
  return import(new URL(`../../server/dist/${path}`, import.meta.url).href);
}
