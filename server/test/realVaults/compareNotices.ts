import type { Served } from './serve.ts';

interface Status {
  readonly chains: readonly {
    readonly families: readonly {
      readonly family: string;
      readonly notices: readonly { readonly code: string; readonly message: string }[];
    }[];
  }[];
}

/** Compares each family's notices in status: exactly these codes, and none for other families. */
export async function compareNotices(
  served: Served,
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> {
  const { chains } = await served.get<Status>('/v1/status');
  return chains
    .flatMap(({ families }) => families)
    .flatMap(({ family, notices }) => {
      const codes = notices.map(({ code }) => code).join();
      const right = (expected[family] ?? []).join();
      return codes === right ? [] : [`notices of ${family}: "${codes}", must be "${right}"`];
    });
}
