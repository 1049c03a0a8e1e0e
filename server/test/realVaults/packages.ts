import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of downloaded packages and compiled contracts; git ignores it. */
export const PACKAGES_FOLDER = fileURLToPath(new URL('../../../.assay/packages/', import.meta.url));

/**
 * The packages whose contracts the tests run, and older compilers: exact version and the registry's sha512. Tests fetch
 * them on demand. They are in no lock file, because their own dependencies are not needed.
 */
export const PINS = {
  '@1inch/solidity-utils@2.2.27':
    'rybgnA5Bd1+XRrAdIK3sNWWIMXZ5tWl4Ds4IwZVCzAXMLvxdXnJyb6zm//uuko9cRH63aDjct5Mzf+ggg36AJg==',
  '@aave/core-v3@1.19.3':
    'Xr7+VcoU5b4mPwM4IUCnskw3lciwrnL4Xloyad8GOddYeixnri2lZYobNmErm1LwE50vqjI0O+9QGNKY2TDkeQ==',
  '@chainlink/contracts@0.8.0':
    'nUv1Uxw5Mn92wgLs2bgPYmo8hpdQ3s9jB/lcbdU0LmNOVu0hbfmouVnqwRLa28Ll50q6GczUA+eO0ikNIKLZsA==',
  '@delvtech/hyperdrive-artifacts@1.0.21':
    'IrTMyXWT/UA96GxGBsdE0jB8xzzbr1hyqLS+cdx6gC8+Ht1fMmj0aV1edS1QtYyQBBX19B9zDWopNac9T7NN9A==',
  '@exactly/protocol@0.2.24':
    '8Pz8E0C78CxqE7FXzILnOAHcchKttbgo0rtiWCgrqzzIo0b/OgVT7kgiIg4tucSLYLk7rgnmQyn9bPC4GmQxfQ==',
  '@gearbox-protocol/core-v3@1.52.1':
    'lcwzcZeLXhvK+a9pnM+yuaqoQVYUkNtvlfMTWIgOu1wYU5HeXnNI0dBYKYarDu1LwVgNwP2nU2DcY/PVGtRaNg==',
  '@morpho-org/morpho-blue@1.0.0':
    'MKtzYMRE65B1hVJYAPtml3ecHPY2e/SL3JRvM7XWjtbnWQX6U/C3beSdxr7v+rHaVJ0ri/dUPxvNfWtr0NZdGw==',
  '@openzeppelin/contracts@4.9.6':
    'xSmezSupL+y9VkHZJGDoCBpmnB2ogM13ccaYDWqJTfS3dbuHkgjuwDFUmaFauBCboQMGB/S5UqUl2y54X99BmA==',
  '@openzeppelin/contracts@5.0.2':
    'ytPc6eLGcHHnapAZ9S+5qsdomhjo6QBHTDRRBFfTxXIpsicMhVPouPgmUPebZZZGX7vt9USA+Z+0M0dSVtSUEA==',
  '@openzeppelin/contracts-upgradeable@5.0.2':
    '0MmkHSHiW2NRFiT9/r5Lu4eJq5UJ4/tzlOgYXNAIj/ONkQTVnz22pLxDvp4C4uZ9he7ZFvGn3Driptn1/iU7tQ==',
  '@pendle/core-v2@6.11.0':
    'Q7h2KaYzYl8kZKNPe5qWKHYtdToVEL9FqCH0/5ab9/H34JBdutQoqo8hcggfaPYlziOOQ79dgbWfvyzMDJNQCw==',
  '@symbioticfi/core@1.0.3':
    'YBMv1XoP3RxZeNDmEUsNQzF3i70Pa16WiauZF/zLWUJ6VQ6KLTFqE/4TIvbZKuy0jaF0+dMsXgg8bw0h9mpEwA==',
  'solmate@6.8.0':
    '/oI8kgEvSxGG1mrFv3FmCEZd0F8Z9VzRmoYMIhzmmzt6mjtPwfdCm3oh8yOL7bMHJBSfXJuMpnMPrM0uyaKsKg==',
  'solc@0.6.6':
    'p0IO/1fRaHWKN+qR+mUivpwnBpFYD8EoFAzT8VL4lmllNwsyEO7TJJAc2QK0XUeWOYOT92NWKhDNNNLTVbHShA==',
  'solc@0.8.19':
    'yqurS3wzC4LdEvmMobODXqprV4MYJcVtinuxgrp61ac8K2zz40vXA0eSAskSHPgv8dQo7Nux39i3QBsHx4pqyA==',
  'solc@0.8.25':
    '7P0TF8gPeudl1Ko3RGkyY6XVCxe2SdD/qQhtns1vl3yAbK/PDifKDLHGtx1t7mX3LgR7ojV7Fg/Kc6Q9D2T8UQ==',
} as const;

/** A package of `PINS`, as name@version. */
export type Pin = keyof typeof PINS;

export class PackageMissing extends Error {
  override readonly name = 'PackageMissing';

  constructor(pin: string, reason: string) {
    super(
      `The npm package ${pin}, whose contracts this test runs, could not be fetched (${reason}). Let npm reach its registry once; the package then stays in .assay/packages.`,
    );
  }
}

export class PackageAltered extends Error {
  override readonly name = 'PackageAltered';

  constructor(pin: string) {
    super(
      `The npm package ${pin} does not have the pinned sha512 and was deleted. Check the registry that npm is configured with; change the pin in packages.ts only after reading the package.`,
    );
  }
}

const unpacked = new Map<Pin, Promise<string>>();

/** Fetches a pinned package unless it is already there, and returns its folder. */
export function unpackPackage(pin: Pin): Promise<string> {
  const folder = unpacked.get(pin) ?? fetchPackage(pin, PINS[pin], PACKAGES_FOLDER);
  unpacked.set(pin, folder);
  return folder;
}

/** Fetches any package into any folder. */
export async function fetchPackage(pin: string, sha512: string, into: string): Promise<string> {
  const folder = join(into, pin.replace('/', '+'));
  if (existsSync(folder)) return folder;
  await mkdir(into, { recursive: true });
  const draft = await mkdtemp(join(into, 'draft-'));
  try {
    const file = await download(pin, draft);
    const found = createHash('sha512')
      .update(await readFile(file))
      .digest('base64');
    if (found !== sha512) throw new PackageAltered(pin);
    const contents = join(draft, 'contents');
    await mkdir(contents);
    await run('tar', ['-xzf', file, '-C', contents, '--strip-components=1']);
    // Processes can fetch a package at the same time: the first rename wins, and all have the same contents.
    await rename(contents, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Uses npm, so that its own configuration selects the registry. */
async function download(pin: string, folder: string): Promise<string> {
  const flags = ['--pack-destination', folder, '--ignore-scripts'];
  try {
    await run('npm', ['pack', pin, ...flags], { cwd: folder });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new PackageMissing(pin, /^npm (?:error|ERR!) code (\w+)$/m.exec(stderr)?.[1] ?? 'no npm');
  }
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new PackageMissing(pin, 'npm wrote no file');
  return join(folder, name);
}
