import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench } from './folders.ts';

export interface Peer {
  readonly name: string;
  /** Folder of its project in bench. It is installed next to it, in a folder with the same name and a leading dot. */
  readonly folder: string;
}

export function installedFolder(peer: Peer): string {
  return join(bench, `.${peer.folder}`);
}

/** Copies a peer's project and installs its dependencies if they are missing, which takes a minute the first time. */
export function installPeer(peer: Peer, say: (line: string) => void): void {
  const project = join(bench, peer.folder);
  const installed = installedFolder(peer);
  mkdirSync(installed, { recursive: true });
  cpSync(project, installed, { recursive: true });
  const wanted = Object.entries(readManifest(project)?.dependencies ?? {});
  const isPresent = ([name, version]: [string, string]) =>
    readManifest(join(installed, 'node_modules', name))?.version === version;
  if (wanted.every(isPresent)) return;
  say(`installing ${peer.name} in bench/.${peer.folder} (once)`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: installed,
    stdio: 'inherit',
  });
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined;
}
