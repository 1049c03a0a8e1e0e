/** Loads a built module of the server, so that the shipped code is measured. The packages are compiled separately. */
export function loadBuilt(path: string) {
  return import(new URL(`../../server/dist/${path}`, import.meta.url).href);
}
