import { Type } from 'typebox';
import { invoice } from '../../payments/invoice.ts';
import {
  type ApiParameter,
  type ApiResponse,
  type Operation,
  toJsonSchema,
} from '../openapiDocument.ts';
import { header, problemReferences } from '../openapiProblems.ts';
import { createBazaar } from './bazaar.ts';
import type { PaidRoute } from './paidRoute.ts';
import { type PaidOffer, usdText } from './paidText.ts';

const invoiceSchema = Type.Object({
  x402Version: Type.Literal(2, { description: 'Version of the payment protocol.' }),
  error: Type.String({
    pattern: '^[a-z0-9_]+$',
    description:
      'Why payment is asked for: payment_required, or what is wrong with the payment. The section on risk lists every one, with what to do.',
  }),
  resource: Type.Object(
    {
      url: Type.String({ description: 'Canonical address of the resource, query included.' }),
      description: Type.String({ description: 'What is sold.' }),
      mimeType: Type.String({ description: 'Type of the answer.' }),
      serviceName: Type.String({ description: 'Under which name directories list it.' }),
      tags: Type.Array(Type.String(), { description: 'Under which words they do.' }),
    },
    { description: 'What is paid for.' },
  ),
  accepts: Type.Array(
    Type.Object({
      scheme: Type.String({ description: 'Always exact.' }),
      network: Type.String({ description: 'CAIP-2 id of the chain.' }),
      amount: Type.String({ description: 'Price in base units of the asset.' }),
      asset: Type.String({ description: 'The stablecoin, EIP-55 checksummed.' }),
      payTo: Type.String({ description: 'Who is paid, EIP-55 checksummed.' }),
      maxTimeoutSeconds: Type.Integer({ description: 'How long an authorization may be valid.' }),
      extra: Type.Object(
        {
          name: Type.String({ description: 'Name.' }),
          version: Type.String({ description: 'Version.' }),
        },
        { description: "The asset's EIP-712 domain." },
      ),
    }),
    { description: 'Ways to pay, of which there is one.' },
  ),
  extensions: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Extensions of the protocol: payment-identifier lets a client ask again for an answer it paid for; bazaar tells directories how to ask, with the schemas of request and answer.',
  }),
});

/** Whose prices and terms an operation names. */
export interface Seller {
  readonly offer: PaidOffer;
  /** Where the API is. */
  readonly publicUrl: string;
}

/** A paid route as an operation: with its price, its payment headers and its 402. */
export function paidOperation(
  route: PaidRoute,
  parameters: readonly ApiParameter[],
  seller: Seller,
): Operation {
  const { operationId, summary, description, tag } = route;
  const units = seller.offer.prices[route.price];
  const statuses = new Set<number>([...route.problems, 400, 403, 409, 429, 500, 503]);
  return {
    operationId,
    summary,
    description: `${description} Price: ${usdText(units)} USD (${units} base units), unless the 402 says otherwise.`,
    tags: [tag],
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: usdText(units) },
      protocols: [{ x402: {} }],
    },
    parameters: [...parameters, ...PAYMENT_HEADERS],
    responses: {
      200: success(route),
      402: paymentRequired(route, seller),
      ...problemReferences([...statuses]),
    },
  };
}

const PAYMENT_HEADERS: readonly ApiParameter[] = ['X-PAYMENT', 'PAYMENT-SIGNATURE'].map((name) => ({
  name,
  in: 'header',
  required: false,
  description:
    'The signed payment: base64 of the protocol’s JSON. Both headers mean the same; with both they must be equal. Without one the answer is 402.',
  schema: { type: 'string' },
  example: 'eyJ4NDAyVmVyc2lvbiI6Mn0=',
}));

function success(route: PaidRoute): ApiResponse {
  return {
    description: 'The answer, paid and settled on chain.',
    headers: {
      'PAYMENT-RESPONSE': header(
        'Base64 of {success, transaction, network, payer}: the settlement.',
        'eyJzdWNjZXNzIjp0cnVlfQ==',
      ),
      'Cache-Control': header('Never kept by others.', 'private, no-store'),
    },
    content: {
      'application/json': { schema: toJsonSchema(route.response), example: route.responseExample },
    },
  };
}

function paymentRequired(route: PaidRoute, { offer, publicUrl }: Seller): ApiResponse {
  const priced = {
    url: publicUrl + route.path,
    description: route.summary,
    price: offer.prices[route.price],
    bazaar: createBazaar(route)(examplePath(route)),
  };
  return {
    description:
      'Not paid, or not validly: the invoice, in the header and in the body. Sign the amount of this very invoice.',
    headers: {
      'PAYMENT-REQUIRED': header('Base64 of the invoice.', 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
      'PAYMENT-RESPONSE': header(
        'After a settlement that failed: base64 of {success: false, errorReason}.',
        'eyJzdWNjZXNzIjpmYWxzZX0=',
      ),
      'Cache-Control': header('Never kept.', 'no-store'),
    },
    content: {
      'application/json': {
        schema: toJsonSchema(invoiceSchema),
        example: invoice(offer, priced, 'payment_required'),
      },
    },
  };
}

function examplePath({ parameters }: PaidRoute): Record<string, string> {
  const inPath = parameters.filter((one) => one.in === 'path');
  return Object.fromEntries(inPath.map(({ name, example }) => [name, example]));
}
