import { spawn } from 'node:child_process';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the command that opens a URL; undefined without a desktop. */
export function browserCommand(
  env: Env,
  platform: NodeJS.Platform,
): readonly [program: string, ...args: string[]] | undefined {
  const { BROWSER = '', DISPLAY, WAYLAND_DISPLAY } = env;
  const [named = ''] = BROWSER.split(':');
  if (named !== '') return [named];
  if (platform === 'darwin') return ['open'];
  // `start` is a shell command, which would interpret the URL.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Returns whether the browser was started; it outlives this process. */
export function openBrowser(
  url: string,
  [program, ...args]: readonly [string, ...string[]],
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
