import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span } from '@opentelemetry/api';
import { TRACE, type TracedWork } from '../runtime/traced.ts';

export interface Tracing {
  /** Sends the remaining traces, but does not wait for long. */
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const FLUSH_MS = 3_000;
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

export function wantsTracing(env: Environment): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  return Boolean(endpoint) && env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true';
}

/**
 * Sends traces by OTLP over HTTP. The exporter reads its own settings, including endpoint and headers, from the
 * environment. `onError` is called if traces cannot be sent.
 */
export async function startTracing(options: {
  readonly version: string;
  readonly env: Environment;
  readonly onError: () => void;
}): Promise<Tracing> {
  const { version, env, onError } = options;
  // Loaded only here: most servers send no traces.
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  // The library's message may contain the endpoint, and with it credentials.
  const silent = () => {};
  const logger = { error: onError, warn: silent, info: silent, debug: silent, verbose: silent };
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true });
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(
        resources.resourceFromAttributes({ 'service.name': 'assay', 'service.version': version }),
      )
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: rootSampler() }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    spanLimits: { attributeValueLengthLimit: 256 },
  });
  const tracer = provider.getTracer('assay', version);
  const active = new AsyncLocalStorage<Span | undefined>();
  const spans = new WeakMap<TracedWork, Span>();
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
  };
  // An error in a subscriber would end the process.
  const subscribers = {
    error: quietly(fail),
    asyncEnd: quietly(end),
    start: silent,
    end: silent,
    asyncStart: silent,
  };
  TRACE.start.bindStore(active, quietly(begin));
  TRACE.subscribe(subscribers);
  return {
    async stop() {
      TRACE.unsubscribe(subscribers);
      TRACE.start.unbindStore(active);
      const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref());
      await Promise.race([provider.shutdown().catch(onError), late]);
      api.diag.disable();
    },
  };

  function begin(work: TracedWork): Span {
    const { name, kind, attributes } = work;
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(work));
    spans.set(work, span);
    return span;
  }

  function contextOf({ kind, parent }: TracedWork): Context {
    const caller = kind === 'server' ? TRACEPARENT.exec(parent ?? '') : null;
    if (caller !== null) {
      const [, traceId, spanId, flags] = caller;
      const traceFlags = Number.parseInt(flags!, 16) & api.TraceFlags.SAMPLED;
      const remote = { traceId: traceId!, spanId: spanId!, traceFlags, isRemote: true };
      return api.trace.setSpanContext(api.ROOT_CONTEXT, remote);
    }
    const span = kind === 'server' ? undefined : active.getStore();
    return span === undefined ? api.ROOT_CONTEXT : api.trace.setSpan(api.ROOT_CONTEXT, span);
  }

  /** An error's message may be third-party text; its class is enough. */
  function fail(work: TracedWork & { error?: unknown }): void {
    work.failed = true;
    const { error } = work;
    work.attributes['error.type'] = error instanceof Error ? error.name : typeof error;
  }

  function end(work: TracedWork): void {
    const span = spans.get(work);
    if (span === undefined) return;
    span.updateName(work.name);
    span.setAttributes(work.attributes);
    if (work.failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end();
  }

  function quietly<T>(run: (work: TracedWork) => T): (work: TracedWork) => T | undefined {
    return (work) => {
      try {
        return run(work);
      } catch {
        onError();
        return undefined;
      }
    };
  }

  function rootSampler() {
    if (!/traceidratio$/.test(env.OTEL_TRACES_SAMPLER ?? '')) return new sdk.AlwaysOnSampler();
    const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || 1);
    return new sdk.TraceIdRatioBasedSampler(ratio);
  }
}
