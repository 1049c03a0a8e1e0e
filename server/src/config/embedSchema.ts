import { Type } from 'typebox';
import { mapping, pattern } from './schemaFields.ts';

/** An origin as a content security policy names it: nothing in it can end the directive. */
const ORIGIN = '^https?://(\\*\\.)?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?$';

export const embed = mapping(
  {
    frameAncestors: Type.Array(
      pattern(ORIGIN, {
        description: 'An origin; `https://*.example.com` stands for all subdomains.',
        errorMessage:
          'must be an origin such as https://example.com or https://*.example.com, without a path',
        examples: ['https://example.com'],
      }),
      {
        minItems: 1,
        description: 'Origins of the sites that can show the widget in a frame.',
        errorMessage: 'must be a list of origins, such as [https://example.com]',
      },
    ),
  },
  'Serves a widget for each family at `/embed/family/{slug}`, which other sites can show in a frame: docs/operate.md. Without this key, it is a 404. No other page can be framed.',
);
