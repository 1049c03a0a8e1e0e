import { Type } from 'typebox';
import type { RouteParameter } from '../route.ts';

export const slugParameter: RouteParameter = {
  name: 'slug',
  in: 'path',
  required: true,
  description: 'Slug of the vault family.',
  schema: Type.String(),
  example: 'svcusd',
};
