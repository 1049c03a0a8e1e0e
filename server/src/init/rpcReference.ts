/** How the file refers to an RPC URL. */
export interface RpcReference {
  readonly variable: string;
  /** The text for the file. */
  readonly text: string;
  /** The URL is not in the file: the variable must be set. */
  readonly bare: boolean;
}

/** Keys are at least this long; path segments and host names usually are not. */
const KEY = /^[A-Za-z0-9_-]{16,}$/;

/** `index` counts the URLs of one chain, from 0. */
export function rpcReference(chainName: string, url: string, index: number): RpcReference {
  const name = chainName.toUpperCase().replaceAll('-', '_');
  const variable = `${name}_RPC_URL${index === 0 ? '' : `_${index + 1}`}`;
  const bare = carriesKey(url) || /[{}$\s"\\]/.test(url);
  return { variable, text: bare ? `\${${variable}}` : `\${${variable}:-${url}}`, bare };
}

/** Returns whether a URL may contain a secret: files are shared more often than environments. */
export function carriesKey(url: string): boolean {
  const { username, password, search, hash, pathname, hostname } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return true;
  if (pathname.split('/').some((part) => KEY.test(part))) return true;
  // The owner's name is not a secret, but a long first label with digits is.
  const [first = ''] = hostname.split('.');
  return KEY.test(first) && /\d/.test(first) && /[a-z]/i.test(first);
}
