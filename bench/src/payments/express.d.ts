/** The parts of Express used here; its types are a separate package. */
declare module 'express' {
  import type { Server } from 'node:http';

  interface App {
    use(handler: unknown): void;
    get(
      path: string,
      handler: (request: unknown, response: { json(body: unknown): void }) => void,
    ): void;
    listen(port: number, host: string, listening: () => void): Server;
  }

  export default function express(): App;
}
