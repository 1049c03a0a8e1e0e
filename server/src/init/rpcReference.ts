/** How the file refers to an RPC URL. */
export interface RpcReference {
  readonly variable: string;
  /** The text for the file. */
  readonly text: string;
  /** The URL is not in the file: the variable must be set. */
  readonly bare: boolean;
}

/** Keys are at least this long; words of a path and names of hosts are not, as a rule. */
const KEY = /^[A-Za-z0-9_-]{16,}$/;

/** `index` counts the URLs of one chain, from 0. */
export function rpcReference(chainName: string, url: string, index: number): RpcReference {
  const name = chainName.toUpperCase().replaceAll('-', '_');
  const variable = `${name}_RPC_URL${index === 0 ? '' : `_${index + 1}`}`;
  const bare = carriesKey(url) || /[{}$\s"\\]/.test(url);
  return { variable, text: bare ? `\${${variable}}` : `\${${variable}:-${url}}`, bare };
}

/** Whether a URL may hold what only its owner should know: a file is shown about more than an environment. */
export function carriesKey(url: string): boolean {
  const { username, password, search, hash, pathname, hostname } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return true;
  if (pathname.split('/').some((part) => KEY.test(part))) return true;
  // The owner's name is no secret, a long first label with digits in it is one.
  const [first = ''] = hostname.split('.');
  return KEY.test(first) && /\d/.test(first) && /[a-z]/i.test(first);
}
