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
    payTo: Address('The recipient.'),
    maxTimeoutSeconds: Count('Maximum validity of an authorization, in seconds.'),
    extra: Shape(
      { name: Text('Name.', 'USD Coin'), version: Text('Version.', '2') },
      "The asset's EIP-712 domain.",
    ),
  },
  'A payment option.',
);

const invoiceSchema = Shape(
  {
    x402Version: Type.Literal(2, { description: 'Version of the payment protocol.' }),
    error: Type.String({
      pattern: '^[a-z0-9_]+$',
      description:
        'The reason: payment_required, or the error of the payment. The risk section lists every value with what to do.',
    }),
    resource: Shape(
      {
        url: Text('Canonical URL of the resource, including the query.'),
        description: Text('Description of the resource.'),
        mimeType: Text('Media type of the response.', 'application/json'),
        serviceName: Text('Name of the service in directories.'),
        tags: List(Text('A word.', 'risk'), 'Tags of the service in directories.'),
      },
      'The paid resource.',
    ),
    accepts: List(accepted, 'Payment options; currently always one.'),
    extensions: AnyFields(
      'Extensions of the protocol. payment-identifier: lets a client request a paid response again. bazaar: describes the request to directories, with the schemas of request and response.',
    ),
  },
  'An invoice.',
);

/** The seller whose prices and terms an operation shows. */
export interface Seller {
  readonly offer: PaidOffer;
  /** URL of the API. */
  readonly publicUrl: string;
}

/** Converts a paid route to an operation with its price, payment headers, and 402. */
export function paidOperation(
  route: PaidRoute,
  parameters: readonly ApiParameter[],
  seller: Seller,
): Operation {
  const { operationId, summary, description, tag } = route;
  const units = seller.offer.prices[route.price];
  const each = route.calls === undefined ? '' : ' per id';
  const statuses = new Set<number>([...route.problems, 400, 403, 409, 429, 500, 503]);
  return {
    operationId,
    summary,
    description: `${description} Price: ${usdText(units)} USD (${units} base units)${each}, unless the 402 shows another price.`,
    tags: [tag],
    'x-payment-info': {
      price:
        route.calls === undefined
          ? { mode: 'fixed', currency: 'USD', amount: usdText(units) }
          : {
              mode: 'dynamic',
              currency: 'USD',
              min: usdText(units),
              max: usdText(units * BigInt(route.calls.max)),
            },
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
    'The signed payment: base64 of the protocol’s JSON. Both headers are equivalent; if you send both, they must be equal. Without a payment, the response is 402.',
  schema: { type: 'string' },
  example: 'eyJ4NDAyVmVyc2lvbiI6Mn0=',
}));

function success(route: PaidRoute): ApiResponse {
  return {
    description: 'The response. The payment is settled on chain.',
    headers: {
      'PAYMENT-RESPONSE': header(
        'Base64 of {success, transaction, network, payer}: the settlement.',
        'eyJzdWNjZXNzIjp0cnVlfQ==',
      ),
      'Cache-Control': header('Never cached.', 'private, no-store'),
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
      'No payment, or an invalid one. The invoice is in the header and in the body. The body also contains parts that are too large for the header: extensions and, for a long URL, the description of the resource. Sign the amount of this invoice.',
    headers: {
      'PAYMENT-REQUIRED': header(
        'Base64 of the invoice, with everything that you need to sign.',
        'eyJ4NDAyVmVyc2lvbiI6Mn0=',
      ),
      'PAYMENT-RESPONSE': header(
        'After a failed settlement: base64 of {success: false, errorReason}.',
        'eyJzdWNjZXNzIjpmYWxzZX0=',
      ),
      'Cache-Control': header('Never cached.', 'no-store'),
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
