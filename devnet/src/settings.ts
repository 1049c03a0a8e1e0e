import { BlockList, isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { isProfileName, PROFILE_NAMES, type ProfileName } from './provider/index.ts';

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  /** Port of the first chain; absent: the well-known ports. */
  readonly firstPort: number | undefined;
  readonly seed: string;
  /** Interval between blocks of the live activity. */
  readonly everySeconds: number;
  /** The RPC plan that the server reads the chains through; absent: without limits. */
  readonly provider: ProfileName | undefined;
}

const OPTIONS = { provider: { type: 'string' } } as const;

export class BadSetting extends Error {
  override readonly name = 'BadSetting';
  readonly variable: string;

  constructor(variable: string, message: string) {
    super(message);
    this.variable = variable;
  }
}

export function readSettings(env: NodeJS.ProcessEnv, args: readonly string[] = []): Settings {
  const host = env.HOST || '127.0.0.1';
  if (!isLoopback(host)) {
    throw new BadSetting(
      'HOST',
      `HOST=${host} is not a loopback address: the demo's keys are public. Use 127.0.0.1, ::1, or localhost.`,
    );
  }
  return {
    host,
    port: readPort(env, 'PORT') ?? 8080,
    adminPort: readPort(env, 'ADMIN_PORT') ?? 9464,
    firstPort: readPort(env, 'DEVNET_PORT'),
    seed: env.DEVNET_SEED || 'demo',
    everySeconds: 3,
    provider: readProvider(args),
  };
}

function readProvider(args: readonly string[]): ProfileName | undefined {
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  let name: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional' || token.name !== 'provider') {
      const text = token.kind === 'positional' ? token.value : token.rawName;
      throw new BadSetting(text, `${text} is not an option: use --provider NAME.`);
    }
    name = token.value ?? '';
  }
  if (name === undefined || isProfileName(name)) return name;
  throw new BadSetting(
    '--provider',
    `--provider ${name} is not a provider: use ${new Intl.ListFormat('en', { type: 'disjunction' }).format(PROFILE_NAMES)}.`,
  );
}

function readPort(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new BadSetting(name, `${name}=${text} is not a port: use an integer from 0 to 65535.`);
  }
  return port;
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const kind = isIP(host);
  if (kind === 0) return false;
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(host, kind === 4 ? 'ipv4' : 'ipv6');
}
