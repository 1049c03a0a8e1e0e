import { Nullable, Text } from '../schemas.ts';

/** The cursor of a response with pages. */
export const nextCursor = Nullable(
  Text('A cursor.'),
  'Opaque; pass it unchanged as cursor to get the next page. Null on the last page.',
);
