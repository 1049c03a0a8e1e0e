/** Flags that several commands share. `assay help TOPIC` explains them once, because a help page has 24 rows. */
export interface Topic {
  readonly name: string;
  readonly details: string;
  /** A command that has these flags. */
  readonly command: string;
}

export const TOPICS: readonly Topic[] = [
  {
    name: 'paying',
    command: 'risk node',
    details: [
      'Flags of "assay risk search", "node", "dependencies", and "schema"',
      '',
      'Every payment is recorded before it is sent; "assay spend" lists them. The first',
      'payment to a host is shown, and its recipient is saved. If the host requests',
      'another recipient later, you must confirm it, or name it in a flag.',
    ].join('\n'),
  },
];
