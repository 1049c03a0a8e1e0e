import { Type } from 'typebox';
import { invoice } from '../../payments/authorization/invoice.ts';
import {
  type ApiParameter,
  type ApiResponse,
  type Operation,
  toJsonSchema,
} from '../openapiDocument.ts';
import { header, problemReferences } from '../openapiProblems.ts';
import { Address, AnyFields, Count, List, Shape, Text } from '../schemas.ts';
import { createBazaar } from './bazaar.ts';
import type { PaidRoute } from './paidRoute.ts';
import { type PaidOffer, usdText } from './paidText.ts';

const accepted = Shape(
  {
    scheme: Text('Always exact.', 'exact'),
    network: Text('CAIP-2 id of the chain.', 'eip155:8453'),
    amount: Text('Price in base units of the asset.', '50000'),
    asset: Address('The stablecoin.'),
    payTo: Address('Who is paid.'),
    maxTimeoutSeconds: Count('How long an authorization may be valid.'),
    extra: Shape(
      { name: Text('Name.', 'USD Coin'), version: Text('Version.', '2') },
      "The asset's EIP-712 domain.",
    ),
  },
  'A way to pay.',
);

const invoiceSchema = Shape(
  {
    x402Version: Type.Literal(2, { description: 'Version of the payment protocol.' }),
    error: Type.String({
      pattern: '^[a-z0-9_]+$',
      description:
        'Why payment is asked for: payment_required, or what is wrong with the payment. The section on risk lists every one, with what to do.',
    }),
    resource: Shape(
      {
        url: Text('Canonical address of the resource, query included.'),
        description: Text('What is sold.'),
        mimeType: Text('Type of the answer.', 'application/json'),
        serviceName: Text('Under which name directories list it.'),
        tags: List(Text('A word.', 'risk'), 'Under which words they do.'),
      },
      'What is paid for.',
    ),
    accepts: List(accepted, 'Ways to pay, of which there is one.'),
    extensions: AnyFields(
      'Extensions of the protocol: payment-identifier lets a client ask again for an answer it paid for; bazaar tells directories how to ask, with the schemas of request and answer.',
    ),
  },
  'An invoice.',
);

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
